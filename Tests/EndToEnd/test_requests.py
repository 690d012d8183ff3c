"""Requests with methods, headers, bodies, times and cache policies; and responses that no server gave."""

import asyncio
import base64
import random

import pytest

from harness.recorder import response
from harness.requests import request, simulate
from harness.waiting import until

TITLE = "return document.title"


def sent(headers):
    return {name.lower(): value for name, value in headers}


async def test_a_post_arrives_once_as_it_was_given_and_the_history_stays(controller, recorder):
    body = random.Random(7).randbytes(1_280_000)
    await controller.load(recorder.url + "/first")
    await controller.load(recorder.url + "/second")
    loaded = await request(
        controller, recorder.url + "/post", method="POST", bodyBase64=base64.b64encode(body).decode(),
        headers={"Content-Type": "application/x-custom", "X-A": "b", "Authorization": "Bearer abc"})
    assert loaded["loaded"], loaded
    posts = recorder.seen("/post")
    assert [post.method for post in posts] == ["POST"] and posts[0].body == body
    assert posts[0].header("content-type") == ["application/x-custom"]
    assert posts[0].header("x-a") == ["b"] and posts[0].header("authorization") == ["Bearer abc"]
    assert await controller.evaluate(TITLE) == "/post"
    state = await controller.state()
    assert state["canNavigateBack"] and not state["canNavigateForward"]
    for title in ("/second", "/first"):
        await controller.post("/history/back")
        assert await controller.evaluate(TITLE) == title
    await controller.post("/history/forward")
    assert await controller.evaluate(TITLE) == "/second"
    # What lay before the current entry stays, what lay after it goes.
    await request(controller, recorder.url + "/other", method="POST", body="a=b")
    assert recorder.seen("/other")[0].header("content-type") == ["application/x-www-form-urlencoded"]
    assert not (await controller.state())["canNavigateForward"]
    await controller.post("/history/back")
    assert await controller.evaluate(TITLE) == "/second"


async def test_the_headers_of_a_post_are_of_this_navigation_only(controller, recorder):
    page = response("<title>p</title><img src=/image><iframe src=/frame></iframe>")
    recorder.answers["/post"] = page
    given = {"X-A": "b", "User-Agent": "Mine/1", "Accept": "text/x-mine", "Authorization": "Bearer abc"}
    for method in ("POST", "GET", "PUT"):
        recorder.requests.clear()
        assert (await request(controller, recorder.url + "/post", method=method, headers=given))["loaded"]
        own = recorder.seen("/post")[0]
        for name, value in given.items():
            assert own.header(name) == [value], (method, name)
        for path in ("/image", "/frame"):
            assert recorder.seen(path), (method, path)
            for other in recorder.seen(path):
                assert other.header("x-a") == [] and other.header("authorization") == [], (method, path)
                assert other.header("user-agent") != ["Mine/1"], (method, path)
        await controller.load(recorder.url + "/plain")
        plain = recorder.seen("/plain")[0]
        assert plain.header("x-a") == [] and plain.header("user-agent") != ["Mine/1"]


async def test_a_document_that_is_returned_to_is_reloaded_without_the_headers_of_its_request(controller, recorder):
    await request(controller, recorder.url + "/a", headers={"Authorization": "Bearer abc"})
    await request(controller, recorder.url + "/b", headers={"X-Other": "1"})
    await controller.post("/history/back")
    await controller.post("/reload")
    assert await controller.evaluate(TITLE) == "/a"
    first, *again = recorder.seen("/a")
    assert first.header("authorization") == ["Bearer abc"]
    assert again and all(r.header("authorization") == [] for r in again), [r.headers for r in again]


async def test_an_empty_post_is_one(controller, recorder):
    assert (await request(controller, recorder.url + "/p", method="post"))["loaded"]
    assert [(r.method, r.body) for r in recorder.seen("/p")] == [("POST", b"")]


