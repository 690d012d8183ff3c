"""Cookies: set, read, sent, kept over restarts, and nothing of an ephemeral controller on disk."""

import asyncio
import contextlib
import os
import signal
import sqlite3

import aiohttp
import pytest

from harness import processes
from harness.server import gone
from harness.waiting import until

COOKIE = {"name": "kept", "value": "k1", "domain": "127.0.0.1", "path": "/", "expiresDate": "2090-01-01T00:00:00.000Z"}


async def names(controller):
    return sorted(c["name"] for c in (await controller.get("/cookies"))["cookies"])


async def test_cookies_are_set_sent_and_deleted(controller, site):
    answer = await controller.post("/cookies", {"cookies": [COOKIE, {"name": "s", "value": "1", "domain": "127.0.0.1"}]})
    assert [r["accepted"] for r in answer["results"]] == [True, True]
    assert answer["results"][0]["stored"]["isSessionOnly"] is False
    await controller.load(site.url + "/cookies/show")
    assert await controller.evaluate("return document.getElementById('c').textContent") == "kept=k1;s=1"
    assert await controller.request("DELETE", "/cookies?name=s") == {"deleted": 1}
    assert await names(controller) == ["kept"]


async def test_cookies_of_a_site(controller, site):
    await controller.load(site.url + "/cookies/set")
    cookies = {c["name"]: c for c in (await controller.get("/cookies"))["cookies"]}
    assert cookies["session"]["isSessionOnly"] is True and cookies["session"]["isHTTPOnly"] is False
    assert cookies["kept"]["isHTTPOnly"] is True and cookies["kept"]["sameSite"] == "lax"
    assert cookies["kept"]["hostOnly"] is True


async def test_cookies_that_a_request_would_carry(controller):
    domain = {"name": "wide", "value": "1", "domain": ".shop.example", "path": "/"}
    await controller.post("/cookies", {"cookies": [
        domain, {**domain, "name": "host", "domain": "shop.example"}, {**domain, "name": "deep", "path": "/account"},
        {**domain, "name": "secure", "isSecure": True}, {**domain, "name": "elsewhere", "domain": "other.example"}]})

    async def carried(url):
        return sorted(c["name"] for c in (await controller.get(f"/cookies?url={url}"))["cookies"])
    assert await carried("http://shop.example/") == ["host", "wide"]
    assert await carried("https://shop.example/account/x") == ["deep", "host", "secure", "wide"]
    assert await carried("http://www.shop.example/") == ["wide"]
    assert (await controller.get("/cookies?domain=shop.example"))["cookies"][0]["name"] == "host"
    assert await controller.request("DELETE", "/cookies?name=wide&domain=shop.example") == {"deleted": 0}, "exactly"


async def test_bad_cookies_are_not_accepted(controller):
    bad = [{"name": "", "value": "x", "domain": "127.0.0.1"}, {**COOKIE, "expiresDate": "2001-01-01T00:00:00.000Z"},
           {"name": "a\nb", "value": "x", "domain": "127.0.0.1"}]
    results = (await controller.post("/cookies", {"cookies": bad}))["results"]
    assert [r["accepted"] for r in results] == [False] * 3 and all(r["reason"] for r in results)
    assert await names(controller) == []


async def test_persistent_controllers_share_and_ephemeral_ones_do_not(server):
    first, second = await server.controller(), await server.controller()
    alone, other = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    await first.post("/cookies", {"cookies": [COOKIE]})
    await alone.post("/cookies", {"cookies": [{**COOKIE, "name": "alone"}]})
    assert await names(second) == ["kept"]
    assert await names(alone) == ["alone"] and await names(other) == []
    await first.request("DELETE", "/cookies")
    for controller in (first, second, alone, other):
        await controller.dispose()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_persistent_cookies_survive_the_server(start_server, tmp_path, site, number):
    data = str(tmp_path / "data")
    first = await start_server(data=data)
    controller = await first.controller()
    await controller.post("/cookies", {"cookies": [COOKIE, {"name": "session", "value": "1", "domain": "127.0.0.1"}]})
    await controller.load(site.url + "/cookies/set")
    if number == signal.SIGKILL:
        # The engine writes from its network process a moment later; what is on disk is what survives.
        def written():
            return any(b"kept" in content(os.path.join(folder, file))
                       for folder, _, files in os.walk(data) for file in files if "cookies" in file.lower())
        await until(written, what="the cookie on disk")
    await first.terminate(number)
    second = await start_server(data=data)
    assert await names(await second.controller()) == ["kept"]


