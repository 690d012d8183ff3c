"""Each way in which a load can end: its outcome, what is told of it, and that the next load works."""

import asyncio
import itertools
import ssl

import pytest

from harness.certificates import Certificate
from harness.rude import HTML, RudeSite, answer
from harness.waiting import until


@pytest.fixture
async def rude():
    made = await RudeSite().start()
    yield made
    await made.stop()


async def ends(controller, site, url, outcome, code=None, status=None, loaded=False, document=None):
    """Loads a page, then `url`, and checks the result, the events and what is there, and that a load works then.

    `document`: the address of what is there afterwards; None: the page from before."""
    before = site.url + "/page/before"
    await controller.load(before)
    navigation = (await controller.load(url))["navigation"]
    await is_ended(controller, navigation, outcome, code, status, loaded)
    shown = document or before
    assert (await controller.state())["url"] == shown
    assert await controller.evaluate("return location.href") == shown
    assert (await controller.load(site.url + "/page/after"))["loaded"] is True
    return navigation


async def is_ended(controller, navigation, outcome, code=None, status=None, loaded=False):
    assert navigation["outcome"] == outcome, navigation
    assert (navigation["error"] or {}).get("code") == code, navigation
    assert navigation["httpStatus"] == status, navigation
    told = [e["event"]["type"] for e in (await controller.get("/events?types=loadStart,loadFinish,loadError"))["events"]
            if e["event"]["navigationId"] == navigation["id"]]
    assert told == ["loadStart", "loadFinish" if loaded else "loadError"]
    assert (await controller.post("/wait", {"navigationId": navigation["id"]}))["loaded"] is loaded


# A document is there.

@pytest.mark.parametrize("status", ["200 OK", "404 Not Found", "410 Gone", "500 Internal Server Error", "503 Service Unavailable"])
@pytest.mark.parametrize("body", [HTML, b""], ids=["body", "empty"])
async def test_whatever_a_server_answers_is_a_document(controller, site, rude, status, body):
    url = rude.put("/x", answer(status, body))
    await ends(controller, site, url, "finished", status=int(status[:3]), loaded=True, document=url)


async def test_an_empty_answer_without_a_type_is_a_document(controller, site, rude):
    url = rude.put("/x", answer(body=b"", content_type=None))
    await ends(controller, site, url, "finished", status=200, loaded=True, document=url)


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,<title>d</title>"])
async def test_addresses_without_a_server(controller, site, url):
    await ends(controller, site, url, "finished", loaded=True, document=url)


async def test_a_fragment_is_within_the_document(controller, site):
    await controller.load(site.url + "/page/x")
    navigation = (await controller.load(site.url + "/page/x#part"))["navigation"]
    assert (navigation["outcome"], navigation["error"], navigation["timings"]["commit"]) == ("sameDocument", None, None)
    events = (await controller.get("/events"))["events"]
    assert {e["event"]["type"] for e in events if e["event"]["navigationId"] == navigation["id"]} <= {"stateChange"}


# None is there, and the page from before stays.

@pytest.mark.parametrize("status", [204, 205])
async def test_no_content(controller, site, rude, status):
    url = rude.put("/x", f"HTTP/1.1 {status} None\r\nContent-Length: 0\r\n\r\n".encode())
    await ends(controller, site, url, "noContent", "other", status)


async def test_a_refused_connection(controller, site, unused_tcp_port_factory):
    await ends(controller, site, f"http://127.0.0.1:{unused_tcp_port_factory()}/", "failed", "cannotConnect")


@pytest.mark.parametrize("then", ["close", "reset"])
async def test_a_connection_that_ends_before_the_head(controller, site, rude, then):
    await ends(controller, site, rude.put("/x", then=then), "failed", "connectionLost")


@pytest.mark.parametrize("part", [b"HTTP/1.1 200", b"SSH-2.0-OpenSSH_9.2\r\n\r\n"])
async def test_what_is_not_http(controller, site, rude, part):
    await ends(controller, site, rude.put("/x", part), "failed", "other")


