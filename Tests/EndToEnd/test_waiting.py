"""What answers wait for beside the load: elements, functions, a quiet network, time."""

import asyncio
import uuid

import pytest

from harness.waiting import until

LATER = "<script>setTimeout(() => {{ {} }}, 150)</script>"
BOX = "document.body.innerHTML = '<p id=x>there</p>'"


@pytest.mark.parametrize("html, wait", [
    (LATER.format(BOX), {"selector": "#x"}),
    (LATER.format(BOX), {"visible": "#x"}),
    ("<p id=x style=display:none>there</p>" + LATER.format("x.style.display = 'block'"), {"visible": "#x"}),
    ("<p id=x style=visibility:hidden>there</p>" + LATER.format("x.style.visibility = 'visible'"), {"visible": "p"}),
    ("<p id=x></p>" + LATER.format("x.textContent = 'there'"), {"visible": "#x"}),
    ("<p id=y>busy</p>" + LATER.format("y.remove();" + BOX), {"hidden": "#y"}),
    ("<p id=y>busy</p>" + LATER.format("y.style.display = 'none';" + BOX.replace("innerHTML =", "innerHTML +=")), {"hidden": "#y"}),
    (LATER.format(BOX), {"function": "return document.querySelector('#x')"}),
    (LATER.format(BOX), {"function": "return new Promise(done => setTimeout(() => done(window.x), 20))"}),
    (LATER.format(BOX), {"function": "await null; return document.querySelectorAll('#x').length"}),
    (LATER.format(BOX), {"selector": "p", "visible": "#x", "hidden": "#y", "function": "return x", "delay": 0.05}),
])
async def test_the_answer_comes_when_it_is_so(controller, site, html, wait):
    assert (await controller.load(site.given(html), wait=wait))["loaded"] is True
    assert await controller.evaluate("return document.querySelector('#x').textContent") == "there"


async def test_what_is_so_already_is_answered_and_none_of_it_is_seen_by_the_page(controller, site):
    hostile = ("<form><input name=querySelector><input name=querySelectorAll></form><p id=x>x</p><script>"
               "Document.prototype.querySelector = () => { throw 1 }; Promise = null; JSON.stringify = () => 'x'</script>")
    await controller.load(site.given(hostile))
    wait = {"event": "none", "selector": "#x", "visible": "#x", "hidden": "#y", "function": "return 1", "delay": 0}
    assert (await controller.post("/wait", {"wait": wait}))["loaded"] is True


@pytest.mark.parametrize("value", ["null", "0", "''", "NaN", "document.all", "Promise.resolve(false)", "undefined", "0n"])
async def test_what_is_not_true_is_waited_for(controller, value):
    await controller.html("<p>")
    error = (await controller.post("/wait", {"wait": {"function": f"return {value}"}, "timeout": 0.3}, status=504))["error"]
    assert error["details"]["condition"] == "function"


@pytest.mark.parametrize("value", ["document", "() => 1", "Symbol()", "window", "1n", "[]", "Promise.resolve(document.body)"])
async def test_anything_else_is_true_whether_or_not_it_can_be_told(controller, value):
    await controller.html("<p>")
    assert (await controller.post("/wait", {"wait": {"function": f"return {value}"}}))["loaded"] is True


async def test_mistakes_are_told_at_once(controller, site):
    for selector in ("a[", "::", ">"):
        for name in ("selector", "visible", "hidden"):
            error = (await controller.post("/load/html", {"html": "<p>", "wait": {name: selector}}, status=400))["error"]
            assert error["code"] == "invalidArgument" and error["details"]["pointer"] == f"/wait/{name}"
    for code, name in (("return x.y.z", "ReferenceError"), ("return (", "SyntaxError"), ("throw new TypeError('no')", "TypeError"),
                       ("return Promise.reject(new RangeError('no'))", "RangeError")):
        error = (await controller.post("/load/html", {"html": "<p>", "wait": {"function": code}}, status=422))["error"]
        assert error["code"] == "javaScriptError" and error["details"]["name"] == name
    assert (await controller.load(site.url + "/"))["loaded"] is True


@pytest.mark.parametrize("wait, condition", [
    ({"selector": "#never"}, "selector"), ({"visible": "#never"}, "visible"), ({"hidden": "html"}, "hidden"),
    ({"function": "return new Promise(() => {})"}, "function"), ({"networkIdle": 30}, "networkIdle"), ({"delay": 30}, "delay"),
    ({"selector": "html", "hidden": "html"}, "hidden")])