def content(path, size=-1):
    """What the file begins with; nothing where it went meanwhile, as journals do."""
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except FileNotFoundError:
        return b""


def databases(folder):
    """The SQLite files below it, those of the engine too."""
    found = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]
    return [path for path in found if content(path, 16) == b"SQLite format 3\0"]


def rows(path, sql):
    with contextlib.closing(sqlite3.connect(path, timeout=20)) as connection:
        return [row[0] for row in connection.execute(sql)]


def committed(data):
    """Names of the cookies that another process would find in the engine's file."""
    for path in databases(data):
        if rows(path, "SELECT count(*) FROM sqlite_master WHERE name = 'moz_cookies'") == [1]:
            return rows(path, "SELECT name FROM moz_cookies")
    return []


async def test_what_was_committed_survives_kill_9_of_busy_writers(start_server, tmp_path):
    data = str(tmp_path / "data")
    first = await start_server(data=data)
    controller = await first.controller()

    async def write():
        for number in range(1_000_000):
            await controller.post("/cookies", {"cookies": [{**COOKIE, "name": f"c{number}", "value": f"v{number}"}]})
    writing = asyncio.create_task(write())
    before = await until(lambda: (names := committed(data)) and len(names) >= 100 and names, what="a hundred cookies on disk")
    assert not writing.done()
    own = os.path.join(data, "webview-server.sqlite")
    assert rows(own, "PRAGMA journal_mode") == ["wal"] and os.path.exists(own + "-wal")
    children = processes.descendants(first.pid)
    for pid in [*processes.named(first.pid, "WebKitNetworkPr"), first.pid]:
        processes.kill(pid)
    with pytest.raises(aiohttp.ClientError):
        await writing
    await gone(children)
    files = databases(data)
    assert len(files) >= 2
    for path in files:
        assert rows(path, "PRAGMA integrity_check") == ["ok"], path
    second = await start_server(data=data)
    kept = {c["name"]: c["value"] for c in (await (await second.controller()).get("/cookies"))["cookies"]}
    assert set(before) <= set(kept)
    assert all(kept[name] == "v" + name[1:] for name in kept)


async def test_nothing_of_an_ephemeral_controller_is_on_disk(start_server, tmp_path, site):
    home = tmp_path / "home"
    home.mkdir()
    server = await start_server(env={
        "HOME": str(home), "XDG_DATA_HOME": None, "XDG_CACHE_HOME": None, "XDG_CONFIG_HOME": None, "TMPDIR": str(home)})
    controller = await server.controller(ephemeral=True)
    marker = "m4rk3r-of-a-private-page"
    await controller.load(site.url + "/page/" + marker)
    await controller.post("/cookies", {"cookies": [{**COOKIE, "value": marker}]})
    await controller.evaluate(
        "localStorage.setItem('k', v); document.cookie = 'c=' + v + ';max-age=9999';"
        "const c = await caches?.open?.(v); await c?.put?.('/x', new Response(v));"
        "await new Promise(r => { const q = indexedDB.open(v); q.onsuccess = q.onerror = () => r() }); return 1",
        arguments={"v": marker}, timeout=20)
    await controller.dispose()
    assert await server.terminate() == 0
    found = []
    for top in (server.folder.name, str(home)):
        for folder, names_, files in os.walk(top):
            for name in files:
                path = os.path.join(folder, name)
                if path == server.folder.name + "/log" or not os.path.isfile(path):
                    continue
                with open(path, "rb") as file:
                    if marker.encode() in file.read() or marker in name:
                        found.append(path)
            found += [os.path.join(folder, n) for n in names_ if marker in n]
    assert found == []
