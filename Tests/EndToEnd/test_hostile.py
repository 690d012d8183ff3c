"""Pages and callers that mean harm: the server answers, and everybody else goes on."""

import asyncio

import pytest

from harness import processes
from harness.waiting import until


async def test_a_script_that_never_returns_is_504_and_a_load_mends_it(controller, site):
    await controller.load(site.url + "/")
    error = await controller.evaluate("await new Promise(() => {})", status=504, timeout=0.5)
    assert error["code"] == "timeout"
    assert await controller.evaluate("return 2") == 2, "the page itself is well"
    await controller.evaluate("while (true) {}", status=504, timeout=0.5)
    assert (await controller.load(site.url + "/page/after"))["loaded"] is True
    assert await controller.evaluate("return document.title") == "after"


async def test_a_hung_page_is_disposed_at_once_and_others_go_on(server, site):
    hung, other = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    await hung.load(site.url + "/")
    await other.load(site.url + "/")
    running = asyncio.create_task(hung.evaluate(
        "await fetch('/mark/' + mark); while (true) {}", status=410, timeout=30, arguments={"mark": hung.id}))
    await site.reached(f"/mark/{hung.id}")
    for _ in range(5):
        assert await other.evaluate("return 1") == 1
        assert not running.done(), "the other page is answered while this one hangs"
    await hung.dispose()
    # Had the page's deadline been first, it would be `timeout`.
    assert (await running)["code"] == "disposed"
    assert await other.evaluate("return 1") == 1
    await other.dispose()


async def test_a_page_that_hangs_by_itself(server, controller, site):
    await controller.html("")  # The process is there: what follows is the page's doing.
    await controller.post("/load/html", {"html": "<script>while (true) {}</script>", "timeout": 1}, status=504)
    await controller.evaluate("return 1", status=504, timeout=0.5)
    assert (await controller.load(site.url + "/"))["loaded"] is True
    assert await controller.evaluate("return 1") == 1


async def test_kill_9_of_the_web_process(server, controller, site):
    await controller.load(site.url + "/")
    async with controller.channel() as channel:
        await channel.call("subscribe")
        evaluation = asyncio.create_task(controller.evaluate("await new Promise(() => {})", status=502, timeout=30))
        load = asyncio.create_task(controller.load(site.url + "/hang"))
        await until(lambda: any(r.path == "/hang" for r in site.requests[-3:]), what="the request of the page")
        server.kill_pages()
        event = await channel.event("webContentProcessTerminated")
        assert event["event"]["reason"] == "crashed" and event["event"]["state"]["isLoading"] is False
    answer = await load
    assert answer["loaded"] is False and answer["navigation"]["outcome"] == "processTerminated"
    assert (await evaluation)["details"]["reason"] == "crashed"
    assert (await controller.evaluate("return 1", status=502))["code"] == "webContentProcessTerminated"
    for format in ("", "?format=html", "?format=text"):
        assert await controller.get("/html" + format) in ({"html": None}, b"")
    assert (await controller.get("/snapshot", status=502))["error"]["code"] == "webContentProcessTerminated"
    assert (await controller.post("/wait", {}))["navigation"] == answer["navigation"], "the failed navigation's result"
    state = await controller.state()
    assert (state["url"], state["isLoading"]) == (site.url + "/hang", False)
    await controller.post("/cookies", {"cookies": [{"name": "a", "value": "b", "domain": "127.0.0.1"}]})
    assert [c["name"] for c in (await controller.get("/cookies"))["cookies"]] == ["a"]
    await controller.request("PATCH", "/settings", json={"pageZoom": 2})
    await controller.request("PUT", "/message-handlers/app", json={}, status=201)
    assert len((await controller.get("/message-handlers"))["messageHandlers"]) == 1
    assert (await controller.load(site.url + "/page/again"))["loaded"] is True
    assert await controller.evaluate("return document.title") == "again"


async def test_the_end_of_one_process_concerns_its_own_page(start_server, site):
    server = await start_server()
    controller = await server.controller()
    await controller.load(site.url + "/page/kept")
    own = processes.named(server.pid, "WebKitWebProces")
    other = await server.controller()
    await other.load(site.url + "/page/other")
    async with controller.channel() as channel:
        await channel.call("subscribe")
        for pid in own:
            processes.kill(pid)
        await channel.event("webContentProcessTerminated")
    assert await other.evaluate("return document.title") == "other"
    assert (await controller.post("/reload", {}))["loaded"] is True
    assert (await controller.state())["url"] == site.url + "/page/kept"
    assert await controller.evaluate("return document.title") == "kept"


async def test_processes_that_are_killed_as_they_start_end_nobody_else(start_server, site):
    server = await start_server()
    other = await server.controller()
    await other.load(site.url + "/page/other")
    with processes.killing_new_children(server.pid) as killed:
        for _ in range(4):
            controller = await server.controller(ephemeral=True)
            error = await controller.evaluate("return 1", status=502)
            assert error["code"] == "webContentProcessTerminated"
            assert (await controller.post("/load/html", {"html": "", "timeout": 20}))["loaded"] is False
    assert len(killed) >= 8, "one process for each page, and one for its store"
    assert (await controller.load(site.url + "/page/again"))["loaded"] is True
    assert await other.evaluate("return document.title") == "other"
    assert server.process.returncode is None


