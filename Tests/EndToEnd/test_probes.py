"""Health, asked while everything else is busy, and of a server that does not answer."""

import asyncio
import socket

from harness.server import BINARY


async def test_a_probe_is_answered_while_a_page_hangs(server, site):
    hung = await server.controller(ephemeral=True)
    await hung.load(site.url + "/")
    running = asyncio.create_task(hung.evaluate(
        "await fetch('/mark/' + mark); while (true) {}", status=410, timeout=30, arguments={"mark": hung.id}))
    await site.reached(f"/mark/{hung.id}")
    for path in ("/healthz", "/readyz"):
        await server.get(path)
    assert not running.done()
    await hung.dispose()
    await running


async def test_a_probe_is_answered_while_a_body_is_on_its_way(server, controller):
    """A hundred megabytes, in bodies that are within the limit, each held up in the middle for a probe."""
    size, piece = 25 << 20, b"x" * (1 << 20)
    opening, closing = b'{"html": "<!--', b'-->"}'  # Nothing to lay out.
    place = server.url.removeprefix("http://").split(":")
    for _ in range(4):
        reader, writer = await asyncio.open_connection(*place)
        length = len(opening) + size + len(closing)
        writer.write(
            f"POST {controller.path}/load/html HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {length}\r\nConnection: close\r\n\r\n".encode() + opening)
        answer = asyncio.create_task(reader.read())
        for count in range(size // len(piece)):
            writer.write(piece)
            await writer.drain()
            if count % 5 == 0:
                await server.get("/healthz")
        assert not answer.done(), "the body is not whole yet"
        await server.get("/healthz")
        writer.write(closing)
        async with asyncio.timeout(60):
            head = (await answer).partition(b"\r\n")[0]
        assert head == b"HTTP/1.1 200 OK"
        writer.close()


async def check_health(address):
    process = await asyncio.create_subprocess_exec(
        BINARY, "--check-health", "--listen", address, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(30):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return process.returncode, out.decode(), err.decode()


async def test_a_server_that_never_answers_is_ill():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        assert await check_health(address) == (1, "", f"webview-server: {address} does not answer\n")


async def test_a_server_that_hangs_up_is_ill():
    async def hang_up(_, writer):
        writer.close()
    listener = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    address = f"127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    assert await check_health(address) == (1, "", f"webview-server: {address} does not answer\n")
    listener.close()


async def test_a_server_that_is_not_there_is_ill():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    status, out, err = await check_health(address)
    assert (status, out) == (1, "") and address in err and err.count("\n") == 1
