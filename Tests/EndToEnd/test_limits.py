"""Bad input is named and refused; it never crashes, hangs or answers 500."""

import asyncio
import gzip
import json
import re

import pytest

from harness import processes

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("path, body, where", [
    ("/load/url", b"{", None), ("/load/url", b"", "url"), ("/load/url", b"[]", None), ("/load/url", b"null", None),
    ("/load/url", b'{"url": 1}', "/url"), ("/load/url", b'{"url": null}', "/url"), ("/load/url", b'{"url": ""}', None),
    ("/load/url", b'{"url": "no scheme"}', None), ("/load/url", b'{"url": "javascript:1"}', None),
    ("/load/url", b'{"url": "http://"}', None), ("/load/url", b'{"url": "http://a b/"}', None),
    ("/load/url", b'{"url": "about:blank", "url": "about:blank"}', "/url"),
    ("/load/url", b'{"url": "about:blank", "extra": 1}', "/extra"),
    ("/load/url", b'{"url": "about:blank", "timeout": 0}', "/timeout"),
    ("/load/url", b'{"url": "about:blank", "timeout": 601}', "/timeout"),
    ("/load/url", b'{"url": "about:blank", "timeout": "1"}', "/timeout"),
    ("/load/url", b'{"url": "about:blank", "wait": {"event": "never"}}', "/wait/event"),
    ("/load/url", b'{"url": "about:blank", "wait": 1}', "/wait"),
    ("/load/url", b'\xff{"url": "about:blank"}', None), ("/load/url", b'{"url": "about:blank"} x', None),
    ("/load/html", b'{"html": []}', "/html"), ("/load/html", b'{"html": "", "baseURL": "not a url"}', None),
    ("/load/data", b'{"data": "x", "dataBase64": "eA==", "mimeType": "text/html"}', None),
    ("/load/data", b'{"dataBase64": "AA=A", "mimeType": "text/html"}', "/dataBase64"),
    ("/load/data", b'{"dataBase64": "*", "mimeType": "text/html"}', "/dataBase64"),
    ("/load/data", b'{"data": "x"}', None),
    ("/evaluate", b"{}", None), ("/evaluate", b'{"javaScript": "1", "expression": "1"}', None),
    ("/evaluate", b'{"javaScript": 1}', "/javaScript"),
    ("/evaluate", b'{"javaScript": "1", "arguments": []}', "/arguments"),
    ("/evaluate", b'{"javaScript": "1", "arguments": {"not a name": 1}}', None),
    ("/evaluate", b'{"javaScript": "1", "contentWorld": {"name": ""}}', None),
    ("/evaluate", b'{"javaScript": "1", "resultMode": "xml"}', "/resultMode"),
    ("/evaluate", b'{"javaScript": "1", "arguments": {"a": ' + b"[" * 300 + b"]" * 300 + b"}}", None),
    ("/cookies", b'{"cookies": {}}', "/cookies"), ("/cookies", b'{"cookies": [{"name": "a"}]}', None),
    ("/cookies", b'{"cookies": [{"name": 1, "value": "b", "domain": "c"}]}', "/cookies/0/name"),
])
async def test_bad_bodies_are_400_and_say_where(controller, path, body, where):
    error = (await controller.request("POST", path, data=body, headers=JSON, status=400))["error"]
    assert error["code"] == "invalidArgument" and error["message"] and error["requestId"]
    if where:
        assert where in json.dumps([error["details"], error["message"]])


@pytest.mark.parametrize("query", [
    "?x=1", "?width=10", "?x=a&y=0&width=1&height=1", "?snapshotWidth=0", "?format=gif", "?unknown=1", "?snapshotWidth=",
    "?snapshotWidth=1&snapshotWidth=2", "?width=nan&height=1&x=0&y=0", "?x=0&y=0&width=0&height=1", "?x=-1&y=0&width=1&height=1",
    "?%ff=1", "?snapshotWidth=99999999999999999999",
])
async def test_bad_queries_are_400(controller, query):
    error = (await controller.get("/snapshot" + query, status=400))["error"]
    assert error["code"] == "invalidArgument"