@pytest.mark.parametrize("status, method, follows", [
    ("303 See Other", "POST", ("GET", b"")), ("302 Found", "POST", ("GET", b"")),
    ("307 Temporary Redirect", "POST", ("POST", b"x=1")), ("303 See Other", "PUT", ("GET", b"")),
    ("302 Found", "PUT", ("PUT", b"x=1")), ("308 Permanent Redirect", "PATCH", ("PATCH", b"x=1")),
])
async def test_redirects_keep_or_change_the_method_as_fetch_says(controller, recorder, status, method, follows):
    recorder.answers["/from"] = response(status=status, headers=["Location: /to?a#f"])
    loaded = await request(controller, recorder.url + "/from", method=method, body="x=1")
    assert [(r.method, r.body) for r in recorder.seen("/from")] == [(method, b"x=1")]
    assert [(r.method, r.body) for r in recorder.seen("/to?a")] == [follows]
    navigation = loaded["navigation"]
    assert navigation["outcome"] == "finished" and navigation["url"] == recorder.url + "/to?a#f", navigation
    assert navigation["redirects"] == [{"url": recorder.url + "/from", "status": int(status[:3]), "kind": "http"}]
    assert await controller.evaluate("return location.href") == recorder.url + "/to?a#f"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
async def test_what_may_be_secret_does_not_reach_another_origin(controller, recorder, method):
    recorder.answers["/from"] = response(
        status="307 Temporary Redirect", headers=[f"Location: {recorder.other}/to"])
    given = {"Authorization": "Bearer abc", "X-Key": "k", "User-Agent": "Mine/1", "Accept-Language": "tlh"}
    await request(controller, recorder.url + "/from", method=method, headers=given)
    to = recorder.seen("/to")[0]
    assert to.header("authorization") == [] and to.header("x-key") == [], to.headers
    assert to.header("user-agent") == ["Mine/1"] and to.header("accept-language") == ["tlh"], to.headers


async def test_other_methods_are_sent_and_their_documents_are_those_of_their_urls(controller, recorder):
    recorder.answers["/put"] = response(
        b"<title>\xe9</title>", status="404 Not Found", type="text/html; charset=iso-8859-1", headers=["X-R: 1"])
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "PURGE"):
        loaded = await request(controller, recorder.url + "/put", method=method, headers={"X-A": "b"})
        navigation = loaded["navigation"]
        assert loaded["loaded"] and navigation["httpStatus"] == 404 and navigation["mimeType"] == "text/html"
        assert navigation["encoding"] == "iso-8859-1" and navigation["headers"]["x-r"] == "1"
        assert await controller.evaluate("return [location.href, document.title]") == [recorder.url + "/put", "é"]
    assert [r.method for r in recorder.seen("/put")] == ["PUT", "DELETE", "PATCH", "OPTIONS", "PURGE"]
    assert all(r.header("x-a") == ["b"] and "AppleWebKit" in r.header("user-agent")[0] for r in recorder.seen("/put"))
    # A reload shows what came; nothing is sent twice.
    assert (await controller.post("/reload"))["navigation"]["httpStatus"] == 404
    assert await controller.evaluate(TITLE) == "é"
    assert len(recorder.seen("/put")) == 5
    await controller.post("/reload", {"fromOrigin": True})
    assert [r.method for r in recorder.seen("/put")][5:] == ["GET"]


async def test_a_head_shows_an_empty_document(controller, recorder):
    recorder.answers["/file"] = response(b"x" * 10, type="application/octet-stream")
    loaded = await request(controller, recorder.url + "/file", method="HEAD")
    assert loaded["loaded"] and loaded["navigation"]["httpStatus"] == 200, loaded
    assert loaded["navigation"]["mimeType"] == "application/octet-stream"
    assert await controller.evaluate("return document.body.innerHTML") == ""


