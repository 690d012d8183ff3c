"""Pages of a real site: what a load answers, and what the page then is."""

import asyncio
import base64

import pytest

from harness.waiting import until


async def test_a_page_is_loaded(controller, site):
    answer = await controller.load(site.url + "/")
    assert answer["loaded"] is True and answer["accepted"] is True
    navigation = answer["navigation"]
    assert navigation["outcome"] == "finished" and navigation["httpStatus"] == 200
    assert navigation["url"] == site.url + "/" and navigation["mimeType"] == "text/html"
    assert navigation["error"] is None and navigation["redirects"] == []
    timings = navigation["timings"]
    assert 0 <= timings["commit"] <= timings["domContentLoaded"] <= timings["finish"]
    state = await controller.state()
    assert (state["url"], state["title"], state["isLoading"]) == (site.url + "/", "Home", False)
    assert "<h1 id=\"h\">Home</h1>" in (await controller.get("/html"))["html"]


async def test_redirects_are_listed(controller, site):
    navigation = (await controller.load(site.url + "/redirect/3"))["navigation"]
    assert navigation["url"] == site.url + "/page/end"
    assert [hop["status"] for hop in navigation["redirects"]] == [302, 302, 302]
    assert all(hop["kind"] == "http" for hop in navigation["redirects"])


@pytest.mark.parametrize("status", [404, 500])
async def test_an_error_page_of_a_site_is_a_page(controller, site, status):
    answer = await controller.load(f"{site.url}/status/{status}")
    assert answer["loaded"] is True and answer["navigation"]["httpStatus"] == status


async def test_no_content_keeps_the_page(controller, site):
    await controller.load(site.url + "/")
    answer = await controller.load(site.url + "/status/204")
    assert answer["loaded"] is False and answer["navigation"]["outcome"] == "noContent"
    assert (await controller.state())["url"] == site.url + "/"


@pytest.mark.parametrize("url, code", [
    ("http://127.0.0.1:1/", ("cannotConnect", "blockedByPolicy", "other")),
    ("http://no-such-host.invalid/", ("cannotFindHost",)),
])
async def test_what_cannot_be_reached_is_told(controller, url, code):
    answer = await controller.load(url)
    assert answer["loaded"] is False and answer["navigation"]["outcome"] == "failed"
    assert answer["navigation"]["error"]["code"] in code


async def test_a_refused_connection_is_told(controller, unused_tcp_port_factory):
    answer = await controller.load(f"http://127.0.0.1:{unused_tcp_port_factory()}/")
    assert answer["loaded"] is False and answer["navigation"]["error"]["code"] == "cannotConnect"


@pytest.mark.parametrize("path, title", [("/latin1", "café"), ("/utf8-undeclared", "café 🙂")])
async def test_character_sets(controller, site, path, title):
    await controller.load(site.url + path)
    assert (await controller.state())["title"] == title


async def test_a_deadline_ends_the_waiting_not_the_load(controller, site):
    error = (await controller.post("/load/url", {"url": site.url + "/hang", "timeout": 0.4}, status=504))["error"]
    assert error["code"] == "timeout" and error["details"]["navigation"]["outcome"] is None
    assert (await controller.state())["isLoading"] is True
    await controller.post("/stop", status=204)
    answer = await controller.post("/wait", {})
    assert answer["navigation"]["outcome"] == "stopped" and answer["loaded"] is False


async def test_a_newer_load_replaces_the_older(controller, site):
    first = asyncio.create_task(controller.load(site.url + "/hang?" + controller.id))
    await until(lambda: any(controller.id in r.query_string for r in site.requests), what="the request of the page")
    second = await controller.load(site.url + "/page/newer")
    assert (await first)["navigation"]["outcome"] == "replaced"
    assert second["loaded"] is True and second["navigation"]["url"].endswith("/page/newer")


async def test_without_waiting_the_answer_is_202(controller, site):
    answer = await controller.post("/load/url", {"url": site.url + "/", "wait": {"event": "none"}}, status=202)
    assert answer["navigation"]["outcome"] is None
    assert (await controller.post("/wait", {}))["navigation"]["id"] == answer["navigation"]["id"]


async def test_history(controller, site):
    await controller.load(site.url + "/page/a")
    await controller.load(site.url + "/page/b")
    assert (await controller.post("/history/back", {}))["navigation"]["url"] == site.url + "/page/a"
    state = await controller.state()
    assert (state["canNavigateBack"], state["canNavigateForward"], state["title"]) == (False, True, "a")
    assert (await controller.post("/history/forward", {}))["navigation"]["url"] == site.url + "/page/b"
    assert (await controller.post("/history/forward", {})) == {"accepted": False, "loaded": False, "navigation": None}
    assert (await controller.post("/reload", {}))["loaded"] is True
    assert "Pragma" not in site.requests[-1].headers
    assert (await controller.post("/reload", {"fromOrigin": True}))["loaded"] is True
    assert (site.requests[-1].path, site.requests[-1].headers["Pragma"]) == ("/page/b", "no-cache")