async def test_a_head_that_breaks_off_is_one(controller, site, rude):
    """As in other browsers."""
    url = rude.put("/x", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    await ends(controller, site, url, "finished", status=200, loaded=True, document=url)


async def test_a_name_without_a_host(controller, site):
    await ends(controller, site, "http://no-such-host.invalid/", "failed", "cannotFindHost")


async def test_a_certificate_that_is_not_trusted(controller, site, tmp_path):
    certificate, context = Certificate(tmp_path), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.file, certificate.key)
    rude = await RudeSite().start(tls=context)
    await ends(controller, site, rude.put("/x", answer()), "failed", "tlsError")
    await rude.stop()


async def test_plain_text_where_tls_is_expected(controller, site):
    rude = await RudeSite(greeting=b"220 mail.example ESMTP\r\n").start()
    await ends(controller, site, f"https://127.0.0.1:{rude.port}/", "failed", "tlsError")
    await rude.stop()


async def test_a_loop_of_redirects(controller, site, rude):
    url = rude.put("/x", answer("302 Found", b"", Location="/x"))
    navigation = await ends(controller, site, url, "failed", "tooManyRedirects")
    assert len(navigation["redirects"]) >= 10


@pytest.mark.parametrize("port", [1, 22, 25, 6667])
async def test_a_port_that_no_page_may_reach(controller, site, port):
    await ends(controller, site, f"http://127.0.0.1:{port}/", "failed", "blockedByPolicy", document="about:blank")


@pytest.mark.parametrize("location, is_kept", [
    ("javascript:alert(1)", True), ("data:text/html,<title>d</title>", False), ("about:blank", False)])
async def test_a_redirect_to_where_no_server_may_lead(controller, site, rude, location, is_kept):
    """For some the engine leaves an empty document behind."""
    url = rude.put("/x", answer("302 Found", Location=location))
    navigation = await ends(controller, site, url, "failed", "blockedByPolicy", document=None if is_kept else url)
    assert navigation["error"]["message"] == "The engine refuses to load this address."
    assert "d" != await controller.evaluate("return document.title")


async def test_a_redirect_to_a_file(controller, site, rude):
    """The engine ends the process of a page that is led there, and does not tell why.

    It does so as that process asks the policy for the redirect, which is before anybody can see the request: the
    program is not asked, and the library in the process sees a redirect only when the policy let it go on."""
    url = rude.put("/x", answer("302 Found", b"", Location="file:///etc/passwd"))
    await controller.load(site.url + "/page/before")
    await is_ended(controller, (await controller.load(url))["navigation"], "processTerminated", "webContentProcessTerminated")
    assert (await controller.load(site.url + "/page/after"))["loaded"] is True


@pytest.mark.parametrize("content_type", ["application/octet-stream", "application/zip"])
async def test_what_cannot_be_shown(controller, site, rude, content_type):
    url = rude.put("/x", answer(content_type=content_type))
    await ends(controller, site, url, "failed", "cannotShowMIMEType", status=200)


ATTACHMENT = answer(Content_Disposition="Attachment ; filename=x.html")


@pytest.mark.parametrize("content_type", ["text/html", "application/zip"])
async def test_an_attachment_is_a_download(controller, site, rude, content_type):
    url = rude.put("/x", answer(content_type=content_type, Content_Disposition="attachment; filename=x"))
    await ends(controller, site, url, "download", "unsupported", status=200)


async def test_a_redirect_to_an_attachment_is_a_download(controller, site, rude):
    to = rude.put("/x", ATTACHMENT)
    navigation = await ends(controller, site, rude.put("/from", answer("302 Found", b"", Location="/x")), "download", "unsupported", 200)
    assert navigation["url"] == to and len(navigation["redirects"]) == 1


@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_an_attachment_that_answers_another_method_is_a_download(controller, site, rude, method):
    before = site.url + "/page/before"
    await controller.load(before)
    body = {"url": rude.put("/x", ATTACHMENT), "method": method, "body": "x"}
    history = await controller.get("/history")
    await is_ended(controller, (await controller.post("/load/request", body))["navigation"], "download", "unsupported", 200)
    assert len([head for head in rude.heads if head.startswith(method)]) == 1
    assert (await controller.state())["url"] == before == await controller.evaluate("return location.href")
    assert await controller.get("/history") == history
    assert (await controller.load(site.url + "/page/after"))["loaded"] is True


