"""Pages that go elsewhere all the time, so that what a client loads would never have its turn."""

import asyncio

import pytest

from harness.waiting import until

STUBBORN = {
    "fragments": "<script>setInterval(() => location.hash = Math.random(), 1)</script>",
    "pages": "<script>setInterval(() => location = location.href.split('&r=')[0] + '&r=' + Math.random(), 1)</script>",
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