async def test_what_cannot_be_shown_ends_as_for_any_load(controller, recorder):
    await controller.load(recorder.url + "/before")
    recorder.answers["/none"] = b"HTTP/1.1 204 No Content\r\n\r\n"
    recorder.answers["/bytes"] = response(b"\0\1", type="application/octet-stream")
    recorder.answers["/loop"] = response(status="307 Temporary Redirect", headers=["Location: /loop"])
    recorder.answers["/away"] = response(status="307 Temporary Redirect", headers=["Location: file:///etc/passwd"])

    async def reset(writer):
        writer.transport.abort()

    recorder.answers["/reset"] = reset
    for path, outcome, code in [
            ("/none", "noContent", "other"), ("/bytes", "failed", "cannotShowMIMEType"),
            ("/loop", "failed", "tooManyRedirects"), ("/away", "failed", "blockedByPolicy"),
            ("/reset", "failed", "connectionLost")]:
        navigation = (await request(controller, recorder.url + path, method="PUT", body=""))["navigation"]
        assert (navigation["outcome"], navigation["error"]["code"]) == (outcome, code), navigation
        assert await controller.evaluate(TITLE) == "/before"
    for url, code in [("http://127.0.0.1:1/", "blockedByPolicy"), ("http://127.0.0.1:2/", "cannotConnect"),
                      ("http://nonexist.invalid/", "cannotFindHost")]:
        navigation = (await request(controller, url, method="PUT"))["navigation"]
        assert (navigation["outcome"], navigation["error"]["code"]) == ("failed", code), navigation
    assert len(recorder.seen("/reset")) == 1 and len(recorder.seen("/loop")) <= 22
    # A POST that fails is not sent again, nor later.
    for path, code in [("/reset", "connectionLost"), ("/loop", "tooManyRedirects"), ("/bytes", "cannotShowMIMEType")]:
        recorder.requests.clear()
        navigation = (await request(controller, recorder.url + path, method="POST", body="x"))["navigation"]
        assert navigation["outcome"] == "failed" and navigation["error"]["code"] == code, navigation
        assert await controller.evaluate(TITLE) == "/before"
        assert (await controller.load(recorder.url + "/before"))["loaded"]
        assert path == "/loop" or len(recorder.seen(path)) == 1
    for url, code in [("http://127.0.0.1:2/", "cannotConnect"), ("http://nonexist.invalid/", "cannotFindHost")]:
        navigation = (await request(controller, url, method="POST"))["navigation"]
        assert (navigation["outcome"], navigation["error"]["code"]) == ("failed", code), navigation
    assert (await controller.load(recorder.url + "/after"))["loaded"]


