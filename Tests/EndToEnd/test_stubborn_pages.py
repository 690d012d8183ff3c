"""Pages that go elsewhere all the time, so that what a client loads would never have its turn."""

import asyncio

import pytest

from harness.recorder import response
from harness.waiting import until

STUBBORN = {
    "fragments": "<script>setInterval(() => location.hash = Math.random(), 1)</script>",
    "pages": "<script>setInterval(() => location = location.href.split('&r=')[0] + '&r=' + Math.random(), 1)</script>",
    "reloads": "<script>setInterval(() => location.reload(), 1)</script>",
    "pages that hang": "<script>setInterval(() => location = '/hang?' + Math.random(), 1)</script>",
    "forms": "<form action=/hang></form><script>setInterval(() => document.forms[0].submit(), 1)</script>",
    "posted forms": "<form action=/hang method=post></form><script>setInterval(() => document.forms[0].submit(), 1)</script>",
}


async def stubborn(controller, site, way):
    """Returns when the page that is there goes elsewhere."""
    await controller.load(site.given(STUBBORN[way]), wait={"event": "commit"})
    await controller.post("/wait", {"after": "n1", "wait": {"event": "none", "selector": "script"}})


async def told(controller, navigation):
    events = [e["event"] for e in (await controller.get("/events"))["events"]]
    first = next(i for i, event in enumerate(events) if event["navigationId"] == navigation["id"])
    return [event for event in events[first:] if event["type"] != "stateChange"]


@pytest.mark.parametrize("load", ["url", "html", "request", "simulated"])
@pytest.mark.parametrize("way", STUBBORN)
async def test_a_load_has_its_turn(controller, site, way, load):
    await stubborn(controller, site, way)
    url = site.url + f"/page/good?{controller.id}"
    response = {"headers": {"Content-Type": "text/html", "Content-Security-Policy": "img-src 'none'"}}
    answer = await controller.post("/load/" + load, {
        "url": {"url": url}, "html": {"html": "<title>good</title>", "baseURL": url}, "request": {"url": url, "headers": {"X-A": "b"}},
        "simulated": {"request": {"url": url}, "response": response, "html": "<title>good</title>"}}[load])
    navigation = answer["navigation"]
    assert answer["loaded"] is True and navigation["url"] == url and navigation["redirects"] == [], navigation
    assert navigation["httpStatus"] == (None if load == "html" else 200)
    events = await told(controller, navigation)
    ended = [event for event in events if event["type"] == "webContentProcessTerminated"]
    assert [event["type"] for event in events if event not in ended] == ["loadStart", "commit", "loadFinish"]
    assert [event["reason"] for event in ended] in ([], ["requested"])
    state = await controller.state()
    assert (state["url"], state["isLoading"], state["title"]) == (url, False, "good")
    assert await controller.evaluate("return document.title") == "good"
    await controller.post("/wait", {"after": navigation["id"], "timeout": 0.2}, status=504)
    if load == "request":
        assert {r.headers["X-A"] for r in site.requests if r.query_string == controller.id} == {"b"}


# Pages that open their document anew all the time, which ends what loads.
OPENING = {
    "at once": "const c = new MessageChannel; c.port1.onmessage = () => {{ {open}; c.port2.postMessage(0) }}; c.port2.postMessage(0)",
    "now and then": "setInterval(() => {{ {open} }}, 10)",
}


async def opening(controller, site, way):
    write = "document.open(); document.write('<i></i>'); document.close()"
    await controller.load(site.given(f"<script>{OPENING[way].format(open=write)}</script>"), wait={"event": "commit", "selector": "i"})


@pytest.mark.parametrize("load", ["url", "html", "simulated", "GET", "POST", "PUT", "HEAD"])
@pytest.mark.parametrize("way", OPENING)
async def test_a_load_has_its_turn_on_a_page_that_opens_its_document(controller, site, recorder, way, load):
    url, title = recorder.url + "/good", "<title>good</title>"
    recorder.answers["/good"] = response(title)
    await opening(controller, site, way)
    body = {"url": {"url": url}, "html": {"html": title, "baseURL": url}, "simulated": {"request": {"url": url}, "response": {}, "html": title}}
    answer = await controller.post("/load/" + (load.lower() if load in body else "request"), body.get(load, {"url": url, "method": load}))
    assert answer["loaded"] is True and answer["navigation"]["url"] == url, answer
    ended = ["webContentProcessTerminated"]
    assert [e["type"] for e in await told(controller, answer["navigation"]) if e["type"] not in ended] == ["loadStart", "commit", "loadFinish"]
    assert await controller.evaluate("return document.title") == ("" if load == "HEAD" else "good")
    if load in ("POST", "PUT", "HEAD"):
        assert [request.method for request in recorder.requests] == [load], "it is sent once"


