"""Where pages have been, and going there again."""

import asyncio
import json

import pytest

from harness.recorder import response
from harness.waiting import until


def paths(history, site):
    """The list as one row, the current entry marked."""
    row = [item["url"] for item in history["backList"]]
    row += ["*" + history["currentItem"]["url"]] if history["currentItem"] else []
    return [url.replace(site.url, "") for url in row + [item["url"] for item in history["forwardList"]]]


async def test_a_fresh_controller_has_none(controller):
    assert await controller.get("/history") == {"backList": [], "currentItem": None, "forwardList": []}


async def test_the_list_and_going_to_its_entries(controller, site):
    await controller.load(site.url + "/redirect/2")
    for name in ("b", "c"):
        await controller.load(f"{site.url}/page/{name}")
    history = await controller.get("/history")
    assert paths(history, site) == ["/page/end", "/page/b", "*/page/c"]
    first, second = history["backList"]
    assert first["initialURL"] == site.url + "/redirect/2" and second["initialURL"] == site.url + "/page/b"
    assert [item["title"] for item in (first, second, history["currentItem"])] == ["end", "b", "c"]
    await controller.evaluate("window.mark = 1")
    answer = await controller.post(f"/history/{first['id']}/load", {})
    assert answer["loaded"] is True and answer["accepted"] is True
    navigation = answer["navigation"]
    assert navigation["url"] == site.url + "/page/end" and navigation["outcome"] == "finished"
    assert navigation["httpStatus"] == 200 and navigation["mimeType"] == "text/html"
    assert 0 <= navigation["timings"]["commit"] <= navigation["timings"]["finish"]
    now = await controller.get("/history")
    assert paths(now, site) == ["*/page/end", "/page/b", "/page/c"]
    assert [item["id"] for item in [now["currentItem"], *now["forwardList"]]] == [first["id"], second["id"], history["currentItem"]["id"]]
    state = await controller.state()
    assert (state["canNavigateBack"], state["canNavigateForward"]) == (False, True)
    await controller.post(f"/history/{history['currentItem']['id']}/load", {})
    assert await controller.evaluate("return window.mark") == 1, "the page comes back as it was left"
    assert paths(await controller.get("/history"), site) == ["/page/end", "/page/b", "*/page/c"]


async def test_entries_that_are_not_there_are_refused(server, controller, site):
    await controller.load(site.url + "/page/a")
    await controller.load(site.url + "/page/b")
    expired = (await controller.get("/history"))["currentItem"]["id"]
    await controller.post("/history/back", {})
    await controller.load(site.url + "/page/c")
    other = await server.controller(ephemeral=True)
    await other.load(site.url + "/page/a")
    foreign = (await other.get("/history"))["currentItem"]["id"]
    for item in (expired, foreign, "h1", "%20", "x" * 3000):
        error = (await controller.post(f"/history/{item}/load", {}, status=400))["error"]
        assert error["code"] == "invalidArgument" and error["details"] == {"parameter": "itemId"}, item
    assert (await controller.state())["title"] == "c"
    await other.dispose()
    await other.get("/history", status=410)


async def test_steps_within_the_document(controller, site):
    await controller.load(site.url + "/page/a")
    await controller.evaluate("history.pushState(1, '', '/pushed'); location.hash = 'h'; window.mark = 1")
    history = await controller.get("/history")
    assert paths(history, site) == ["/page/a", "/pushed", "*/pushed#h"]
    answer = await controller.post(f"/history/{history['backList'][0]['id']}/load", {})
    assert answer["loaded"] is True and answer["navigation"]["outcome"] == "sameDocument"
    assert answer["navigation"]["url"] == site.url + "/page/a"
    assert await controller.evaluate("return window.mark") == 1


async def test_two_steps_at_once_are_two_steps(server, controller, site, recorder):
    """The first one leads to a page that does not answer, so that the others come while it is on its way."""
    urls = [site.url + "/page/a", recorder.url + "/b", site.url + "/page/c"]
    recorder.answers["/b"] = response("<title>b</title>", headers=["Cache-Control: no-store"])
    for url in urls:
        await controller.load(url)
    recorder.answers["/b"] = recorder.ended
    await kill_pages(server, controller)
    async with controller.channel() as channel:
        sent = [await channel.send("goBack", controllerId=controller.id) for _ in range(3)]
        answers = {}
        for number in sorted(sent):
            found = [m for m in channel.seen if m["type"] == "response" and m["id"] == number]
            answers[number] = found[0]["result"] if found else await channel.response(number)
    first, second, third = (answers[number] for number in sent)
    assert (first["navigation"]["outcome"], first["navigation"]["url"]) == ("replaced", urls[1])
    assert (second["navigation"]["outcome"], second["navigation"]["url"]) == ("finished", urls[0])
    assert third == {"accepted": False, "loaded": False, "navigation": None}
    history = await controller.get("/history")
    assert [item["url"] for item in [history["currentItem"], *history["forwardList"]]] == urls
    assert history["backList"] == []


