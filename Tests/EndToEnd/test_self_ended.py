"""Pages that end their own process from inside: by recursion without an end in the engine, or by taking memory until an
allocation fails. Nobody signals the process; what the tests grant it is a bound, so that no machine runs out."""

import asyncio

import pytest

from harness import processes
from harness.server import gone
from harness.waiting import until

ENDS = {
    "a deep expression": "document.evaluate('1' + '+1'.repeat(100000), document, null, 1, null)",
    "a deep style sheet":
        "document.head.append(Object.assign(document.createElement('style'), {textContent: 'a{'.repeat(100000)}))",
    # What scripts themselves hold is an exception where memory ends; elements that no script holds are not.
    "memory": "for (;;) document.body.insertAdjacentHTML('beforeend', '<p>'.repeat(100000))",
}
GRANTED = 256  # MB, beyond what a page's process has at its start.


def web_processes(server):
    return set(processes.named(server.pid, "WebKitWebProces"))


async def bounded(server, site, html):
    """A controller that shows this page of the site, whose process takes a bounded amount of memory."""
    before = web_processes(server)
    controller = await server.controller(ephemeral=True)
    await controller.html(html, baseURL=site.url + "/")
    [pid] = web_processes(server) - before
    processes.allow_no_more_than(pid, GRANTED)
    return controller, pid


@pytest.mark.parametrize("sandbox", ["on", "off"])
@pytest.mark.parametrize("how", ENDS)
async def test_a_page_that_ends_its_own_process_concerns_itself_only(start_server, site, how, sandbox):
    server = await start_server("--sandbox", sandbox)
    other = await server.controller(ephemeral=True)
    await other.load(site.url + "/page/other")
    controller, pid = await bounded(server, site, f"<title>own</title><script>function end() {{ {ENDS[how]} }}</script>")
    async with controller.channel() as channel, other.channel() as others:
        await channel.call("subscribe")
        await others.call("subscribe")
        pending = asyncio.create_task(controller.evaluate(
            "await fetch('/mark/' + mark); await new Promise(() => {})", status=502, timeout=60,
            arguments={"mark": controller.id}))
        await site.reached(f"/mark/{controller.id}")
        load = asyncio.create_task(controller.load(f"{site.url}/hang?{controller.id}", timeout=60))
        await until(lambda: any(r.path == "/hang" and controller.id in r.query_string for r in site.requests),
                    what="the request of the page")
        waiting = asyncio.create_task(controller.post("/wait", {"timeout": 60}))
        ending = await controller.evaluate("end()", status=502, timeout=60)
        event = (await channel.event("webContentProcessTerminated"))["event"]
        assert event["reason"] == "crashed" and event["state"]["isLoading"] is False
        for rejected in (ending, await pending):
            assert (rejected["code"], rejected["details"]["reason"]) == ("webContentProcessTerminated", "crashed")
        for answer in (await load, await waiting):
            assert answer["loaded"] is False and answer["navigation"]["outcome"] == "processTerminated"
        await channel.call("getState")
        for kind in ("webContentProcessTerminated", "loadError"):
            assert len([m for m in channel.seen if m["type"] == "event" and m["event"]["type"] == kind]) == 1, kind
        await gone([pid])
        assert (await controller.evaluate("return 1", status=502))["code"] == "webContentProcessTerminated"
        # The others never noticed.
        assert await other.evaluate("return document.title") == "other"
        await others.call("getState")
        assert [m for m in others.seen if m["type"] == "event"] == []
        # And neither does what comes next.
        assert (await controller.load(site.url + "/page/next"))["loaded"] is True
        assert await controller.evaluate("return document.title") == "next"
        assert (await other.load(site.url + "/page/after"))["loaded"] is True


async def test_a_page_that_ends_its_process_while_it_loads(server, site):
    controller, _ = await bounded(server, site, "")
    answer = await controller.html(f"<title>own</title><script>{ENDS['a deep expression']}</script>", timeout=60)
    assert answer["loaded"] is False and answer["navigation"]["outcome"] == "processTerminated"
    assert answer["navigation"]["error"]["code"] == "webContentProcessTerminated"
    for _ in range(2):  # Each time anew.
        assert (await controller.load(site.url + "/page/next"))["loaded"] is True
        assert (await controller.evaluate(ENDS["a deep expression"], status=502))["details"]["reason"] == "crashed"
    await controller.dispose()
