"""What a POST leaves in the history, and what a request may carry."""

import asyncio
import socket

import pytest

from harness.recorder import response


async def post(controller, url, **members):
    return await controller.post("/load/request", {"url": url, "method": "POST", "body": "a=1", **members})


async def history(controller):
    found = await controller.get("/history")

    def path(item):
        return "/" + item["url"].split("/", 3)[3]

    return [path(item) for item in found["backList"]], path(found["currentItem"]), [
        path(item) for item in found["forwardList"]]


async def no_answer(writer):
    writer.close()


async def one_byte(writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx")
    await writer.drain()


@pytest.mark.parametrize("answer", ["nothing", "no content", "a type that is not shown", "a stop"])
async def test_a_post_without_a_document_leaves_the_history_as_it_was(controller, recorder, answer):
    held = asyncio.Event()

    async def hold(writer):
        held.set()
        await recorder.ended(writer)

    recorder.answers["/post"] = {
        "nothing": no_answer, "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
        "a type that is not shown": one_byte, "a stop": hold}[answer]
    for path in ("/1", "/2", "/3"):
        await controller.load(recorder.url + path)
    await controller.post("/history/back")
    before = await controller.get("/history")
    load = asyncio.ensure_future(post(controller, recorder.url + "/post"))
    if answer == "a stop":
        await asyncio.wait_for(held.wait(), 30)
        await controller.post("/stop", status=204)
    assert not (await load)["loaded"]
    assert await controller.get("/history") == before
    # Neither here nor from where the page goes next does going back post again.
    assert (await controller.post("/history/forward"))["loaded"]
    await controller.load(recorder.url + "/4")
    assert (await controller.post("/history/back"))["loaded"]
    assert await history(controller) == (["/1", "/2"], "/3", ["/4"])
    assert [r.method for r in recorder.seen("/post")] == ["POST"]


@pytest.mark.parametrize("answer", ["no content", "no server", "a time limit"])
@pytest.mark.parametrize("step", ["item", "page"])
async def test_a_step_after_a_post_without_a_document_leads_where_it_led(controller, recorder, answer, step):
    async def hold(writer):
        await recorder.ended(writer)

    recorder.answers["/post"] = hold if answer == "a time limit" else b"HTTP/1.1 204 No Content\r\n\r\n"
    # Bound, and nobody listens.
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{closed.getsockname()[1]}/post" if answer == "no server" else recorder.url + "/post"
    # The page cache keeps fewer.
    for number in range(1, 8):
        await controller.load(f"{recorder.url}/{number}")
    first = (await controller.get("/history"))["backList"][0]["id"]
    limit = {"timeoutInterval": 1} if answer == "a time limit" else {}
    assert not (await post(controller, url, **limit))["loaded"]
    if step == "item":
        assert (await controller.post(f"/history/{first}/load", {}))["loaded"]
    else:
        await controller.evaluate("history.go(-6)")
        await controller.post("/wait", {"wait": {"event": "none", "function": "return location.pathname === '/1'"}})
    closed.close()
    assert await history(controller) == ([], "/1", ["/2", "/3", "/4", "/5", "/6", "/7"])


async def test_a_step_in_the_history_takes_the_place_of_a_post(controller, recorder):
    held = asyncio.Event()

    async def hold(writer):
        held.set()
        await recorder.ended(writer)

    recorder.answers["/post"] = hold
    for path in ("/1", "/2"):
        await controller.load(recorder.url + path)
    load = asyncio.ensure_future(post(controller, recorder.url + "/post"))
    await asyncio.wait_for(held.wait(), 30)
    back = await controller.post("/history/back")
    assert back["loaded"] and back["navigation"]["url"] == recorder.url + "/1", back
    assert (await load)["navigation"]["outcome"] == "replaced"
    assert await history(controller) == ([], "/1", ["/2"])


async def test_a_history_that_a_page_made_huge_holds_up_nobody(controller, recorder):
    await controller.load(recorder.url + "/1")
    await controller.load(recorder.url + "/2")
    await controller.evaluate("history.pushState('x'.repeat(16 << 20), '', '/huge')")
    loaded = await post(controller, recorder.url + "/post", headers={"X-A": "b"})
    assert loaded["loaded"] and loaded["navigation"]["httpStatus"] == 200, loaded
    assert await controller.evaluate("return [location.href, document.title]") == [recorder.url + "/post", "/post"]
    [seen] = recorder.seen("/post")
    assert (seen.method, seen.body, seen.header("x-a")) == ("POST", b"a=1", ["b"])
    assert await history(controller) == (["/1", "/2", "/huge"], "/post", [])
    cached = await controller.post("/load/request", {"url": recorder.url + "/1", "cachePolicy": "returnCacheDataElseLoad"})
    assert cached["loaded"], cached
    assert await history(controller) == (["/1", "/2", "/huge", "/post"], "/1", [])
    assert (await controller.load(recorder.url + "/3"))["loaded"]


async def test_large_bodies_are_not_paid_for_again(server, controller, recorder):
    other = await server.controller(ephemeral=True)
    sizes = [8 << 20, 1, 1]
    for size in sizes:
        task = asyncio.ensure_future(post(controller, recorder.url + "/post", body="x" * size))
        answers = 0
        while not task.done():
            await other.evaluate("return 1")
            answers += 1
        assert (await task)["loaded"]
        # A loop that is held lets one through.
        assert answers > 1, size
    await other.dispose()
    assert [len(r.body) for r in recorder.seen("/post")] == sizes


@pytest.mark.parametrize("before", ["/p", "/p#a"])
async def test_a_post_to_a_fragment_of_the_document_is_sent(controller, recorder, before):
    await controller.load(recorder.url + before)
    loaded = await post(controller, recorder.url + "/p#b")
    assert loaded["loaded"], loaded
    assert [r.method for r in recorder.seen("/p")] == ["GET", "POST"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
async def test_a_redirect_to_another_origin_says_where_it_comes_from(controller, recorder, method):
    recorder.answers["/from"] = response(
        status="307 Temporary Redirect", headers=[f"Location: {recorder.other}/to"])
    await controller.post(
        "/load/request", {"url": recorder.url + "/from", "method": method, "headers": {"Origin": recorder.other}})
    to = recorder.seen("/to")[0]
    assert to.header("origin") == ["null"] and to.header("sec-fetch-site") == ["cross-site"], to.headers


async def test_cookies_that_are_secure_by_their_names_are_taken_for_https(controller):
    loaded = await controller.post(
        "/load/request", {"url": "https://127.0.0.1:2/", "headers": {"Cookie": "__Secure-a=1; __Host-b=2"}})
    assert loaded["navigation"]["error"]["code"] == "cannotConnect"
    found = (await controller.get("/cookies"))["cookies"]
    assert {c["name"]: c["isSecure"] for c in found} == {"__Secure-a": True, "__Host-b": True}


@pytest.mark.parametrize("value", ["é", "a\u0001b", "a\u007fb"])
async def test_a_header_value_is_ascii(controller, value):
    answer = await controller.post(
        "/load/request", {"url": "http://127.0.0.1:1/", "headers": {"X-A": value}}, status=400)
    error = answer["error"]
    assert error["code"] == "invalidArgument" and error["details"]["pointer"] == "/headers/X-A", error
