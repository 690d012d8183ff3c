"""The program itself: options, ready lines, health checks, signals, and what is left when it ends."""

import asyncio
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import struct

import aiohttp
import pytest

from harness import processes
from harness.server import BINARY, ROOT, Refused, gone, run
from harness.waiting import until


async def test_help_and_version_go_to_standard_output():
    status, out, err = await run("--help")
    assert (status, err) == (0, "") and "--data-dir" in out and "Usage" in out
    status, out, err = await run("--version")
    assert (status, err) == (0, "") and out.startswith("webview-server ")


@pytest.mark.parametrize("arguments, hint", [
    (["--lissten", "x"], "--listen"),
    (["--listen", "0.0.0.0:0"], "--token-file"),
    (["--listen", "127.0.0.1"], "HOST:PORT"),
    (["--log-level", "loud"], "debug"),
    (["--token-file", "/no/such/file"], "/no/such/file"),
    (["--files-dir", "/no/such/folder"], "/no/such/folder"),
    (["--token", "hunter2"], "--token-file"),
])
async def test_a_mistake_is_one_line_and_status_2(arguments, hint, tmp_path):
    status, out, err = await run("--data-dir", str(tmp_path / "data"), *arguments)
    assert (status, out) == (2, "")
    assert hint in err and err.count("\n") == 1 and err.startswith("webview-server: ")
    assert "hunter2" not in err


async def test_the_contract_is_served_as_it_was_bundled(server):
    for name in ("openapi.json", "asyncapi.json"):
        with open(ROOT / "Sources/WebViewAPI/Resources" / name) as file:
            assert await server.get("/" + name) == json.load(file)


async def test_the_server_names_its_fonts_and_limits(server):
    answer = await server.get("/v1/server")
    assert answer["fonts"] == sorted(answer["fonts"]) != []
    assert answer["limits"]["timeout"] == 600 and answer["engine"]["name"] == "WebKitGTK"