async def test_changes_are_told_once(controller, site):
    async def told():
        events = (await controller.get("/events?types=backForwardListChanged"))["events"]
        assert all("state" not in e["event"] and e["event"]["navigationId"] for e in events)
        return len(events)

    await controller.load(site.url + "/page/a")
    assert await told() == 1
    await controller.post("/reload", {})
    assert await told() == 1
    await controller.load(site.url + "/page/b")
    assert await told() == 2
    await controller.post("/history/back", {})
    assert await told() == 3
    await controller.html("<p>given")
    assert await told() == 3
    await controller.load(site.url + "/page/c")
    async with controller.channel() as channel:
        await channel.call("subscribe", events=["backForwardListChanged"])
        await controller.evaluate("location.hash = 'x'")
        event = await channel.event("backForwardListChanged")
        assert event["controllerId"] == controller.id


@pytest.mark.parametrize("step", ["item", "back"])
async def test_the_list_outlives_the_process(controller, site, step):
    await controller.load(site.url + "/page/a")
    await controller.load(site.url + "/page/b")
    before = await controller.get("/history")
    await controller.evaluate("while (true) {}", status=504, timeout=0.3)
    await controller.evaluate("return 1", status=502)
    assert paths(await controller.get("/history"), site) == ["/page/a", "*/page/b"]
    way = f"/history/{before['backList'][0]['id']}/load" if step == "item" else "/history/back"
    answer = await controller.post(way, {})
    assert answer["navigation"]["outcome"] == "finished" and answer["navigation"]["url"] == site.url + "/page/a"
    assert (await controller.state())["title"] == "a"
    after = await controller.get("/history")
    assert [after["currentItem"]["id"], after["forwardList"][0]["id"]] == [before["backList"][0]["id"], before["currentItem"]["id"]]


@pytest.mark.parametrize("script", ["history.pushState(1, '', '/pushed')", "location.hash = 'h'"])
async def test_a_step_within_the_document_ends_what_loads(controller, site, recorder, script):
    ended = asyncio.Event()

    async def never(writer):
        await recorder.ended(writer)
        ended.set()

    recorder.answers["/never"] = never
    await controller.load(site.url + "/page/a")
    await controller.evaluate(script + "; window.mark = 1")
    await controller.post("/load/url", {"url": recorder.url + "/never", "wait": {"event": "none"}}, status=202)
    await until(lambda: recorder.seen("/never"), what="the request")
    navigation = (await controller.post("/history/back", {}))["navigation"]
    assert (navigation["outcome"], navigation["url"]) == ("sameDocument", site.url + "/page/a")
    assert await controller.evaluate("return [location.pathname + location.hash, window.mark]") == ["/page/a", 1]
    async with asyncio.timeout(20):
        await ended.wait()
    state = await controller.state()
    assert (state["url"], state["isLoading"]) == (site.url + "/page/a", False)


NEWER = {
    "url": ("/load/url", {"url": "NEW"}),
    "html": ("/load/html", {"html": "<p>", "baseURL": "NEW"}),
    "request": ("/load/request", {"url": "NEW", "headers": {"X-A": "b"}}),
    "GET that any cache may answer": ("/load/request", {"url": "NEW", "cachePolicy": "returnCacheDataElseLoad"}),
    "POST": ("/load/request", {"url": "NEW", "method": "POST", "body": "a=1"}),
    "PUT": ("/load/request", {"url": "NEW", "method": "PUT", "body": "a=1"}),
    "simulated": ("/load/simulated", {"request": {"url": "NEW"}, "response": {}, "html": "<p>"}),
    "reload": ("/reload", {}),
}


@pytest.mark.parametrize("by", ["client", "page"])
@pytest.mark.parametrize("newer", NEWER)
async def test_what_takes_the_place_of_a_step_begins_where_the_page_is(controller, recorder, newer, by):
    held = asyncio.Event()

    async def hold(writer):
        held.set()
        await recorder.ended(writer)

    recorder.answers["/2"] = response("<title>2", headers=["Cache-Control: no-store"])
    for number in range(1, 8):
        await controller.load(f"{recorder.url}/{number}")
    await controller.post("/history/back")
    target = (await controller.get("/history"))["backList"][1]["id"]
    recorder.answers["/2"] = hold
    if by == "client":
        step = asyncio.ensure_future(controller.post(f"/history/{target}/load", {}))
    else:
        await controller.evaluate("history.go(-4)")
    await asyncio.wait_for(held.wait(), 20)
    path, body = NEWER[newer]
    body = json.loads(json.dumps(body).replace("NEW", recorder.url + "/new"))
    assert (await controller.post(path, body))["loaded"]
    if by == "client":
        assert (await step)["navigation"]["outcome"] == "replaced"
    # Given content has no entry.
    is_added = newer not in ("html", "PUT", "simulated", "reload")
    there = ["/1", "/2", "/3", "/4", "/5", *(["/6", "*/new"] if is_added else ["*/6", "/7"])]
    assert paths(await controller.get("/history"), recorder) == there