@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_of_two_dispositions_the_first_one_counts(controller, rude, method):
    for first, outcome in (("attachment", "download"), ("inline", "finished")):
        lines = f"{first}\r\nContent-Disposition: attachment"
        url = rude.put("/" + first, answer(Content_Disposition=lines))
        body = {"url": url, "method": method}
        assert (await controller.post("/load/request", body))["navigation"]["outcome"] == outcome, first


@pytest.mark.parametrize("end", ["window.stop()", "location.hash = 'x'"])
async def test_where_the_page_went_while_a_load_came_to_nothing_is_told(controller, site, end):
    await controller.load(site.url + "/page/before")
    await controller.post("/load/url", {"url": site.url + "/hang", "wait": {"event": "none"}}, status=202)
    await until(lambda: any(r.path == "/hang" for r in site.requests), what="the request")
    await controller.evaluate("history.replaceState(1, '', '/page/moved')")
    await controller.evaluate(end)
    moved = site.url + "/page/moved" + ("#x" if "hash" in end else "")

    async def is_told():
        return (await controller.state())["url"] == moved
    await until(is_told, what="the page's address")
    assert await controller.evaluate("return location.href") == moved


@pytest.mark.parametrize("disposition", ["inline; filename=attachment", "attachments", ""])
async def test_another_disposition_is_shown(controller, site, rude, disposition):
    url = rude.put("/x", answer(Content_Disposition=disposition))
    await ends(controller, site, url, "finished", status=200, loaded=True, document=url)


async def test_an_answer_without_content_is_no_attachment(controller, site, rude):
    url = rude.put("/x", answer("204 No Content", b"", Content_Disposition="attachment"))
    await ends(controller, site, url, "noContent", "other", 204)


async def test_a_frame_shows_no_attachment(controller, site, rude):
    rude.put("/x", answer(body=b"<script>parent.shown = true</script>", Content_Disposition="attachment"))
    page = rude.put("/page", answer(body=b"<title>page</title><iframe src=/x></iframe>"))
    navigation = (await controller.load(page))["navigation"]
    await is_ended(controller, navigation, "finished", status=200, loaded=True)
    assert await controller.evaluate("return [window.shown ?? null, document.title]") == [None, "page"]


# It was there in part.

@pytest.mark.parametrize("then", ["close", "reset"])
async def test_a_body_that_breaks_off(controller, site, rude, then):
    url = rude.put("/x", answer(body=HTML + b" " * 3000, length=10_000), then=then)
    await ends(controller, site, url, "failed", "connectionLost", status=200, document=url)


# It was ended.

@pytest.mark.parametrize("parts", [(), (answer(body=HTML + b" " * 3000, length=10_000),)], ids=["before the head", "in the body"])
async def test_a_load_that_is_stopped(controller, site, rude, parts):
    url = rude.put("/x", *parts, then="hang")
    load = asyncio.create_task(controller.load(url))
    await until(lambda: rude.heads, what="the request")
    if parts:
        await controller.post("/wait", {"wait": {"event": "commit"}})
    await controller.post("/stop", status=204)
    await is_ended(controller, (await load)["navigation"], "stopped", "cancelled", 200 if parts else None)
    assert (await controller.load(site.url + "/page/after"))["loaded"] is True


@pytest.mark.parametrize("parts", [(), (answer(body=HTML + b" " * 3000, length=10_000),)], ids=["before the head", "in the body"])
async def test_a_load_whose_place_a_newer_one_takes(controller, site, rude, parts):
    url = rude.put("/x", *parts, then="hang")
    load = asyncio.create_task(controller.load(url))
    await until(lambda: rude.heads, what="the request")
    if parts:
        await controller.post("/wait", {"wait": {"event": "commit"}})
    assert (await controller.load(site.url + "/page/newer"))["loaded"] is True
    await is_ended(controller, (await load)["navigation"], "replaced", "cancelled", 200 if parts else None)


async def test_a_load_whose_place_the_page_takes(controller, site, rude):
    await controller.load(site.url + "/page/before")
    load = asyncio.create_task(controller.load(rude.put("/x", then="hang")))
    await until(lambda: rude.heads, what="the request")
    await controller.evaluate(f"location.href = '{site.url}/page/own'")
    await is_ended(controller, (await load)["navigation"], "replaced", "cancelled")
    assert (await controller.post("/wait", {}))["navigation"]["url"] == site.url + "/page/own"


