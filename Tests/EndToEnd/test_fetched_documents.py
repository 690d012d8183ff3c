"""Documents that were fetched or given: where they are shown, and what goes to the site and comes from it with them."""

import asyncio
import base64

import pytest

from harness.recorder import response
from harness.requests import request, simulate
from harness.waiting import until

TITLE = "return document.title"


@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_a_redirect_into_the_document_that_is_there_loads_it_anew(controller, recorder, method):
    recorder.answers["/from"] = response(status="303 See Other", headers=["Location: /to#f"])
    recorder.answers["/to"] = response("<title>old</title>", headers=["Cache-Control: max-age=3600"])
    await controller.load(recorder.url + "/to")
    recorder.answers["/to"] = response("<title>new</title>")
    loaded = await request(controller, recorder.url + "/from", method=method, timeoutInterval=20)
    assert loaded["navigation"]["outcome"] == "finished" and loaded["navigation"]["httpStatus"] == 200, loaded
    # Content that is given to the engine has no fragment there.
    url = recorder.url + ("/to#f" if method == "POST" else "/to")
    assert loaded["navigation"]["url"] == url
    assert await controller.evaluate("return [location.href, document.title]") == [url, "new"]
    assert [r.method for r in recorder.seen("/to")] == ["GET", "GET"]


@pytest.mark.parametrize("by", ["fetched", "simulated", "html", "data"])
async def test_content_for_a_place_in_the_document_that_is_there_takes_its_place(controller, recorder, by):
    await controller.load(recorder.url + "/to")
    url, new = recorder.url + "/to#f", "<title>new</title>"
    recorder.answers["/to"] = response(new)
    loaded = await {
        "fetched": lambda: request(controller, url, method="PUT", timeoutInterval=20),
        "simulated": lambda: simulate(controller, url, html=new),
        "html": lambda: controller.html(new, baseURL=url),
        "data": lambda: controller.post("/load/data", {"data": new, "mimeType": "text/html", "baseURL": url}),
    }[by]()
    assert loaded["navigation"]["outcome"] == "finished", loaded
    assert await controller.evaluate("return [location.href, document.title]") == [recorder.url + "/to", "new"]


@pytest.mark.parametrize("method", ["PUT", "HEAD"])
async def test_what_was_fetched_for_a_fragment_can_be_reloaded(controller, recorder, method):
    loaded = await request(controller, recorder.url + "/x#f", method=method)
    assert loaded["navigation"]["url"] == recorder.url + "/x#f"
    again = await controller.post("/reload", {"timeout": 20})
    assert again["navigation"]["outcome"] == "finished", again
    assert [r.method for r in recorder.requests] == [method]


async def test_a_fetched_document_reaches_a_page_that_hangs(controller, recorder):
    await controller.load(recorder.url + "/first")
    hung = asyncio.create_task(controller.evaluate("await fetch('/mark'); for (;;);", status=502, timeout=60))
    await until(lambda: recorder.seen("/mark"), what="the page to hang")
    loaded = await request(controller, recorder.url + "/put", method="PUT", body="x")
    assert loaded["loaded"] and loaded["navigation"]["httpStatus"] == 200, loaded
    assert await controller.evaluate(TITLE) == "/put"
    assert [r.method for r in recorder.seen("/put")] == ["PUT"]
    assert (await hung)["code"] == "webContentProcessTerminated"


async def test_what_was_replaced_by_a_load_that_waits_for_the_process_is_sent_no_further(controller, recorder):
    go = asyncio.Event()

    async def redirect(writer):
        await go.wait()
        writer.write(response(status="307 Temporary Redirect", headers=["Location: /end"]))

    recorder.answers["/put"] = redirect
    await controller.load(recorder.url + "/first")
    await controller.evaluate("setTimeout(() => { const end = Date.now() + 2500; while (Date.now() < end); })")
    older = asyncio.ensure_future(request(controller, recorder.url + "/put", method="PUT", body="x"))
    await until(lambda: recorder.seen("/put"), what="the request")
    # Nobody knows whether the process hangs.
    await controller.evaluate("return 1", status=504, timeout=0.3)
    newer = asyncio.ensure_future(controller.load(recorder.url + "/second"))
    assert (await older)["navigation"]["outcome"] == "replaced"
    go.set()
    assert (await newer)["loaded"]
    assert not recorder.seen("/end")


