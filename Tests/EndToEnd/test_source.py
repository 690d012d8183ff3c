"""The bytes that documents were made of."""

import base64

import pytest


async def source(controller, status=200):
    """The answer's body, type and headers."""
    async with controller.server.http.get(controller.server.url + controller.path + "/source") as answer:
        body = await answer.read()
        assert answer.status == status, body
        return body, answer.headers.get("Content-Type"), answer.headers


async def test_it_is_what_the_site_sent_whatever_became_of_it(controller, raw_site):
    data = b"<!DOCTYPE html><title>x</title>\r\n<p  id = p>\xff\x00 text"
    await controller.load(raw_site.offer("/page", data, "Content-Type: Text/HTML;  charset=\"utf-8\"; x=1"))
    await controller.evaluate("document.body.innerHTML = 'changed'; history.pushState(1, '', '/elsewhere')")
    body, kind, headers = await source(controller)
    assert (body, kind) == (data, "Text/HTML;  charset=\"utf-8\"; x=1")
    assert headers["Content-Security-Policy"] == "sandbox" and headers["Content-Disposition"] == "attachment"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin" and headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("kind, data", [
    ("application/json", b"{\"a\": [1, 2]}"), ("text/plain", b"a\r\nb\xe9"), ("text/css", b"p{}"), ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ("image/png", base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")),
    ("text/html", b""),
])
async def test_documents_of_other_types(controller, raw_site, kind, data):
    assert (await controller.load(raw_site.offer("/typed", data, f"Content-Type: {kind}")))["loaded"] is True
    assert (await source(controller))[:2] == (data, kind)


async def test_a_site_that_names_no_type(controller, raw_site):
    await controller.load(raw_site.offer("/untyped", b"<!doctype html><title>x</title>"))
    assert (await source(controller))[:2] == (b"<!doctype html><title>x</title>", "text/html")


async def test_a_load_that_came_to_nothing_leaves_the_document_before(controller, raw_site, unused_tcp_port_factory):
    await controller.load(raw_site.offer("/there", b"<p>there", "Content-Type: text/html; charset=utf-8"))
    raw_site.offer("/no-content", b"", status="204 No Content")
    raw_site.offer("/binary", b"\x00\x01", "Content-Type: application/octet-stream")
    for url in [raw_site.url + "/no-content", raw_site.url + "/binary", f"http://127.0.0.1:{unused_tcp_port_factory()}/"]:
        assert (await controller.load(url))["loaded"] is False
        assert (await source(controller))[:2] == (b"<p>there", "text/html; charset=utf-8"), url


async def test_going_back_brings_the_older_document_s(controller, raw_site):
    for name in ("one", "two"):
        await controller.load(raw_site.offer("/" + name, name.encode(), f"Content-Type: text/plain; charset=utf-8; n={name}"))
    await controller.post("/history/back", {})
    assert (await source(controller))[:2] == (b"one", "text/plain; charset=utf-8; n=one")


async def test_given_content_is_what_was_given(controller):
    await controller.html("<p>é", baseURL="http://site.test/")
    assert (await source(controller))[:2] == ("<p>é".encode(), "text/html; charset=utf-8")
    await controller.html("")
    assert (await source(controller))[0] == b""
    await controller.post("/load/data", {"dataBase64": "//4A", "mimeType": "text/plain", "encoding": "windows-1251"})
    assert (await source(controller))[:2] == (b"\xff\xfe\x00", "text/plain; charset=windows-1251")
    await controller.post("/reload", {})
    assert (await source(controller))[0] == b"\xff\xfe\x00"
    await controller.load("data:text/html,<p>%C3%A9")
    assert (await source(controller))[0] == "<p>é".encode()
    await controller.load("about:blank")
    assert (await source(controller))[0] == b""


async def test_files(server, controller):
    (server.files / "source.html").write_bytes(b"<p>\xe9")
    await controller.post("/load/file", {"path": "source.html"})
    assert (await source(controller))[:2] == (b"<p>\xe9", "text/html")


async def test_without_a_document_there_is_none(controller, raw_site):
    error = (await controller.get("/source", status=404))["error"]
    assert error["code"] == "notFound" and error["details"]["kind"] == "document"
    await controller.load(raw_site.url + "/")
    await controller.evaluate("while (true) {}", status=504, timeout=0.3)
    error = (await controller.get("/source", status=504, params={"timeout": "1"}))["error"]
    assert error["code"] == "timeout"
    await controller.evaluate("return 1", status=502)
    error = (await controller.get("/source", status=502))["error"]
    assert error["code"] == "webContentProcessTerminated" and error["details"]["reason"] == "deadline"
    assert (await controller.load(raw_site.url + "/"))["loaded"] is True
    assert (await source(controller))[0].startswith(b"<!doctype")


async def test_on_the_channel_it_is_base64(controller, raw_site):
    await controller.load(raw_site.offer("/channel", b"\xff\x00<p>", "Content-Type: text/html"))
    async with controller.channel() as channel:
        answer = await channel.call("getSource")
    assert answer == {"contentType": "text/html", "dataBase64": base64.b64encode(b"\xff\x00<p>").decode()}


async def test_what_is_too_large_is_refused_with_its_size(controller, raw_site):
    size = (64 << 20) + 1
    await controller.load(raw_site.offer("/large", b"<!--" + b"x" * (size - 7) + b"-->", "Content-Type: text/html"))
    error = (await controller.get("/source", status=413))["error"]
    assert error["code"] == "payloadTooLarge" and error["details"] == {"limit": 64 << 20, "size": size}
    raw_site.answers.clear()