@pytest.mark.parametrize("options", [
    {"unknown": 1}, {"ephemeral": "yes"}, {"ephemeral": 1}, {"viewport": {"width": 0, "height": 1}},
    {"viewport": {"width": 10001, "height": 1}}, {"viewport": {"width": 1}}, {"viewport": []}, {"label": 1},
    {"settings": {"pageZoom": 99}}, {"settings": {"nonsense": 1}}, {"viewport": {"width": 800.5, "height": 1}},
])
async def test_bad_options_are_400(server, options):
    assert (await server.post("/v1/controllers", options, status=400))["error"]["code"] == "invalidArgument"


@pytest.mark.parametrize("path", [
    "/v1", "/v1/", "/v1/controllers/", "/v1//controllers", "/V1/controllers", "/v1/nothing", "/v1/controllers/x/nothing",
    "/v1/%2e%2e/v1/server", "/..", "/v1/controllers/%00/state", "/v1/controllers/%ff/state", "/v1/controllers/a%2Fb/state",
])
async def test_unknown_paths_are_404(server, path):
    from yarl import URL
    async with server.http.get(URL(server.url + path, encoded=True)) as response:
        assert response.status == 404
        assert (await response.json())["error"]["code"] == "notFound"


async def test_wrong_methods_are_405_with_allow(server, controller):
    async with server.http.delete(server.url + "/v1/server") as response:
        assert response.status == 405 and "GET" in response.headers["Allow"]
    async with server.http.options(server.url + controller.path) as response:
        assert response.status == 204 and {"GET", "DELETE"} <= set(response.headers["Allow"].replace(" ", "").split(","))
    async with server.http.head(server.url + "/v1/server") as response:
        assert response.status == 200 and await response.read() == b""


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None])
async def test_what_a_web_page_can_send_unasked_is_415(server, controller, kind):
    headers = {"Content-Type": kind} if kind else {}
    skip = None if kind else {"Content-Type"}
    async with server.http.post(
            server.url + controller.path + "/load/url", data=b'{"url":"about:blank"}', headers=headers,
            skip_auto_headers=skip) as response:
        assert response.status == 415
        assert "json" in (await response.json())["error"]["message"]


async def test_gzip_bodies_are_read_and_bounded(server, controller):
    headers = {**JSON, "Content-Encoding": "gzip"}
    good = gzip.compress(b'{"expression": "1 + 1"}')
    assert (await controller.request("POST", "/evaluate", data=good, headers=headers))["result"] == 2
    await controller.request("POST", "/evaluate", data=good[:-3], headers=headers, status=400)
    await controller.request("POST", "/evaluate", data=b"no gzip", headers=headers, status=400)
    bomb = gzip.compress(b'{"expression": "' + b" " * (200 << 20) + b'1"}')
    await controller.request("POST", "/evaluate", data=bomb, headers=headers, status=413)


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_of_100_mb_is_413_without_being_kept(server, controller, chunked):
    before = processes.resident(server.pid)
    size, sent = 100 << 20, 0
    reader, writer = await asyncio.open_connection(*server.url.removeprefix("http://").split(":"))
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {size}"
    writer.write(f"POST {controller.path}/load/html HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{length}\r\n\r\n".encode())
    piece = b"x" * (1 << 20)
    answer = asyncio.create_task(reader.read(4096))
    try:
        while sent < size and not answer.done():
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
            await writer.drain()
            sent += len(piece)
    except ConnectionError:
        pass
    head = await asyncio.wait_for(answer, 20)
    writer.close()
    assert head.startswith(b"HTTP/1.1 413 "), head[:200]
    assert b"payloadTooLarge" in head
    assert sent < size
    assert processes.resident(server.pid) - before < 150
    assert await controller.evaluate("return 1") == 1