@pytest.mark.parametrize("how", ["option", "environment"])
async def test_a_persons_display_is_used_and_left_alone(start_server, site, how):
    display = await asyncio.create_subprocess_exec(
        "Xvfb", "-displayfd", "1", "-nolisten", "tcp", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    try:
        name = ":" + (await display.stdout.readline()).decode().strip()
        server = await start_server(*(["--display", name] if how == "option" else []),
                                    env={"DISPLAY": name} if how == "environment" else {})
        assert (await server.get("/v1/server"))["display"] == name
        controller = await server.controller(ephemeral=True)
        await controller.load(site.url + "/red")
        assert await controller.evaluate("return [innerWidth, innerHeight]") == [1280, 800]
        assert (await controller.get("/snapshot")).startswith(b"\x89PNG")
        assert not processes.named(server.pid, "Xvfb")
        assert await server.terminate() == 0
        assert display.returncode is None
    finally:
        display.terminate()
        await display.wait()


def display_clients(display, count):
    """Up to so many clients of an X display, as many as it takes."""
    clients = []
    while len(clients) < count:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(20)
        client.connect("/tmp/.X11-unix/X" + display.removeprefix(":"))
        client.sendall(struct.pack("<cxHHHHxx", b"l", 11, 0, 0, 0))
        if client.recv(1) != b"\x01":
            client.close()
            break
        clients.append(client)
    return clients


async def test_the_private_display_has_room_for_many_pages(start_server):
    server = await start_server()
    clients = display_clients((await server.get("/v1/server"))["display"], 400)
    assert len(clients) == 400
    assert await (await server.controller()).evaluate("return 1") == 1
    for client in clients:
        client.close()


async def test_a_display_without_room_fails_new_pages_only(start_server, site):
    display = await asyncio.create_subprocess_exec(
        "Xvfb", "-displayfd", "1", "-maxclients", "64", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
    try:
        name = ":" + (await display.stdout.readline()).decode().strip()
        server = await start_server("--display", name)
        first = await server.controller()
        assert await first.evaluate("return 1") == 1
        clients = display_clients(name, 64)
        second = await server.controller()
        assert (await second.evaluate("return 1", status=502))["code"] == "webContentProcessTerminated"
        assert await first.evaluate("return 2") == 2
        for client in clients:
            client.close()
        assert (await second.load(site.url + "/page/second"))["loaded"] is True
        await server.terminate()
    finally:
        display.terminate()
        await display.wait()


async def test_a_taken_port_is_named(start_server):
    first = await start_server()
    address = first.url.removeprefix("http://")
    with pytest.raises(Refused) as refused:
        await start_server(listen=[address])
    assert refused.value.status == 1 and address in refused.value.error


async def test_listens_on_several_addresses_and_each_answers(start_server):
    server = await start_server(listen=["127.0.0.1:0", "[::1]:0", "unix:sock"])
    assert server.addresses[0].startswith("http://127.0.0.1:")
    assert server.addresses[1].startswith("http://[::1]:")
    assert server.addresses[2] == "unix:sock"
    for address in server.addresses[:2]:
        async with server.http.get(address + "/healthz") as response:
            assert response.status == 200
    path = server.folder.name + "/sock"
    assert stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0
    async with aiohttp.ClientSession(connector=aiohttp.UnixConnector(path)) as http:
        async with http.get("http://anything/v1/server") as response:
            assert response.status == 200
    assert (await run("--check-health", "--listen", "unix:" + path))[0] == 0
    assert (await run("--check-health", "--listen", server.addresses[0].removeprefix("http://")))[0] == 0
    assert await server.terminate() == 0
    assert not os.path.exists(path)
    status, _, err = await run("--check-health", "--listen", "unix:" + path)
    assert status == 1 and path in err


def stand_in(folder, name, script):
    """A PATH in which `name` is this shell script."""
    file = folder / name
    file.write_text("#!/bin/sh\n" + script)
    file.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


@pytest.mark.parametrize("level, is_told", [("info", False), ("debug", True)])
async def test_what_the_display_says_is_for_debugging(start_server, tmp_path, level, is_told):
    real = shutil.which("Xvfb")
    env = stand_in(tmp_path, "Xvfb", f"echo 'display 0 is taken' >&2\nexec {real} \"$@\"\n")
    server = await start_server("--log-level", level, env=env)
    await server.get("/readyz")
    if is_told:
        await until(lambda: "display 0 is taken" in server.log(), what="the line")
    assert all(line[:4].isdigit() for line in server.log().splitlines()), server.log()
    await server.terminate()
    assert ("display 0 is taken" in server.log()) == is_told


async def test_a_display_that_fails_tells_why(start_server, tmp_path):
    env = stand_in(tmp_path, "Xvfb", "echo noise >&2\necho 'Fatal server error: no room' >&2\nexit 1\n")
    with pytest.raises(Refused) as refused:
        await start_server(env=env)
    assert refused.value.status == 1
    assert "no room" in refused.value.error and refused.value.error.count("\n") == 1, refused.value.error


async def test_a_wayland_desktop_is_left_alone(start_server):
    server = await start_server(env={"WAYLAND_DISPLAY": "wayland-9", "GDK_BACKEND": "wayland"})
    await server.controller(ephemeral=True)


async def test_a_data_directory_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    status, out, err = await run(
        "--data-dir", str(tmp_path / "file"), "--listen", "127.0.0.1:0", env={"XDG_RUNTIME_DIR": ""})
    assert (status, out) == (2, "")
    assert str(tmp_path / "file") in err and "Not a directory" in err and err.count("\n") == 1


async def test_a_token_is_asked_for(start_server, tmp_path):
    file = tmp_path / "token"
    file.write_text("s3cret-t0ken\n")
    file.chmod(0o600)
    server = await start_server("--token-file", str(file), listen=["0.0.0.0:0"])
    port = server.url.rsplit(":", 1)[1]
    server.url = f"http://127.0.0.1:{port}"
    async with server.http.get(server.url + "/v1/server") as response:
        assert response.status == 401 and response.headers["WWW-Authenticate"].startswith("Bearer")
    await server.get("/healthz")
    await server.get("/v1/server", headers={"Authorization": "Bearer s3cret-t0ken"})
    assert "s3cret" not in server.log()


async def test_the_token_of_the_environment_is_hidden(start_server):
    server = await start_server(env={"WEBVIEW_SERVER_TOKEN": "s3cret-t0ken"})
    headers = {"Authorization": "Bearer s3cret-t0ken"}
    await server.post("/v1/controllers", {"ephemeral": True}, status=201, headers=headers)
    children = processes.descendants(server.pid)
    assert children
    for process in (server.pid, *children):
        with open(f"/proc/{process}/environ", "rb") as file:
            assert b"s3cret" not in file.read()


async def test_a_second_server_on_the_same_data_is_refused(start_server):
    first = await start_server()
    with pytest.raises(Refused) as refused:
        await start_server(data=first.data)
    assert refused.value.status == 1
    assert f"process {first.pid}" in refused.value.error and "--data-dir" in refused.value.error


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_and_all_its_children(start_server, site, number):
    server = await start_server()
    for ephemeral in (True, False):
        await (await server.controller(ephemeral=ephemeral)).load(site.url + "/")
    children = processes.descendants(server.pid)
    assert len(children) >= 4, [processes.name(pid) for pid in children]
    assert await server.terminate(number) == 0
    assert processes.alive(children) == []


async def begun(controller):
    """Returns when the page's script has set the title."""
    async def is_set():
        return await controller.evaluate("return document.title") == "begun"
    await until(is_set, what="the script")


async def test_requests_under_way_are_finished_and_new_ones_refused(start_server):
    server = await start_server()
    controller = await server.controller(ephemeral=True)
    task = asyncio.create_task(controller.evaluate(
        "document.title = 'begun'; return await new Promise(r => setTimeout(() => r(7), 1500))"))
    await begun(controller)
    ending = asyncio.create_task(server.terminate())
    assert await task == 7
    assert await ending == 0


async def test_long_polls_hold_no_end_up(start_server):
    server = await start_server("--drain", "60")
    first, second = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    events = asyncio.create_task(first.get("/events?poll=60&types=loadStart"))
    questions = asyncio.create_task(second.get("/callbacks?poll=60"))

    async def are_in_use():
        return [c["idleTime"] for c in (await server.get("/v1/controllers"))["controllers"]] == [0, 0]
    await until(are_in_use, what="both polls")
    assert await server.terminate() == 0
    assert ((await events)["events"], (await questions)["callbacks"]) == ([], [])


async def test_a_second_signal_ends_it_at_once(start_server):
    server = await start_server("--drain", "60")
    controller = await server.controller(ephemeral=True)
    task = asyncio.create_task(controller.evaluate("document.title = 'begun'; await new Promise(() => {})", timeout=50))
    await begun(controller)
    children = processes.descendants(server.pid)
    processes.kill(server.pid, signal.SIGTERM)
    await until(lambda: "stopping" in server.log(), what="the line of the first signal")
    assert server.process.returncode is None
    await server.terminate(seconds=3)
    await gone(children)
    with pytest.raises(aiohttp.ClientError):
        await task


@pytest.mark.parametrize("sandbox", ["off", "on"])
@pytest.mark.parametrize("script", ["", "while (true) {}"])
async def test_nothing_is_left_after_kill_9(start_server, site, sandbox, script):
    server = await start_server("--sandbox", sandbox)
    controller = await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    persistent = await server.controller()
    await persistent.load(site.url + "/")
    if script:
        await controller.evaluate(script, status=504, timeout=0.3)
    children = processes.descendants(server.pid)
    assert len(children) >= 4
    assert await server.terminate(signal.SIGKILL) == -signal.SIGKILL
    await gone(children, 20)


async def test_a_killed_server_leaves_no_lock(start_server):
    first = await start_server()
    await first.terminate(signal.SIGKILL)
    second = await start_server(data=first.data)
    await second.get("/v1/server")


async def test_children_that_end_are_reaped(start_server, site):
    server = await start_server()
    controller = await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    server.kill_pages()
    await until(lambda: not processes.zombies(server.pid), what="the reaping")
    await controller.dispose()
    await until(lambda: not processes.zombies(server.pid), what="the reaping")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
async def test_serves_as_a_user_without_a_home(start_server, site, tmp_path):
    for parent in [pathlib.Path(BINARY), *pathlib.Path(BINARY).parents]:
        if not os.stat(parent).st_mode & 0o005 == 0o005:
            pytest.skip(f"another user cannot reach {parent}")
    server = await start_server(
        user=65534, env={"HOME": None, "XDG_RUNTIME_DIR": None, "XDG_DATA_HOME": None, "USER": None})
    controller = await server.controller(ephemeral=True)
    assert (await controller.load(site.url + "/"))["loaded"]
    assert await server.terminate() == 0


async def test_the_log_names_requests_but_no_secrets(start_server):
    server = await start_server("--log-format", "json")
    controller = await server.controller(ephemeral=True)
    await controller.post("/evaluate", {"javaScript": "return 'top-secret'"}, headers={"X-Request-Id": "req-42"})
    ticket = (await controller.post("/tickets", status=201))["ticket"]
    async with server.http.ws_connect(server.url + controller.path + "/channel?ticket=" + ticket) as socket:
        await socket.send_json({"id": 1, "method": "evaluateJavaScript", "params": {"javaScript": "return 'top-secret'"}})
        while (await socket.receive_json())["type"] != "response":
            pass
    await until(lambda: '"message":"call"' in server.log() and "/channel" in server.log(), what="the lines of the channel")
    log = server.log()
    assert "req-42" in log and "/evaluate" in log and '"operation":"evaluateJavaScript"' in log
    assert "top-secret" not in log and ticket not in log


async def test_the_log_holds_nothing_but_its_own_lines(start_server, site):
    server = await start_server()
    controller = await server.controller(ephemeral=True)
    assert (await controller.post("/load/url", {"url": site.url + "/page/log"}))["loaded"] is True
    await controller.evaluate("return document.title")
    lines = server.log().splitlines()
    assert lines and [line for line in lines if not re.match(r"\d{4}-\d\d-\d\dT[\d:.]+Z \w+ ", line)] == []