async def test_cookies_go_both_ways(controller, recorder):
    hidden = ["Set-Cookie: hidden=1; HttpOnly", "Set-Cookie: shown=2", "Set-Cookie: foreign=3; Domain=example.com"]
    recorder.answers["/set"] = response(status="307 Temporary Redirect", headers=["Location: /show", *hidden])
    await request(controller, recorder.url + "/set", method="PUT")
    assert sorted(recorder.seen("/show")[0].header("cookie")[0].split("; ")) == ["hidden=1", "shown=2"]
    assert await controller.evaluate("return document.cookie") == "shown=2"
    await controller.load(recorder.url + "/by-engine")
    assert sorted(recorder.seen("/by-engine")[0].header("cookie")[0].split("; ")) == ["hidden=1", "shown=2"]
    recorder.answers["/end"] = response(headers=["Set-Cookie: shown=; Max-Age=0"])
    await request(controller, recorder.url + "/end", method="DELETE")
    assert {cookie["name"] for cookie in (await controller.get("/cookies"))["cookies"]} == {"hidden"}


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
async def test_a_cookie_header_goes_into_the_jar(controller, recorder, method):
    await request(controller, recorder.url + "/a", method=method, headers={"Cookie": "a=1; b=2=3"})
    assert sorted(recorder.seen("/a")[0].header("cookie")[0].split("; ")) == ["a=1", "b=2=3"]
    cookies = (await controller.get("/cookies"))["cookies"]
    assert {c["name"]: (c["value"], c["domain"], c["path"], c["isSessionOnly"]) for c in cookies} == {
        "a": ("1", "127.0.0.1", "/", True), "b": ("2=3", "127.0.0.1", "/", True)}


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
async def test_a_load_has_the_time_of_its_request(controller, recorder, method):
    written = []

    async def slow(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 30\r\n\r\n")
        for number in range(30):
            writer.write(b"x")
            await writer.drain()
            written.append(number)
            await asyncio.sleep(1)

    recorder.answers["/slow"] = slow
    await controller.load(recorder.url + "/first")
    loaded = await request(controller, recorder.url + "/slow", method=method, timeoutInterval=2)
    # One byte a second: the third one came at the end of that time.
    assert len(written) <= 3, written
    navigation = loaded["navigation"]
    assert not loaded["loaded"] and navigation["outcome"] == "failed" and navigation["error"]["code"] == "timedOut"
    assert not (await controller.state())["isLoading"]
    assert (await controller.load(recorder.url + "/next"))["loaded"]
    assert await controller.evaluate(TITLE) == "/next"
    assert [seen.method for seen in recorder.seen("/slow")] == [method]


async def test_stop_replacement_and_disposal_end_a_fetch(server, recorder):
    held = asyncio.Event()

    async def hold(writer):
        held.set()
        await asyncio.wait_for(recorder.ended(writer), 20)
        gone.append(1)

    gone = []
    recorder.answers["/held"] = hold
    for end in ("stop", "replace", "dispose"):
        controller = await server.controller(ephemeral=True)
        held.clear()
        load = asyncio.create_task(request(controller, recorder.url + "/held", method="PUT"))
        await asyncio.wait_for(held.wait(), 20)
        assert (await controller.state())["isLoading"] and (await controller.state())["url"] == recorder.url + "/held"
        if end == "stop":
            await controller.request("POST", "/stop", status=204)
        elif end == "replace":
            assert (await controller.load(recorder.url + "/newer"))["loaded"]
        else:
            await controller.dispose()
        outcome = (await load)["navigation"]["outcome"]
        assert outcome == {"stop": "stopped", "replace": "replaced", "dispose": "disposed"}[end]
        # The site hears of it.
        await until(lambda: gone, what="the end of the connection")
        gone.clear()
        if end != "dispose":
            await controller.dispose()


async def cached(controller, recorder, path="/cached", **headers):
    recorder.answers[path] = response(
        "<title>c</title>", headers=["Cache-Control: max-age=3600", 'ETag: "e"', *(f"{k}: {v}" for k, v in headers.items())])
    await controller.load(recorder.url + path)
    await controller.load(recorder.url + "/between")
    return len(recorder.seen(path))


async def test_cache_policies_do_what_their_names_say(controller, recorder):
    url = recorder.url + "/cached"
    count = await cached(controller, recorder)

    async def load(policy):
        before = len(recorder.seen("/cached"))
        assert (await request(controller, url, cachePolicy=policy))["loaded"]
        await controller.load(recorder.url + "/between")
        return recorder.seen("/cached")[before:]

    assert count == 1
    assert await load("useProtocolCachePolicy") == []
    for policy in ("reloadIgnoringLocalCacheData", "reloadIgnoringLocalAndRemoteCacheData"):
        again = await load(policy)
        assert len(again) == 1 and again[0].header("if-none-match") == [], policy
        remote = policy == "reloadIgnoringLocalAndRemoteCacheData"
        assert again[0].header("cache-control") == (["no-cache"] if remote else []), again[0].headers
        assert again[0].header("pragma") == (["no-cache"] if remote else [])
    # What came is kept: the protocol's policy shows it.
    assert await load("useProtocolCachePolicy") == []


async def test_stale_data_is_shown_where_the_policy_says_so(controller, recorder):
    recorder.answers["/stale"] = response(
        "<title>s</title>", headers=["Cache-Control: max-age=0", 'ETag: "e"', "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"])
    url = recorder.url + "/stale"
    await controller.load(url)
    await controller.load(recorder.url + "/between")
    before = len(recorder.seen("/stale"))
    assert (await request(controller, url, cachePolicy="returnCacheDataElseLoad"))["loaded"]
    assert len(recorder.seen("/stale")) == before
    assert await controller.evaluate(TITLE) == "s"
    await controller.load(recorder.url + "/between")
    await controller.load(url)
    assert len(recorder.seen("/stale")) == before + 1
    # Else it is loaded.
    assert (await request(controller, recorder.url + "/new", cachePolicy="returnCacheDataElseLoad"))["loaded"]
    assert len(recorder.seen("/new")) == 1
    await controller.post("/history/back")
    assert await controller.evaluate(TITLE) == "s"


async def test_policies_beyond_the_engine_are_refused_and_not_listed(server, controller, recorder):
    listed = (await server.get("/v1/capabilities"))["cachePolicies"]
    for policy in ("returnCacheDataDontLoad", "reloadRevalidatingCacheData"):
        assert policy not in listed
        error = await controller.post(
            "/load/request", {"url": recorder.url, "cachePolicy": policy}, status=400)
        assert error["error"]["details"]["pointer"] == "/cachePolicy"


async def test_a_simulated_response_is_the_document_of_its_url_without_network(controller, recorder):
    url = recorder.url + "/never?a=b"
    headers = {"Content-Type": "text/html; charset=windows-1251", "Set-Cookie": ["a=1; HttpOnly", "b=2"]}
    loaded = await simulate(
        controller, url, headers, 201, dataBase64=base64.b64encode("<title>Мир</title>".encode("cp1251")).decode())
    navigation = loaded["navigation"]
    assert loaded["loaded"] and navigation["httpStatus"] == 201 and navigation["url"] == url, loaded
    assert navigation["mimeType"] == "text/html" and navigation["encoding"] == "windows-1251"
    assert navigation["headers"] == {"content-type": "text/html; charset=windows-1251"}
    assert await controller.evaluate("return [location.href, document.title, document.cookie]") == [url, "Мир", "b=2"]
    names = {cookie["name"] for cookie in (await controller.get("/cookies"))["cookies"]}
    assert names == {"a", "b"}
    await controller.request("DELETE", "/cookies")
    again = await controller.post("/reload")
    assert again["loaded"] and again["navigation"]["httpStatus"] == 201
    assert await controller.evaluate(TITLE) == "Мир"
    assert (await controller.get("/cookies"))["cookies"] == []
    assert recorder.requests == []
    await controller.post("/reload", {"fromOrigin": True})
    assert [repr(r) for r in recorder.requests] == ["GET /never?a=b"]


async def test_simulated_html_status_and_types(controller, recorder):
    await controller.load(recorder.url + "/before")
    url = recorder.url + "/s"
    for status, outcome in ((204, "noContent"), (205, "noContent"), (404, "finished"), (301, "finished")):
        loaded = await simulate(controller, url, status=status, html=f"<title>{status}</title>é")
        assert loaded["navigation"]["outcome"] == outcome and loaded["navigation"]["httpStatus"] == status
        assert await controller.evaluate(TITLE) == ("/before" if outcome == "noContent" else str(status))
        await controller.load(recorder.url + "/before")
    loaded = await simulate(controller, url, {"Content-Type": "application/octet-stream"}, data="x")
    assert loaded["navigation"]["error"]["code"] == "cannotShowMIMEType"
    assert await controller.evaluate(TITLE) == "/before"
    loaded = await simulate(controller, url, {"content-type": "text/plain"}, data="<title>no</title>é")
    assert loaded["navigation"]["mimeType"] == "text/plain"
    assert await controller.evaluate("return document.body.innerText") == "<title>no</title>é"


PROBE = "<title>start</title><script>document.title = 'ran'</script><script nonce=n>document.body.dataset.n = 1</script><p>x"


@pytest.mark.parametrize("by", ["simulated", "fetched"])
async def test_a_content_security_policy_is_obeyed_by_its_document_alone(controller, recorder, by):
    policy = "Content-Security-Policy"
    value = "script-src 'nonce-n', object-src 'none'"
    page = "<head></head><body>" + PROBE
    recorder.answers["/csp"] = response(page, headers=[f"{policy}: {value}"])

    async def check():
        assert await controller.evaluate(TITLE) == "start"
        assert await controller.evaluate("return document.body.dataset.n") == "1"
        # The document shows nothing of how it came by it.
        assert await controller.evaluate("return document.querySelectorAll('meta').length + ',' + document.querySelectorAll('head').length") == "0,1"
        assert await controller.evaluate("return document.documentElement.outerHTML.slice(0, 24)") == "<html><head></head><body"

    if by == "simulated":
        loaded = await simulate(controller, recorder.url + "/csp", {policy: value}, html=page)
    else:
        loaded = await request(controller, recorder.url + "/csp", method="PUT")
    assert loaded["loaded"] and loaded["navigation"]["headers"][policy.lower()] == value
    await check()
    assert (await controller.post("/reload"))["loaded"]
    await check()
    await controller.html(page)
    assert await controller.evaluate(TITLE) == "ran"


async def test_a_data_url_and_a_file_are_requests_too(server, controller):
    assert (await request(controller, "data:text/html,<title>d</title>"))["loaded"]
    assert await controller.evaluate(TITLE) == "d"
    (server.files / "r.html").write_text("<title>file</title>")
    assert (await request(controller, f"file://{server.files}/r.html"))["loaded"]
    assert await controller.evaluate(TITLE) == "file"
    await controller.post("/load/request", {"url": "file:///etc/passwd"}, status=403)
