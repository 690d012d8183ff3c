"""What a server leaves when it ends, however it ends, and whom it still answers meanwhile."""

import asyncio
import json
import os
import signal

import pytest

from harness import processes
from harness.server import Refused
from harness.site import Site
from harness.waiting import until


@pytest.fixture
def temporary(tmp_path):
    """A temporary directory that only this server knows."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


def own(folder):
    """What the program itself left there; libraries and X have names of their own."""
    return [name for name in os.listdir(folder) if name.startswith("webview")]


async def test_a_clean_end_leaves_no_compiled_rules(start_server, temporary):
    server = await start_server(env={"TMPDIR": str(temporary)})
    rules = server.data + "/file-rules"
    assert os.path.isdir(rules) and own(temporary) == []
    assert await server.terminate() == 0
    assert not os.path.exists(rules) and own(temporary) == []


async def test_what_a_killed_server_left_is_gone_with_the_next_start(start_server, temporary):
    first = await start_server(env={"TMPDIR": str(temporary)})
    rules = first.data + "/file-rules"
    assert await first.terminate(signal.SIGKILL) == -signal.SIGKILL
    with open(rules + "/left-behind", "w"):
        pass
    second = await start_server(data=first.data, env={"TMPDIR": str(temporary)})
    assert not os.path.exists(rules + "/left-behind")
    assert own(temporary) == []
    assert (await (await second.controller(ephemeral=True)).html("<title>on</title>"))["loaded"] is True


async def test_a_start_that_fails_takes_back_what_it_began(start_server, temporary, tmp_path):
    first = await start_server()
    address = first.url.removeprefix("http://")
    socket, data = tmp_path / "socket", tmp_path / "data"
    with pytest.raises(Refused) as refused:
        await start_server(listen=[f"unix:{socket}", address], data=str(data), env={"TMPDIR": str(temporary)})
    assert refused.value.status == 1
    lines = refused.value.error.splitlines()
    assert [line for line in lines if line.startswith("webview-server: ")] == lines[-1:] and address in lines[-1], lines
    assert not socket.exists()
    assert not (data / "file-rules").exists() and own(temporary) == []
    await first.get("/healthz")


async def exchange(reader, writer, path):
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = next(int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length"))
    return head, await reader.readexactly(length)


@pytest.fixture
async def held_site():
    """A site of this test's own, to be let go on in the middle."""
    made = await Site().start()
    yield made
    await made.stop()


async def test_a_draining_server_finishes_what_runs_and_takes_nothing_new(start_server, held_site):
    site = held_site
    server = await start_server("--drain", "60")
    place = server.url.removeprefix("http://").split(":")
    controller = await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    code = "await fetch('/mark/' + mark); const answer = await fetch('/hang'); return answer.status"
    running = asyncio.create_task(controller.evaluate(code, arguments={"mark": controller.id}))
    await site.reached(f"/mark/{controller.id}")
    kept = await asyncio.open_connection(*place)
    head, _ = await exchange(*kept, "/healthz")
    assert head.startswith("HTTP/1.1 200 ") and "connection: close" not in head.lower()

    processes.kill(server.pid, signal.SIGTERM)
    await until(lambda: "stopping" in server.log(), what="the line of the signal")

    async def is_refused():
        try:
            _, writer = await asyncio.open_connection(*place)
        except ConnectionRefusedError:
            return True
        writer.close()
    await until(is_refused, what="the refusal of new connections")
    # A kept connection is closed; a request that came just before that is told why it is not served.
    try:
        kept[1].write(b"GET /v1/server HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(20):
            answer = await kept[0].read()
    except ConnectionError:
        answer = b""
    if answer:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ") and b"Retry-After" in head, answer
        assert json.loads(body)["error"]["details"]["reason"] == "draining"
    kept[1].close()
    assert not running.done() and server.process.returncode is None
    site.release.set()
    assert await running == 200
    async with asyncio.timeout(20):
        assert await server.process.wait() == 0