@pytest.mark.parametrize("way", OPENING)
async def test_steps_lead_on_from_a_page_that_opens_its_document(controller, site, way):
    await controller.load(site.url + "/page/first")
    await opening(controller, site, way)
    assert (await controller.post("/reload", {}))["navigation"]["outcome"] == "finished"
    answer = await controller.post("/history/back", {})
    assert answer["navigation"]["outcome"] == "finished" and answer["navigation"]["url"] == site.url + "/page/first"


async def test_where_a_fetched_request_led_is_loaded_on_a_page_that_opens_its_document(controller, site, recorder):
    recorder.answers["/put"] = response(status="303 See Other", headers=["Location: /end"])
    await opening(controller, site, "at once")
    navigation = (await controller.post("/load/request", {"url": recorder.url + "/put", "method": "PUT"}))["navigation"]
    assert (navigation["outcome"], navigation["url"]) == ("finished", recorder.url + "/end")
    assert [hop["url"] for hop in navigation["redirects"]] == [recorder.url + "/put"]
    assert [request.method for request in recorder.seen("/put")] == ["PUT"]


async def test_a_page_that_opened_its_document_once_keeps_its_process(controller, site, recorder):
    await controller.load(site.url + "/page/first")
    await controller.evaluate("document.open(); document.write('<title>written</title>'); document.close()")
    navigation = (await controller.post("/load/request", {"url": recorder.url + "/x", "method": "POST"}))["navigation"]
    assert navigation["outcome"] == "finished"
    assert [event["type"] for event in await told(controller, navigation)] == ["loadStart", "commit", "loadFinish"]


async def test_a_page_that_stops_all_that_loads_cancels_it_or_loses_to_it(controller, site):
    """WebKit tells of a load that the page stops once it has begun; before that it drops it without a word."""
    await controller.load(site.given("<script>setInterval(() => window.stop(), 1)</script>"), wait={"event": "commit"})
    navigation = (await controller.load(site.url + "/page/good"))["navigation"]
    processes = [e["type"] for e in await told(controller, navigation)].count("webContentProcessTerminated")
    assert (navigation["outcome"], processes) in [("cancelled", 0), ("finished", 0), ("finished", 1)], navigation


async def test_steps_in_the_history_lead_where_they_led(controller, site):
    await controller.load(site.url + "/page/first")
    await controller.load(site.given(STUBBORN["pages that hang"]), wait={"event": "commit"})
    await controller.post("/wait", {"after": "n2", "wait": {"event": "none", "selector": "script"}})
    answer = await controller.post("/history/back", {})
    assert answer["loaded"] is True and answer["navigation"]["url"] == site.url + "/page/first"


async def test_a_load_with_redirects_tells_the_way_once(controller, site):
    await stubborn(controller, site, "pages that hang")
    navigation = (await controller.load(site.url + "/redirect/2"))["navigation"]
    assert navigation["url"] == site.url + "/page/end" and navigation["outcome"] == "finished"
    assert [hop["url"] for hop in navigation["redirects"]] == [site.url + "/redirect/2", site.url + "/redirect/1"]


# A page that goes elsewhere by itself once, when it is told to.

async def page_that_goes(controller, site):
    own = site.url + "/page/own"
    await controller.load(site.given(f"<script>setInterval(() => {{ if (window.go) {{ go = false; location = '{own}' }} }}, 1)</script>"))
    return own


async def test_a_load_is_begun_again(controller, site):
    await page_that_goes(controller, site)
    path = f"/held/to-{controller.id}"
    load = asyncio.create_task(controller.load(site.url + path))
    await site.reached(path)
    await controller.evaluate("window.go = true")
    await until(lambda: len([r for r in site.requests if r.path == path]) == 2, what="the second request")
    site.let_go(path.removeprefix("/held/"))
    navigation = (await load)["navigation"]
    assert (navigation["id"], navigation["outcome"], navigation["url"]) == ("n2", "finished", site.url + path)
    assert [event["type"] for event in await told(controller, navigation)] == ["loadStart", "commit", "loadFinish"]


@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_what_was_sent_is_not_sent_again(controller, site, recorder, method):
    """What has an effect on a site is not repeated: another navigation takes its place."""
    recorder.answers["/x"] = recorder.ended
    own = await page_that_goes(controller, site)
    load = asyncio.create_task(controller.post("/load/request", {"url": recorder.url + "/x", "method": method, "body": "x"}))
    await until(lambda: recorder.requests, what="the request")
    await controller.evaluate("window.go = true")
    navigation = (await load)["navigation"]
    assert (navigation["outcome"], navigation["error"]["code"]) == ("replaced", "cancelled")
    assert (await controller.post("/wait", {"after": navigation["id"]}))["navigation"]["url"] == own
    assert [r.method for r in recorder.requests] == [method]