async def test_the_password_of_a_url_reaches_the_site_that_asks_and_nobody_else(server, controller, recorder):
    async def guarded(writer):
        known = recorder.requests[-1].header("authorization")
        writer.write(response("in") if known else response(
            "who", status="401 Unauthorized", headers=["WWW-Authenticate: Basic realm=x", "Connection: close"]))
        await writer.drain()

    recorder.answers["/in"] = guarded
    secret = "pass%zz-s3cret"
    site = recorder.url.replace("//", f"//user:{secret}@")
    navigation = (await request(controller, site + "/in", method="PUT", body="x"))["navigation"]
    assert navigation["outcome"] == "finished" and navigation["httpStatus"] == 200, navigation
    assert navigation["url"] == recorder.url + "/in"
    expected = "Basic " + base64.b64encode(f"user:{secret}".encode()).decode()
    assert [r.header("authorization") for r in recorder.seen("/in")] == [[], [expected]]
    recorder.answers["/away"] = response(
        status="307 Temporary Redirect", headers=[f"Location: http://user:{secret}@[x/"])
    error = (await request(controller, recorder.url + "/away", method="PUT"))["navigation"]["error"]
    assert error["code"] == "unsupportedURL" and secret not in error["message"], error
    assert secret not in server.log()


async def test_plain_http_leaves_secure_cookies_alone(controller, recorder):
    given = [{"name": "safe", "value": "kept", "domain": "127.0.0.1", "path": "/", "isSecure": True}]
    assert (await controller.post("/cookies", {"cookies": given}))["results"][0]["accepted"]
    cookies = ["safe=1", "safe=; Max-Age=0", "safe=2; Path=/put", "made=3; Secure", "other=4"]
    recorder.answers["/put"] = response(headers=[f"Set-Cookie: {cookie}" for cookie in cookies])

    async def check():
        jar = (await controller.get("/cookies"))["cookies"]
        assert sorted((c["name"], c["value"]) for c in jar) == [("other", "4"), ("safe", "kept")], jar

    await request(controller, recorder.url + "/put", method="PUT")
    await check()
    await simulate(controller, recorder.url + "/put", {"Set-Cookie": cookies}, html="x")
    await check()
    # Encrypted, or said to be: it is the site's own.
    await simulate(controller, recorder.url.replace("http:", "https:"), {"Set-Cookie": "safe=5; Secure; Path=/"}, html="x")
    assert ("safe", "5") in {(c["name"], c["value"]) for c in (await controller.get("/cookies"))["cookies"]}


XHTML = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>x</title></head><body>{}</body></html>"


@pytest.mark.parametrize("kind, page", [
    ("application/xhtml+xml", XHTML.format("<script>document.documentElement.id = 'ran'</script>")),
    ("text/xml", "<x><script xmlns='http://www.w3.org/1999/xhtml'>document.documentElement.id = 'ran'</script></x>"),
    ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>document.documentElement.id = 'ran'</script></svg>"),
])
async def test_a_policy_of_an_xml_document_is_obeyed(controller, recorder, kind, page):
    policy = {"Content-Security-Policy": "script-src 'none'"}
    identifier = "return document.documentElement.id + document.querySelectorAll('meta').length"
    for headers, expected in (({}, "ran0"), (policy, "0")):
        await simulate(controller, recorder.url + "/csp", {"Content-Type": kind, **headers}, data=page)
        assert await controller.evaluate(identifier) == expected
        recorder.answers["/csp"] = response(page, type=kind, headers=[f"{name}: {value}" for name, value in headers.items()])
        await request(controller, recorder.url + "/csp", method="PUT")
        assert await controller.evaluate(identifier) == expected


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "HEAD"])
@pytest.mark.parametrize("kind", ["Content-Type: text/html", "X-A: b"])
async def test_what_the_caller_has_already_is_no_document(controller, recorder, method, kind):
    recorder.answers["/c"] = f"HTTP/1.1 304 Not Modified\r\nETag: x\r\n{kind}\r\n\r\n".encode()
    await controller.load(recorder.url + "/before")
    navigation = (await request(controller, recorder.url + "/c", method=method, headers={"If-None-Match": "x"}))["navigation"]
    assert (navigation["outcome"], navigation["httpStatus"]) == ("noContent", 304)
    assert [r.header("if-none-match") for r in recorder.seen("/c")] == [["x"]]
    assert await controller.evaluate(TITLE) == "/before"


async def test_a_condition_passes_the_engines_cache_by(controller, recorder):
    recorder.answers["/c"] = response("<title>full</title>", headers=["ETag: x", "Cache-Control: max-age=100"])
    await controller.load(recorder.url + "/c")
    await controller.load(recorder.url + "/other")
    assert (await request(controller, recorder.url + "/c"))["navigation"]["httpStatus"] == 200
    assert len(recorder.seen("/c")) == 1, "the cache has it"
    recorder.answers["/c"] = b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"
    for number in range(3):
        await controller.load(recorder.url + f"/other{number}")
        navigation = (await request(controller, recorder.url + "/c", headers={"If-None-Match": "x"}))["navigation"]
        assert (navigation["outcome"], navigation["httpStatus"]) == ("noContent", 304)
    assert [r.header("if-none-match") for r in recorder.seen("/c")] == [[], ["x"], ["x"], ["x"]]