async def test_a_load_whose_place_a_fragment_takes(controller, site, rude):
    before = site.url + "/page/before"
    await controller.load(before)
    load = asyncio.create_task(controller.load(rude.put("/x", then="hang")))
    await until(lambda: rude.heads, what="the request")
    await controller.evaluate("location.hash = 'part'")
    await is_ended(controller, (await load)["navigation"], "replaced", "cancelled")
    assert (await controller.post("/wait", {"after": "n2"}))["navigation"]["outcome"] == "sameDocument"
    assert (await controller.state())["url"] == before + "#part"


async def test_a_load_that_the_page_gives_up(controller, site, rude):
    before = site.url + "/page/before"
    await controller.load(before)
    load = asyncio.create_task(controller.load(rude.put("/x", then="hang")))
    await until(lambda: rude.heads, what="the request")
    await controller.evaluate("window.stop()")
    await is_ended(controller, (await load)["navigation"], "cancelled", "cancelled")
    assert (await controller.state())["url"] == before


async def test_a_document_that_gives_its_own_load_up(controller, site):
    url = site.given("<p><img src=/hang><script>setTimeout(() => window.stop(), 50)</script>")
    await is_ended(controller, (await controller.load(url))["navigation"], "cancelled", "cancelled", 200)


@pytest.mark.parametrize("script", ["location = '/page/own'", "location.reload()"])
async def test_a_document_that_goes_elsewhere_before_its_load_ends(controller, site, script):
    go = "sessionStorage.been || setTimeout(() => { sessionStorage.been = 1; " + script + " }, 50)"
    url = site.given(f"<p><script>{go};if (!sessionStorage.been) document.write('<img src=/hang>')</script>")
    navigation = (await controller.load(url))["navigation"]
    await is_ended(controller, navigation, "replaced", "cancelled", 200)
    own = (await controller.post("/wait", {"after": navigation["id"]}))["navigation"]
    assert own["outcome"] == "finished" and own["clientRedirectOf"] == navigation["id"]


@pytest.mark.parametrize("parts", [(), (answer(body=HTML + b" " * 3000, length=10_000),)], ids=["before the head", "in the body"])
async def test_a_load_whose_process_ends(server, controller, site, rude, parts):
    await controller.load(site.url + "/page/before")
    url = rude.put("/x", *parts, then="hang")
    load = asyncio.create_task(controller.load(url))
    await until(lambda: rude.heads, what="the request")
    if parts:
        await controller.post("/wait", {"wait": {"event": "commit"}})
    server.kill_pages()
    await is_ended(
        controller, (await load)["navigation"], "processTerminated", "webContentProcessTerminated", 200 if parts else None)
    assert (await controller.load(site.url + "/page/after"))["loaded"] is True


async def test_a_load_whose_controller_is_disposed(server, rude):
    controller = await server.controller(ephemeral=True)
    load = asyncio.create_task(controller.load(rude.put("/x", then="hang")))
    await until(lambda: rude.heads, what="the request")
    await controller.dispose()
    navigation = (await load)["navigation"]
    assert (navigation["outcome"], navigation["error"]["code"]) == ("disposed", "disposed")


async def test_a_load_that_comes_as_the_page_changes_processes_is_not_lost(controller, rude):
    """A page that asks for a browsing context group of its own gets another process."""
    own = {"Cross_Origin_Opener_Policy": "same-origin"}
    base = rude.url.replace("127.0.0.1", "localhost")
    rude.put("/own", answer(**own))
    rude.put("/plain", answer())
    for (event, status), questions in itertools.product((("none", 202), ("commit", 200)), (0, 3, 9)):
        await controller.post("/load/url", {"url": base + "/own", "wait": {"event": event}}, status=status)
        await controller.post("/evaluate", {"javaScript": f"location.href = '{base}/plain'"}, status=None)
        # The exchange of processes is as far on as so many questions take.
        for _ in range(questions):
            await controller.post("/evaluate", {"javaScript": "return 1"}, status=None)
        last = await controller.load(base + "/own", timeout=30)
        assert last["navigation"]["outcome"] == "finished", last