async def test_reload_from_the_origin_goes_past_given_content(controller, site):
    await controller.html("<title>given</title>", baseURL=site.url + "/page/real")
    assert (await controller.post("/reload", {}))["loaded"] is True
    assert (await controller.state())["title"] == "given"
    assert (await controller.post("/reload", {"fromOrigin": True}))["loaded"] is True
    assert (await controller.state())["title"] == "real"


async def test_a_fragment_is_the_same_document(controller, site):
    await controller.load(site.url + "/")
    await controller.evaluate("window.marker = 5")
    answer = await controller.load(site.url + "/#part")
    assert answer["loaded"] is True and answer["navigation"]["outcome"] == "sameDocument"
    assert await controller.evaluate("return window.marker") == 5


async def test_given_content(controller):
    answer = await controller.html("<title>given</title><a id=l href=x>l</a>", baseURL="https://example.com/base/")
    assert answer["loaded"] is True
    assert await controller.evaluate("return [document.title, document.getElementById('l').href]") == [
        "given", "https://example.com/base/x"]


async def test_data_is_decoded_by_its_encoding(controller):
    for encoding in ("iso-8859-1", "utf-16le", "shift_jis"):
        text = "<title>日本</title>" if encoding == "shift_jis" else "<title>é</title>"
        data = base64.b64encode(text.encode(encoding)).decode()
        await controller.post("/load/data", {"dataBase64": data, "mimeType": "text/html", "encoding": encoding})
        assert (await controller.state())["title"] == text[7:-8], encoding
    await controller.request(
        "POST", "/load/data?mimeType=text/html&encoding=windows-1251", data="<title>Привет</title>".encode("cp1251"),
        headers={"Content-Type": "application/octet-stream"})
    assert (await controller.state())["title"] == "Привет"
    unknown = {"data": "x", "mimeType": "text/html", "encoding": "klingon"}
    assert (await controller.post("/load/data", unknown, status=400))["error"]["details"]["pointer"] == "/encoding"


async def test_files_below_the_files_directory(server, controller):
    (server.files / "sub").mkdir(exist_ok=True)
    (server.files / "index.html").write_text("<title>file</title><img id=i src=sub/x.svg>")
    (server.files / "sub/x.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>")
    width = "return document.getElementById('i').naturalWidth"
    assert (await controller.post("/load/file", {"path": "index.html"}))["loaded"] is True
    assert (await controller.state())["title"] == "file"
    assert await controller.evaluate(width) == 0, "the default read access is the file alone"
    await controller.post("/load/file", {"path": "index.html", "allowingReadAccessTo": "."})
    assert await controller.evaluate(width) == 7
    missing = await controller.post("/load/file", {"path": "missing.html"})
    assert missing["navigation"]["error"]["code"] == "fileNotFound"


@pytest.mark.parametrize("path", ["/etc/passwd", "../../etc/passwd", "link"])
async def test_files_outside_are_forbidden(server, controller, path):
    link = server.files / "link"
    if not link.is_symlink():
        link.symlink_to("/etc/passwd")
    error = (await controller.post("/load/file", {"path": path}, status=403))["error"]
    assert error["code"] == "forbidden"


async def test_before_the_first_load(controller):
    assert await controller.get("/html") == {"html": None}
    assert await controller.evaluate("return document.URL") == "about:blank"
    for path in ("/reload", "/history/back", "/history/forward"):
        assert await controller.post(path, {}) == {"accepted": False, "loaded": False, "navigation": None}
    state = await controller.state()
    assert state["url"] is None and state["isLoading"] is False
    events = (await controller.get("/events?types=all"))["events"]
    assert [e for e in events if e["event"]["type"] not in ("stateChange",)] == []


async def test_operations_of_one_turn_are_told_to_their_end(controller, site):
    """Loads that meet one another on a channel: the last one's document is there, and its caller is told so."""
    await controller.load(site.url + "/page/first")
    one, other = {"url": site.url + "/page/one"}, {"url": site.url + "/page/other"}
    html = {"html": "<title>other</title>"}
    async with controller.channel() as channel:
        for operations in (
            [("loadURL", one), ("loadURL", other)], [("loadURL", other), ("stopLoading", {}), ("loadURL", other)],
            [("loadHTML", html), ("loadURL", other)], [("loadURL", one), ("loadHTML", html)],
            [("evaluateJavaScript", {"javaScript": "location.hash = 'h'"}), ("loadURL", other)],
            [("reload", {}), ("loadURL", other)], [("goBack", {}), ("loadURL", other)],
        ):
            sent = [await channel.send(method, controllerId=controller.id, **params) for method, params in operations]
            result = await channel.response(sent[-1])
            assert result["navigation"]["outcome"] == "finished", operations
            assert (await controller.state())["isLoading"] is False, operations
            assert await controller.evaluate("return document.title") == "other", operations


async def test_a_step_back_behind_a_fragment_ends(controller, site):
    for fragment in ("", "#1", "#2"):
        await controller.load(site.url + "/page/x" + fragment)
    async with controller.channel() as channel:
        await channel.send("loadURL", controllerId=controller.id, url=site.url + "/page/x#3")
        back = await channel.send("goBack", controllerId=controller.id)
        assert (await channel.response(back))["navigation"]["outcome"] == "sameDocument"
    assert await controller.evaluate("return location.href") == (await controller.state())["url"]
    assert (await controller.state())["isLoading"] is False