async def test_of_steps_at_once_those_beyond_the_first_entry_are_not_accepted(controller, site):
    await controller.load(site.url + "/page/a")
    await controller.evaluate("location.hash = '1'; location.hash = '2'")
    answers = await asyncio.gather(*(controller.post("/history/back", {}) for _ in range(5)))
    assert sum(answer["accepted"] for answer in answers) == 2
    assert sum(answer["loaded"] for answer in answers) in (1, 2)
    assert paths(await controller.get("/history"), site) == ["*/page/a", "/page/a#1", "/page/a#2"]


@pytest.mark.parametrize("from_origin", [False, True])
async def test_a_reload_after_the_process_ended(server, controller, site, from_origin):
    for name in ("a", "b", "c"):
        await controller.load(f"{site.url}/page/{name}")
    await controller.post("/history/back", {})
    before = await controller.get("/history")
    await kill_pages(server, controller)
    seen = len(site.requests)
    navigation = (await controller.post("/reload", {"fromOrigin": from_origin}))["navigation"]
    assert (navigation["outcome"], navigation["url"]) == ("finished", site.url + "/page/b")
    after = await controller.get("/history")
    if from_origin:
        assert [request.path for request in site.requests[seen:]] == ["/page/b"], "no cache answers"
        assert after["forwardList"] == []
    else:
        assert paths(after, site) == ["/page/a", "*/page/b", "/page/c"]
        assert after["currentItem"]["id"] == before["currentItem"]["id"]


async def test_a_reload_after_the_process_ended_posts_again(server, controller, recorder):
    await controller.load(recorder.url + "/form")
    form = f"<form method=post action='{recorder.url}/posted'><input name=a value=b></form>"
    await controller.evaluate(f'document.body.innerHTML = "{form}"; document.forms[0].submit()')
    await until(lambda: recorder.seen("/posted"), what="the form")
    await controller.post("/wait", {})
    await kill_pages(server, controller)
    assert (await controller.post("/reload", {}))["navigation"]["outcome"] == "finished"
    assert [(request.method, request.body) for request in recorder.seen("/posted")] == [("POST", b"a=b")] * 2
    history = await controller.get("/history")
    assert [item["url"] for item in history["backList"]] == [recorder.url + "/form"]


async def kill_pages(server, controller):
    async with controller.channel() as channel:
        await channel.call("subscribe")
        server.kill_pages()
        await channel.event("webContentProcessTerminated")


GIVEN = {
    "html": ("/load/html", {"html": "<title>given", "baseURL": "BASE/given"}),
    "data": ("/load/data", {"data": "<title>given", "mimeType": "text/html", "baseURL": "BASE/given"}),
    "simulated": ("/load/simulated", {"request": {"url": "BASE/given"}, "response": {}, "html": "<title>given"}),
    "PUT": ("/load/request", {"url": "BASE/given", "method": "PUT", "body": "a=1"}),
}


@pytest.mark.parametrize("step", ["back", "item"])
@pytest.mark.parametrize("entry", ["history.pushState(1, '', '/pushed')", "location.hash = 'h'"])
@pytest.mark.parametrize("given", GIVEN)
async def test_a_step_leads_out_of_given_content(controller, recorder, given, entry, step):
    """WebKit takes that for the document whose place it took, and the step for one within it."""
    await controller.load(recorder.url + "/a")
    await controller.evaluate(entry)
    path, body = GIVEN[given]
    assert (await controller.post(path, json.loads(json.dumps(body).replace("BASE", recorder.other))))["loaded"]
    before = await controller.get("/history")
    way = "/history/back" if step == "back" else f"/history/{before['backList'][0]['id']}/load"
    answer = await controller.post(way, {})
    assert (answer["navigation"]["outcome"], answer["navigation"]["url"]) == ("finished", recorder.url + "/a"), answer
    assert await controller.evaluate("return [document.title, origin, location.href]") == [
        "/a", recorder.url, recorder.url + "/a"]
    after = await controller.get("/history")
    assert (after["currentItem"]["id"], after["forwardList"][0]["id"]) == (before["backList"][0]["id"], before["currentItem"]["id"])
    assert (await controller.post("/history/forward", {}))["navigation"]["outcome"] == "sameDocument"


async def test_a_step_leads_out_of_given_content_to_a_fragment(controller, recorder):
    await controller.load(recorder.url + "/a")
    await controller.evaluate("location.hash = '1'")
    await controller.evaluate("location.hash = '2'")
    await controller.html("<title>given", baseURL=recorder.other + "/given")
    answer = await controller.post("/history/back", {})
    assert (answer["navigation"]["outcome"], answer["navigation"]["url"]) == ("finished", recorder.url + "/a#1"), answer
    assert await controller.evaluate("return [document.title, location.href]") == ["/a", recorder.url + "/a#1"]


async def test_steps_within_given_content_stay_there(controller, recorder):
    await controller.load(recorder.url + "/a")
    await controller.html("<title>given", baseURL=recorder.url + "/given")
    await controller.evaluate("history.pushState(1, '', '/1'); history.pushState(2, '', '/2')")
    assert (await controller.post("/history/back", {}))["navigation"]["outcome"] == "sameDocument"
    assert await controller.evaluate("return [document.title, location.pathname, history.state]") == ["given", "/1", 1]