async def test_the_deadline_tells_what_did_not_come_true(controller, wait, condition):
    await controller.html("<p>")
    error = (await controller.post("/wait", {"wait": wait, "timeout": 0.5}, status=504))["error"]
    assert error["code"] == "timeout"
    assert error["details"]["condition"] == condition
    assert error["details"]["navigation"]["outcome"] == "finished"
    assert await controller.evaluate("return 1") == 1


async def test_the_event_is_told_as_what_did_not_come_true(controller, site):
    body = {"url": site.url + "/hang", "wait": {"selector": "p"}, "timeout": 0.4}
    error = (await controller.post("/load/url", body, status=504))["error"]
    assert error["details"]["condition"] == "event" and error["details"]["navigation"]["outcome"] is None


@pytest.mark.parametrize("event", ["none", "commit", "load", "domContentLoaded"])
async def test_a_load_that_fails_is_answered_at_once(controller, event):
    wait = {"event": event, "selector": "#x", "delay": 60}
    answer = await controller.load("http://127.0.0.1:1/", wait=wait)
    assert answer["loaded"] is False and answer["navigation"]["outcome"] == "failed"
    again = await controller.post("/wait", {"wait": {"selector": "#x"}})
    assert again["navigation"] == answer["navigation"]


async def test_without_an_event_it_is_of_the_new_document_all_the_same(controller, site):
    await controller.load(site.url + "/page/old")
    path = f"/held/{uuid.uuid4()}"
    load = asyncio.create_task(controller.load(site.url + path, wait={"event": "none", "selector": "h1"}))
    await site.reached(path)
    site.let_go(path.removeprefix("/held/"))
    assert (await load)["navigation"]["timings"]["commit"] is not None


async def test_conditions_outlive_documents(controller, site):
    html = f"<script>setTimeout(() => location = {site.url + '/page/second'!r}, 800)</script>"
    answer = await controller.load(site.given(html), wait={"function": "return document.title === 'second'"})
    assert "/given" in answer["navigation"]["url"] and answer["loaded"] is True


@pytest.mark.parametrize("otherwise", ["false", "new Promise(() => {})"], ids=["between two looks", "while it is looked for"])
async def test_conditions_survive_a_load_of_somebody_elses(controller, site, otherwise):
    def looked_at():
        return controller.evaluate("return window.isLookedAt === true")

    function = f"window.isLookedAt = true; return document.title === 'Home' || {otherwise}"
    first = await controller.load(site.url + "/page/first")
    waiting = asyncio.create_task(controller.post("/wait", {"wait": {"function": function}}))
    await until(looked_at, what="a look at the first document")
    await controller.load(site.url + "/page/second")
    # It is looked for there too: neither given up nor met.
    await until(looked_at, what="a look at the second document")
    assert not waiting.done()
    await controller.load(site.url + "/")
    assert (await waiting)["navigation"] == first["navigation"]


async def test_before_the_first_load_it_is_waited_for(controller, site):
    waiting = asyncio.create_task(controller.post("/wait", {"wait": {"event": "none", "selector": "#next"}}))
    await controller.load(site.url + "/")
    assert (await waiting)["loaded"] is True


async def test_the_network_is_quiet_when_nothing_is_under_way(controller, site):
    name = str(uuid.uuid4())
    ways = {
        "fetch": f"fetch('/held/{name}-fetch')",
        "xhr": f"const x = new XMLHttpRequest; x.open('GET', '/held/{name}-xhr'); x.send()",
        "image": f"new Image().src = '/held/{name}-image'",
        "frame": f"document.body.append(Object.assign(document.createElement('iframe'), {{src: '/held/{name}-frame'}}))",
    }
    for way, code in ways.items():
        await controller.load(site.given(f"<body><script>addEventListener('load', () => setTimeout(() => {{ {code} }}))</script>"))
        await site.reached(f"/held/{name}-{way}")
        wait = {"wait": {"event": "none", "networkIdle": 0.1}}
        error = (await controller.post("/wait", {**wait, "timeout": 0.5}, status=504))["error"]
        assert error["details"]["condition"] == "networkIdle", way
        site.let_go(f"{name}-{way}")
        await controller.post("/wait", wait)