async def test_disposal_settles_what_is_in_flight(server, site):
    controller = await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    await controller.request("PUT", "/message-handlers/app", json={}, status=201)
    pending = {
        name: asyncio.create_task(server.http.request(method, server.url + controller.path + path, json=body))
        for name, method, path, body in (
            ("evaluate", "POST", "/evaluate", {"javaScript": "await new Promise(() => {})"}),
            ("message", "POST", "/evaluate", {"javaScript": "await webkit.messageHandlers.app.postMessage(1)"}),
            ("events", "GET", "/events?poll=60&types=webContentProcessTerminated", None))}
    number = (await controller.get("/callbacks?poll=20"))["next"]
    pending["questions"] = asyncio.create_task(
        server.http.get(f"{server.url}{controller.path}/callbacks?poll=60&since={number}"))
    pending["load"] = asyncio.create_task(server.http.post(
        server.url + controller.path + "/load/url", json={"url": f"{site.url}/hang?{controller.id}"}))
    await until(lambda: any(controller.id in r.query_string for r in site.requests), what="the request of the page")
    pending["wait"] = asyncio.create_task(server.http.post(server.url + controller.path + "/wait", json={}))
    pending["next"] = asyncio.create_task(server.http.post(server.url + controller.path + "/wait", json={"after": "n2"}))
    assert (await controller.post("/wait", {"timeout": 0.3}, status=504))["error"]["code"] == "timeout"
    await controller.dispose()
    answers = {}
    for name, task in pending.items():
        async with asyncio.timeout(20), await task as response:
            answers[name] = (response.status, await response.json())
    for name in ("load", "wait"):
        status, answer = answers[name]
        assert (status, answer["loaded"], answer["navigation"]["outcome"]) == (200, False, "disposed")
    assert answers["next"] == (200, {"loaded": False, "accepted": False, "navigation": None})
    for name in ("evaluate", "message", "questions", "events"):
        assert (answers[name][0], answers[name][1]["error"]["code"]) == (410, "disposed"), name


async def test_no_descriptors_for_another_page_is_503(start_server, site):
    """Running out of them aborts the whole program inside of GLib."""
    server = await start_server(prefix=("prlimit", "--nofile=256:256"))
    controllers = []
    for _ in range(100):
        async with server.http.post(server.url + "/v1/controllers", json={"ephemeral": True}) as response:
            answer = await response.json()
            if response.status != 201:
                break
            controllers.append(answer["id"])
    assert response.status == 503 and response.headers["Retry-After"], answer
    assert answer["error"]["code"] == "unavailable" and answer["error"]["details"]["reason"] == "fileDescriptors"
    assert len(controllers) >= 2
    for path in ("/load/html", "/evaluate"):
        body = {"html": "<title>on</title>"} if path == "/load/html" else {"expression": "document.title"}
        answer = await server.post(f"/v1/controllers/{controllers[-1]}{path}", body)
    assert answer["result"] == "on"
    for identifier in controllers:
        await server.request("DELETE", f"/v1/controllers/{identifier}", status=204)

    async def room():
        async with server.http.post(server.url + "/v1/controllers", json={"ephemeral": True}) as made:
            return made.status == 201
    await until(room, what="room for another page")


async def test_a_document_that_forbids_scripts_says_so(controller, site):
    assert (await controller.load(site.url + "/forbids-scripts"))["loaded"] is True
    for answer in (await controller.evaluate("return 1", status=422), (await controller.get("/html", status=422))["error"]):
        assert (answer["code"], answer["details"]) == ("unsupported", {"capability": "javaScript"})
    assert (await controller.state())["title"] == "silent"
    assert (await controller.load(site.url + "/"))["loaded"] is True
    assert await controller.evaluate("return 1") == 1


async def test_kill_9_of_the_network_process(start_server, site):
    server = await start_server()
    controller = await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    for pid in processes.named(server.pid, "WebKitNetworkPr"):
        processes.kill(pid)
    assert (await controller.load(site.url + "/page/again", timeout=20))["loaded"] in (True, False)
    assert (await controller.load(site.url + "/page/third", timeout=20))["loaded"] is True


@pytest.mark.parametrize("code", [
    "return () => 1", "return Symbol('x')", "const a = {}; a.a = a; return a", "return 10n", "return NaN",
    "return document.body", "return window", "return new Map([[1, 2]])", "return Promise.resolve(() => 1)",
    "return {get x() { throw new Error('trap') }}", "return new Proxy({}, {get() { throw 1 }, ownKeys() { throw 2 }})",
    "return {toJSON() { throw new Error('j') }}", "return [undefined, () => {}]",
    "let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a",
])
async def test_results_that_cannot_be_told_are_422(controller, code):
    error = await controller.evaluate(code, status=422)
    assert error["code"] in ("serializationError", "javaScriptError")
    assert await controller.evaluate("return 1") == 1