@pytest.mark.parametrize("request_bytes", [
    b"POST /v1/controllers HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    b"POST /v1/controllers HTTP/1.1\r\nHost: localhost\r\nContent-Length : 5\r\n\r\nabcde",
    b"POST /v1/controllers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /v1/controllers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    b"POST /v1/controllers HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    b"GET http://evil.example/v1/server HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /v1/controllers/%/state HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /v1/server HTTP/1.1\r\n\r\n", b"\x01nonsense\r\n\r\n",
])
async def test_malformed_requests_are_400_and_end_the_connection(server, request_bytes):
    before = len((await server.get("/v1/controllers"))["controllers"])
    reader, writer = await asyncio.open_connection(*server.url.removeprefix("http://").split(":"))
    writer.write(request_bytes + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert re.match(rb"HTTP/1\.[01] 400 ", head), answer
    error = json.loads(body)["error"]
    assert error["code"] == "invalidArgument" and error["message"] and error["requestId"]
    assert len((await server.get("/v1/controllers"))["controllers"]) == before


async def test_unknown_and_disposed_controllers(server):
    for path in ("", "/state", "/html", "/cookies", "/settings", "/snapshot"):
        error = (await server.get("/v1/controllers/nobody" + path, status=404))["error"]
        assert (error["code"], error["details"]["kind"]) == ("notFound", "controller")
    controller = await server.controller(ephemeral=True)
    await controller.dispose()
    await controller.dispose()
    for path in ("", "/state", "/html", "/cookies", "/settings", "/snapshot"):
        assert (await controller.get(path, status=410))["error"]["code"] == "disposed"


async def test_connections_never_take_the_last_descriptors(start_server, site):
    server = await start_server(prefix=("prlimit", "--nofile=256:256"))
    controller = await server.controller(ephemeral=True)
    crowd = []
    try:
        async with asyncio.timeout(30):
            for _ in range(300):
                crowd.append(await asyncio.open_connection(*server.url.removeprefix("http://").split(":")))
            # The one before the others is still served.
            assert (await controller.load(site.url + "/"))["loaded"] is True
            reader, writer = crowd[-1]
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.1 503 ") and b'"reason":"connections"' in answer, answer
    finally:
        for _, writer in crowd:
            writer.close()
    assert await controller.evaluate("return 1") == 1
    await server.controller(ephemeral=True)


async def test_too_many_pages_do_not_lock_their_maker_out(start_server):
    server = await start_server(prefix=("prlimit", "--nofile=256:256"))
    made = []
    async with asyncio.timeout(50):
        while True:
            async with server.http.post(server.url + "/v1/controllers", json={"ephemeral": True}) as response:
                body = await response.json()
                if response.status != 201:
                    break
                made.append(body["id"])
    assert response.status == 503 and body["error"]["details"]["reason"] == "fileDescriptors" and made
    crowd = [await asyncio.open_connection(*server.url.removeprefix("http://").split(":")) for _ in range(30)]
    await asyncio.gather(*(server.get("/healthz") for _ in range(10)))
    await server.request("DELETE", f"/v1/controllers/{made[0]}", status=204)
    for _, writer in crowd:
        writer.close()


async def test_as_many_descriptors_are_taken_as_there_may_be(start_server):
    server = await start_server(prefix=("prlimit", "--nofile=256:4096"))
    with open(f"/proc/{server.pid}/limits") as file:
        limits = next(line.split()[3:5] for line in file if line.startswith("Max open files"))
    assert limits == ["4096", "4096"]


async def test_many_at_once(server, site):
    controllers = [await server.controller(ephemeral=True) for _ in range(4)]
    await asyncio.gather(*(c.load(site.url + "/") for c in controllers))
    results = await asyncio.gather(*(
        c.evaluate("return i * 2", arguments={"i": i}) for i in range(100) for c in controllers))
    assert results == [i * 2 for i in range(100) for _ in controllers]
    await asyncio.gather(*(c.dispose() for c in controllers))