@pytest.mark.parametrize("code", ["document.images[0].remove()", "document.images[0].src = 'data:,'"])
async def test_an_image_that_the_page_no_longer_wants_is_under_way(controller, site, code):
    """The engine goes on to load it, and keeps its connection."""
    name = f"unwanted-{controller.id}"
    await controller.load(site.given(f"<img src=/held/{name}>"), wait={"event": "domContentLoaded"})
    await site.reached(f"/held/{name}")
    await controller.evaluate(code)
    wait = {"wait": {"event": "none", "networkIdle": 0.1}}
    error = (await controller.post("/wait", {**wait, "timeout": 0.5}, status=504))["error"]
    assert error["details"]["condition"] == "networkIdle"
    site.let_go(name)
    await controller.post("/wait", wait)


@pytest.mark.parametrize("path", ["/status/204", "/page/other", "/redirect/3"])
async def test_a_navigation_that_ends_leaves_nothing_under_way(controller, site, path):
    await controller.load(site.given("<img src=/hang>"), wait={"event": "commit"})
    await controller.load(site.url + path)
    await controller.post("/wait", {"wait": {"event": "none", "networkIdle": 0.1}, "timeout": 20})


async def test_pages_without_a_word_of_their_own_scripts_are_looked_into(controller, site):
    await controller.load(site.url + "/forbids-scripts")
    error = (await controller.post("/wait", {"wait": {"selector": "h1"}}, status=422))["error"]
    assert error["code"] == "unsupported"


async def test_a_page_that_hangs_costs_its_waiter_the_deadline(controller, site):
    hang = "<p><script>addEventListener('load', () => setTimeout(() => { while (true); }, 50))</script>"
    await controller.html(hang)
    error = (await controller.post("/wait", {"wait": {"selector": "#never"}, "timeout": 1}, status=504))["error"]
    assert error["details"]["condition"] == "selector"
    assert (await controller.load(site.url + "/page/next", wait={"visible": "h1"}))["loaded"] is True


async def test_the_end_of_the_process_ends_the_wait(server, controller):
    load = asyncio.create_task(
        controller.post("/load/html", {"html": "<p>", "wait": {"selector": "#never"}}, status=502))
    await until(lambda: finished(controller), what="the load")
    server.kill_pages()
    assert (await load)["error"]["details"]["reason"] == "crashed"
    again = await controller.html("<p id=x>", wait={"selector": "#x"})
    assert again["loaded"] is True


async def test_disposal_ends_the_wait_as_disposed(server):
    controller = await server.controller(ephemeral=True)
    load = asyncio.create_task(controller.html("<p>", wait={"selector": "#never"}))
    await until(lambda: finished(controller), what="the load")
    await controller.dispose()
    answer = await load
    assert answer["loaded"] is False and answer["navigation"]["outcome"] == "disposed"
    assert answer["navigation"]["error"]["code"] == "disposed"


async def finished(controller):
    return (await controller.get("/events?types=loadFinish"))["events"]


@pytest.mark.parametrize("by", ["hang-up", "cancellation"])
async def test_a_caller_that_leaves_leaves_nothing(controller, by):
    """Nobody looks at the page any more: while others look, its count stands."""
    async def looks():
        return await controller.evaluate("return window.looks ?? 0")

    async def stands():
        before = await looks()
        await controller.post("/wait", {"wait": {"function": "window.others = (window.others ?? 0) + 1; return others % 5 === 0"}})
        return await looks() == before

    await controller.html("<p>")
    wait = {"function": "window.looks = (window.looks ?? 0) + 1; return false"}
    async with controller.channel() as channel:
        if by == "cancellation":
            number = await channel.send("waitForLoad", wait=wait)
        else:
            waiting = asyncio.create_task(controller.post("/wait", {"wait": wait}))
        await until(looks, what="a look at the page")
        assert not await stands()
        if by == "cancellation":
            assert await channel.call("cancel", id=number) == {"cancelled": True}
        else:
            waiting.cancel()
        await until(stands, what="the end of the looks")


async def test_raw_bodies_have_it_in_the_query(controller):
    html = "<script>setTimeout(() => document.body.innerHTML = '<p id=x>', 100)</script><body>"
    path = controller.path + "/load/data?mimeType=text/html&wait.selector=%23x&wait.delay=0.01"
    answer = await controller.server.request(
        "POST", path, data=html.encode(), headers={"Content-Type": "application/octet-stream"})
    assert answer["loaded"] is True
    assert await controller.evaluate("return !!document.querySelector('#x')") is True
    answer = await controller.server.post(controller.path + "/wait?wait.event=none&wait.visible=html")
    assert answer["loaded"] is True
