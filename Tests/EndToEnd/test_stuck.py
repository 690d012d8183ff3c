"""How the program ends when something in it hangs: its pages' thread, a page, or a call."""

import asyncio
import os
import signal

import aiohttp
import pytest

from harness import processes
from harness.server import gone
from harness.waiting import until


@pytest.fixture
def stopped():
    """Stops processes, which have to go on, or end, with the test."""
    pids = []

    def stop(pid):
        processes.kill(pid, signal.SIGSTOP)
        pids.append(pid)
    yield stop
    for pid in pids:
        processes.kill(pid, signal.SIGCONT)


async def stuck(server, controller, stop):
    """Returns when the pages' thread waits for a display that does not answer."""
    stop(processes.named(server.pid, "Xvfb")[0])
    calls = [asyncio.create_task(server.http.request(method, server.url + path, json=body)) for method, path, body in (
        ("POST", "/v1/controllers", {"ephemeral": True}), ("GET", controller.path + "/snapshot", None))]

    async def hangs():
        try:
            async with server.http.get(server.url + controller.path, timeout=aiohttp.ClientTimeout(total=1)):
                return False
        except TimeoutError:
            return True
    await until(hangs, what="the halt of the pages' thread")
    await server.get("/healthz")
    return calls


async def refuses(server):
    try:
        _, writer = await asyncio.open_connection(*server.url.removeprefix("http://").split(":"))
    except ConnectionRefusedError:
        return True
    writer.close()


async def cut(calls):
    for call in calls:
        with pytest.raises(aiohttp.ClientError):
            await call


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_a_stuck_server_at_once(start_server, stopped, number):
    server = await start_server("--drain", "60")
    calls = await stuck(server, await server.controller(ephemeral=True), stopped)
    children = processes.descendants(server.pid)
    processes.kill(server.pid, number)
    await until(lambda: "stopping" in server.log(), what="the line of the first signal")
    await until(lambda: refuses(server), what="the refusal of new connections")
    assert server.process.returncode is None
    assert await server.terminate(number) == 128 + number
    await gone(children)
    await cut(calls)


async def test_a_stuck_server_is_ended_after_its_drain(start_server, stopped):
    server = await start_server("--drain", "0")
    calls = await stuck(server, await server.controller(ephemeral=True), stopped)
    children = processes.descendants(server.pid)
    assert await server.terminate(seconds=40) == 1
    assert "did not stop in time" in server.log()
    await gone(children)
    await cut(calls)


async def test_a_start_that_hangs_is_ended_by_a_second_signal(start_server, tmp_path):
    display = tmp_path / "Xvfb"
    display.write_text(f"""#!/usr/bin/env python3
import os, signal, socket
name = "/tmp/.X11-unix/X%d" % os.getpid()
os.makedirs(os.path.dirname(name), exist_ok=True)
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(name)
    listener.listen()
    os.write(3, b"%d\\n" % os.getpid())
    peer, _ = listener.accept()
    os.unlink(name)
    open({str(tmp_path / "asked")!r}, "w").close()
    signal.pause()
""")
    display.chmod(0o755)
    server = await start_server(lines=0, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    await until((tmp_path / "asked").exists, what="the question to the display")
    children = processes.descendants(server.pid)
    processes.kill(server.pid, signal.SIGTERM)
    await until(lambda: "stopping" in server.log(), what="the line of the first signal")
    assert await server.terminate() == 128 + signal.SIGTERM
    await gone(children)


@pytest.mark.parametrize("sandbox", ["off", "on"])
@pytest.mark.parametrize("how", ["loops", "stops"])
async def test_no_page_outlives_a_killed_server(start_server, stopped, sandbox, how):
    server = await start_server("--sandbox", sandbox)
    for ephemeral in (True, True, False):
        controller = await server.controller(ephemeral=ephemeral)
        await controller.evaluate("while (true) {}", status=504, timeout=0.3)
    children = processes.descendants(server.pid)
    pages = processes.named(server.pid, "WebKitWebProces")
    assert len(pages) == 3
    if how == "stops":
        for pid in [*pages, *processes.named(server.pid, "Xvfb")]:
            stopped(pid)
    # Not by waiting for the server, which asyncio does until nobody has its standard output any more.
    processes.kill(server.pid)
    # WebKit itself ends a process that is in a loop after ten seconds, and one that is stopped never.
    await gone([server.pid, *children], 7 if how == "loops" else 20)


async def test_a_killed_server_takes_its_display_back(start_server):
    server = await start_server()
    socket = "/tmp/.X11-unix/X" + (await server.get("/v1/server"))["display"].removeprefix(":")
    assert os.path.exists(socket)
    await server.terminate(signal.SIGKILL)
    await until(lambda: not os.path.exists(socket), what="the end of the display")


async def test_a_signal_to_all_of_a_terminal_leaves_the_guardian(start_server):
    """As a terminal sends it; the server itself ends the guardian, at its own end."""
    server = await start_server("--drain", "60")
    controller = await server.controller(ephemeral=True)
    call = asyncio.create_task(controller.evaluate("await new Promise(() => {})", status=410, timeout=50))
    guardian, = processes.named(server.pid, "webview-guard")
    assert os.getsid(guardian) == guardian
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        processes.kill(guardian, number)
    await server.get("/healthz")
    assert processes.alive([guardian])
    await controller.dispose()
    await call
    assert await server.terminate() == 0
    assert not processes.alive([guardian])


async def test_a_guardian_that_is_killed_is_told_and_reaped(start_server):
    server = await start_server()
    processes.kill(*processes.named(server.pid, "webview-guard"))
    await until(lambda: "guardian" in server.log(), what="the warning")
    assert not processes.named(server.pid, "webview-guard")
    assert await server.terminate() == 0


async def test_the_guardian_holds_nothing(start_server):
    server = await start_server(listen=["127.0.0.1:0", "unix:sock"])
    guardian, = processes.named(server.pid, "webview-guard")
    held = {int(number): os.readlink(f"/proc/{guardian}/fd/{number}") for number in os.listdir(f"/proc/{guardian}/fd")}
    assert {number: held[number] for number in (0, 1, 2)} == dict.fromkeys(range(3), "/dev/null")
    assert set(held) == {0, 1, 2, 3} and held[3].startswith("pipe:")
    assert os.readlink(f"/proc/{guardian}/cwd") == "/"


async def test_what_the_drain_does_not_finish_is_answered(start_server, site):
    server = await start_server("--drain", "1")
    controller, loading = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    evaluation = asyncio.create_task(controller.evaluate(
        "await fetch('/mark/' + mark); await new Promise(() => {})", status=410, timeout=50,
        arguments={"mark": controller.id}))
    await site.reached(f"/mark/{controller.id}")
    load = asyncio.create_task(loading.load(f"{site.url}/hang?{loading.id}"))
    await until(lambda: any(loading.id in r.query_string for r in site.requests), what="the request of the page")
    assert await server.terminate() == 0
    assert (await evaluation)["code"] == "disposed"
    answer = await load
    assert (answer["loaded"], answer["navigation"]["outcome"]) == (False, "disposed")
