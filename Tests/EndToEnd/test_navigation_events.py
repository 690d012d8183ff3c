"""What events tell of navigations: the fixed order, one id each, and nothing that is none."""

import pytest

LIFECYCLE = "loadStart,redirect,commit,domContentLoaded,loadFinish,loadError"


async def told(controller, types=LIFECYCLE):
    """(type, navigationId) of each event, in order, and the events."""
    events = [entry["event"] for entry in (await controller.get(f"/events?types={types}"))["events"]]
    return [(event["type"], event["navigationId"]) for event in events], events


def story(identifier, *types):
    return [(kind, identifier) for kind in types]


async def test_a_load_with_redirects(controller, site):
    await controller.load(site.url + "/redirect/2")
    order, events = await told(controller)
    assert order == story("n1", "loadStart", "redirect", "redirect", "commit", "domContentLoaded", "loadFinish")
    assert [(event["url"], event["status"]) for event in events if event["type"] == "redirect"] == [
        (site.url + "/redirect/1", 302), (site.url + "/page/end", 302)]
    assert all(event["isMainFrame"] for event in events)
    assert events[-1]["state"]["url"] == site.url + "/page/end"
    assert [event["state"]["isLoading"] for event in events if "state" in event] == [True, True, True, True, False]


@pytest.mark.parametrize("path, code", [("http://127.0.0.1:2/", "cannotConnect"), ("/status/204", "other")])
async def test_a_load_without_a_document(controller, site, path, code):
    await controller.load(path if ":" in path else site.url + path)
    order, events = await told(controller)
    assert order == story("n1", "loadStart", "loadError")
    assert events[-1]["error"]["code"] == code


async def test_a_load_that_is_replaced_and_one_that_is_stopped(controller, site):
    start = {"event": "none"}
    await controller.post("/load/url", {"url": site.url + "/hang", "wait": start}, status=202)
    await controller.post("/load/url", {"url": site.url + "/hang", "wait": start}, status=202)
    await controller.post("/stop", status=204)
    await controller.load(site.url + "/")
    order, _ = await told(controller)
    assert order == (story("n1", "loadStart", "loadError") + story("n2", "loadStart", "loadError")
                     + story("n3", "loadStart", "commit", "domContentLoaded", "loadFinish"))


async def test_what_stays_in_the_document_changes_the_state_only(controller, site):
    await controller.load(site.url + "/")
    before, _ = await told(controller, "all")
    for act in ("location.hash = 'a'", "history.pushState(1, '', '/pushed')", "history.replaceState(1, '', '/replaced')",
                "history.back()"):
        await controller.evaluate(f"const was = location.href; {act}; while (location.href === was) await new Promise(done => setTimeout(done))")
    await controller.load(site.url + "/#b")
    after, events = await told(controller, "all")
    assert {kind for kind, _ in after[len(before):]} == {"stateChange", "backForwardListChanged"}
    urls = [event["state"]["url"] for event in events[len(before):] if "state" in event]
    # The load's own last change may be told after it was answered.
    shown = [url.removeprefix(site.url) for url in dict.fromkeys(urls)]
    assert [url for url in shown if url != "/"] == ["/#a", "/pushed", "/replaced", "/#b"]


async def test_changes_at_once_are_one_event(controller, site):
    await controller.load(site.url + "/")
    before, _ = await told(controller, "all")
    await controller.evaluate("for (let i = 0; i < 500; i++) document.title = i")
    await controller.evaluate("return 1")
    _, events = await told(controller, "all")
    changes = [event["state"]["title"] for event in events[len(before):]]
    assert changes[-1] == "499" and len(changes) < 250, changes


async def test_a_redirect_by_the_page_begins_when_the_load_is_over(controller, site):
    interrupting = "<p><img src=/hang><script>setTimeout(() => location = '/page/to', 100)</script>"
    answer = (await controller.load(site.given(interrupting)))["navigation"]
    assert answer["outcome"] == "replaced"
    await controller.post("/wait", {"after": "n1"})
    order, _ = await told(controller)
    assert order == (story("n1", "loadStart", "commit", "domContentLoaded", "loadError")
                     + story("n2", "loadStart", "commit", "domContentLoaded", "loadFinish"))


async def test_frames_tell_nothing(controller, site):
    await controller.load(site.given("<iframe src=/redirect/2></iframe><iframe src='/page/b#x'></iframe>"))
    order, _ = await told(controller)
    assert order == story("n1", "loadStart", "commit", "domContentLoaded", "loadFinish")