async def test_results_that_nobody_wants_need_not_be_tellable(controller):
    for code in ("return () => 1", "return window", "return new Promise(r => setTimeout(() => r(10n)))"):
        answer = await controller.post("/evaluate", {"javaScript": f"window.ran = true; {code}", "resultMode": "discard"})
        assert answer == {}
        assert await controller.evaluate("const ran = window.ran; delete window.ran; return ran") is True
    slow = "await new Promise(r => setTimeout(r)); document.title = 'awaited'"
    assert await controller.post("/evaluate", {"javaScript": slow, "resultMode": "discard"}) == {}
    assert await controller.evaluate("return document.title") == "awaited"
    error = (await controller.post("/evaluate", {"javaScript": "throw 1", "resultMode": "discard"}, status=422))["error"]
    assert error["code"] == "javaScriptError"


@pytest.mark.parametrize("code", [
    "throw new Error('no')", "throw null", "throw 'text'", "return undefinedName", "return (", "}} return 1 {{",
    "return await Promise.reject(new TypeError('r'))",
])
async def test_scripts_that_throw_are_422(controller, code):
    assert (await controller.evaluate(code, status=422))["code"] == "javaScriptError"
    assert await controller.evaluate("return 1") == 1


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x\udc00\ud800y", "\u2028", "🙂", "\"\\</script>"])
async def test_any_string_comes_back_as_it_was_sent(controller, text):
    import json
    body = json.dumps({"javaScript": "return [t, t.length]", "arguments": {"t": text}})
    answer = await controller.request(
        "POST", "/evaluate", data=body.encode(), headers={"Content-Type": "application/json"})
    assert answer["result"][0] == text
    assert answer["result"][1] == len(text.encode("utf-16-le", "surrogatepass")) // 2


async def test_a_page_that_patches_the_language_breaks_nothing(controller):
    await controller.html("""<script>
        JSON.stringify = () => 'forged'; JSON.parse = () => { throw 1 };
        Object.prototype.toJSON = () => 'forged'; Array.prototype.map = () => { throw 2 };
        Object.keys = () => []; Symbol.iterator = null;
    </script>""")
    assert (await controller.post("/evaluate", {"expression": "1 + 1", "timeout": 10}))["result"] == 2
    assert "html" in await controller.get("/html")


async def test_a_page_that_breaks_promises_breaks_its_own_world_only(controller):
    await controller.html("<script>Promise.prototype.then = function () { return this }</script>")
    own = {"expression": "1 + 1", "timeout": 5}
    async with controller.server.http.post(
            controller.server.url + controller.path + "/evaluate", json=own) as response:
        assert response.status in (200, 422, 504)
    assert (await controller.post("/evaluate", {**own, "contentWorld": "defaultClient"}))["result"] == 2
    assert "html" in await controller.get("/html")


async def test_a_script_cannot_leave_its_function(controller):
    await controller.evaluate("return 1 }); globalThis.escaped = true; (async () => {", status=422)
    assert await controller.evaluate("return typeof globalThis.escaped") == "undefined"


@pytest.mark.parametrize("html", [
    "<script>alert(1); confirm(2); prompt(3); document.title = 'on'</script>",
    "<script>window.print(); document.title = 'on'</script>",
    "<script>for (let i = 0; i < 50; i++) window.open('/'); document.title = 'on'</script>",
    "<script>onbeforeunload = e => e.preventDefault(); document.title = 'on'</script>",
    "<script>navigator.geolocation?.getCurrentPosition(() => {}); Notification?.requestPermission?.(); document.title = 'on'</script>",
])
async def test_questions_that_nobody_answers_hold_nothing_up(controller, html):
    assert (await controller.html(html, timeout=20))["loaded"] is True
    assert await controller.evaluate("return document.title", timeout=10) == "on"
    assert (await controller.html("<title>next</title>", timeout=20))["loaded"] is True


async def test_what_a_page_throws_is_told_in_part(controller):
    error = await controller.evaluate("throw new Error('x'.repeat(20e6))", status=422, timeout=20)
    assert error["code"] == "javaScriptError" and len(error["details"]["message"]) < 100_000


async def test_a_result_that_cannot_be_told_is_named_in_a_sentence(controller):
    error = await controller.evaluate("return {a: [Infinity]}", status=422)
    assert error["message"] == "The value at /a/0 of the result is Infinity, which this result mode cannot carry."


async def test_the_memory_of_a_controller_asked_for_early_is_its_pages(server, site):
    made = await server.controller(ephemeral=True)
    for _ in range(40):  # While the sandbox is being built, and its starter has the only process.
        await server.get("/v1/controllers")
    await made.load(site.url + "/")
    listed = (await server.get("/v1/controllers"))["controllers"]
    assert next(item["memory"] for item in listed if item["id"] == made.id) > 20_000_000
    await made.dispose()
