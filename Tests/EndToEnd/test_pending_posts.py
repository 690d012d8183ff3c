"""What a page does to its history while a load by an entry of its own is pending, and what that entry is once its
document is there."""

import asyncio

import pytest

from harness.recorder import response
from harness.waiting import until

LOADS = {
    "POST": {"method": "POST", "body": "a=1"},
    "GET that any cache may answer": {"cachePolicy": "returnCacheDataElseLoad"},
    "GET": {},
}
# The script, the list afterwards, and the states of the current entry and the one before.
CHANGES = {
    "nothing": ("0", ["/1", "*/2", "/3"], None, None),
    "replaceState": ("history.replaceState({n: 1}, '', '/r')", ["/1", "*/r", "/3"], {"n": 1}, None),
    "pushState": ("history.pushState({n: 1}, '', '/p')", ["/1", "/2", "*/p"], {"n": 1}, None),
    "many": (
        "history.replaceState(0, '', '/r'); history.pushState({n: 1}, '', '/p'); history.pushState({n: 2}, '', '/q')",
        ["/1", "/r", "/p", "*/q"], {"n": 2}, {"n": 1}),
}
OWN_PROCESS = "Cross-Origin-Opener-Policy: same-origin"
NO_DOCUMENT = {
    "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "a type that is not shown": response("x", type="application/octet-stream"),
    "no answer": None, "a stop": None, "the page": None, "a time limit": None,
}


class Pending:
    """A load whose request has arrived, from a page that was left and returned to."""

    def __init__(self, controller, site):
        self.controller, self.site, self._go, self._held = controller, site, asyncio.Event(), asyncio.Event()

    async def begin(self, answer=None, path="/pending", **members):
        async def hold(writer):
            self._held.set()
            gone = asyncio.ensure_future(self.site.ended(writer))
            go = asyncio.ensure_future(self._go.wait())
            await asyncio.wait([gone, go], return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            go.cancel()
            if answer is not None:
                writer.write(answer)
                await writer.drain()

        self.site.answers[path] = hold
        for before in ("/1", "/2", "/3"):
            await self.controller.load(self.site.url + before)
        await self.controller.post("/history/back")
        self.before = await self.controller.get("/history")
        self.load = asyncio.ensure_future(self.controller.post(
            "/load/request", {"url": self.site.url + path, **members}))
        await asyncio.wait_for(self._held.wait(), 30)
        return self

    def let_go(self):
        self._go.set()


async def addresses(controller, site):
    found = await controller.get("/history")
    row = [item["url"] for item in found["backList"]] + ["*" + found["currentItem"]["url"]]
    return [url.replace(site.url, "") for url in row + [item["url"] for item in found["forwardList"]]]


async def is_at(controller, site, expected, state):
    """The engine, the client and the page agree on where the page is."""
    path = next(entry[1:] for entry in expected if entry.startswith("*"))

    async def agree():
        return await addresses(controller, site) == expected and (await controller.state())["url"] == site.url + path
    await until(agree, what=f"{expected}")
    assert await controller.evaluate("return [location.pathname, history.length, history.state]") == [path, len(expected), state]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("end", NO_DOCUMENT)
async def test_what_the_page_did_is_there_when_the_load_gets_no_document(controller, recorder, end, load, change):
    script, expected, state, state_before = CHANGES[change]
    limit = {"timeoutInterval": 2} if end == "a time limit" else {}
    pending = await Pending(controller, recorder).begin(NO_DOCUMENT[end], **LOADS[load], **limit)
    await controller.evaluate(script)
    if end == "a stop":
        await controller.post("/stop", status=204)
    elif end == "the page":
        await controller.evaluate("window.stop()")
    elif end != "a time limit":
        pending.let_go()
    assert not (await pending.load)["loaded"]
    await is_at(controller, recorder, expected, state)
    after = await controller.get("/history")
    kept = pending.before["backList"] + [pending.before["currentItem"]]
    now = after["backList"] + [after["currentItem"]]
    assert [item["id"] for item in now[:2]] == [item["id"] for item in kept]
    if change == "nothing":
        assert after == pending.before
    # The page's own way back and the client's lead to the same place.
    if "pushState" in script:
        here = expected.index(next(entry for entry in expected if entry[0] == "*"))
        back = [*expected[:here - 1], "*" + expected[here - 1], expected[here][1:]]
        await controller.evaluate("history.back()")
        await is_at(controller, recorder, back, 0 if back[here - 1] == "*/r" else state_before)
        assert (await controller.post("/history/forward"))["navigation"]["outcome"] == "sameDocument"
        await is_at(controller, recorder, expected, state)
        assert (await controller.post("/history/back"))["navigation"]["outcome"] == "sameDocument"
        await is_at(controller, recorder, back, 0 if back[here - 1] == "*/r" else state_before)
        expected = back
    # What it does from now on is told as well.
    await controller.evaluate("history.replaceState({n: 9}, '', '/later')")
    later = ["*/later" if entry[0] == "*" else entry for entry in expected]
    await is_at(controller, recorder, later, {"n": 9})
    assert (await controller.load(recorder.url + "/4"))["loaded"]
    assert (await controller.post("/history/back"))["loaded"]
    await is_at(controller, recorder, [*later[:later.index("*/later") + 1], "/4"], {"n": 9})
    # Of a GET that gets no answer the engine tries again.
    assert len(recorder.seen("/pending")) == 1 or "method" not in LOADS[load]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("newer", ["GET", "POST", "given"])
async def test_what_the_page_did_is_there_when_a_newer_load_takes_the_place_of_a_post(controller, recorder, newer, change):
    script, expected, state, _ = CHANGES[change]
    pending = await Pending(controller, recorder).begin(**LOADS["POST"])
    await controller.evaluate(script)
    here = expected.index(next(entry for entry in expected if entry[0] == "*"))
    if newer == "given":
        assert (await controller.html("<title>given"))["loaded"]
        assert await addresses(controller, recorder) == expected
    else:
        loaded = await controller.post("/load/request", {"url": recorder.url + "/newer", **LOADS[newer]})
        assert loaded["loaded"]
        await is_at(controller, recorder, [*expected[:here], expected[here][1:], "*/newer"], None)
        assert (await controller.post("/history/back"))["loaded"]
        await is_at(controller, recorder, [*expected[:here + 1], "/newer"], state)
    assert (await pending.load)["navigation"]["outcome"] == "replaced"
    assert len(recorder.seen("/pending")) == 1


async def test_the_page_goes_back_while_a_post_is_pending(controller, recorder):
    pending = await Pending(controller, recorder).begin(**LOADS["POST"])
    await controller.evaluate("history.back()")
    assert (await pending.load)["navigation"]["outcome"] == "replaced"
    await controller.post("/wait", {})
    await is_at(controller, recorder, ["*/1", "/2", "/3"], None)
    assert (await controller.load(recorder.url + "/4"))["loaded"]
    await is_at(controller, recorder, ["/1", "*/4"], None)
    assert len(recorder.seen("/pending")) == 1


@pytest.mark.parametrize("load", LOADS)
async def test_what_the_page_did_lies_before_the_document(controller, recorder, load):
    pending = await Pending(controller, recorder).begin(response("<title>x"), **LOADS[load])
    await controller.evaluate("history.replaceState(0, '', '/r'); history.pushState({n: 1}, '', '/p')")
    pending.let_go()
    assert (await pending.load)["loaded"]
    await is_at(controller, recorder, ["/1", "/r", "/p", "*/pending"], None)
    await controller.evaluate("history.back()")
    await controller.post("/wait", {})
    await is_at(controller, recorder, ["/1", "/r", "*/p", "/pending"], {"n": 1})


async def test_the_page_goes_back_to_the_address_that_a_post_is_pending_for(controller, recorder):
    recorder.answers["/1"] = response("<title>1", headers=["Cache-Control: no-store"])
    pending = await Pending(controller, recorder).begin(path="/pending", **LOADS["POST"])
    assert (await controller.load(recorder.url + "/4"))["loaded"] and not (await pending.load)["loaded"]
    held = asyncio.Event()

    async def hold(writer):
        if recorder.requests[-1].method == "POST":
            held.set()
            await recorder.ended(writer)
        else:
            writer.write(response("<title>1 again"))

    recorder.answers["/1"] = hold
    load = asyncio.ensure_future(controller.post("/load/request", {"url": recorder.url + "/1", **LOADS["POST"]}))
    await asyncio.wait_for(held.wait(), 30)
    await controller.evaluate("history.go(-2)")
    assert (await load)["navigation"]["outcome"] == "replaced"
    await controller.post("/wait", {"wait": {"event": "none", "function": "return document.title === '1 again'"}})
    await is_at(controller, recorder, ["*/1", "/2", "/4"], None)


@pytest.mark.parametrize("place", ["url", "other"])
@pytest.mark.parametrize("load", LOADS)
async def test_scripts_of_the_document_find_its_entry_there(controller, recorder, load, place):
    script = "<script>history.replaceState(history.length, ''); history.pushState({n: 1}, '', '/early')</script>"
    headers = [OWN_PROCESS] if place == "other" else []
    recorder.answers["/x"] = response(f"<title>x</title>{script}", headers=headers)
    await controller.load(recorder.url + "/1")
    assert (await controller.post("/load/request", {"url": getattr(recorder, place) + "/x", **LOADS[load]}))["loaded"]

    async def is_there(expected, state):
        async def agree():
            return [entry.replace(recorder.other, "") for entry in await addresses(controller, recorder)] == expected
        await until(agree, what=f"{expected}")
        assert await controller.evaluate("return [history.length, history.state]") == [len(expected), state]
    await is_there(["/1", "/x", "*/early"], {"n": 1})
    assert (await controller.post("/history/back"))["navigation"]["outcome"] == "sameDocument"
    await is_there(["/1", "*/x", "/early"], 2)


@pytest.mark.parametrize("load", LOADS)
async def test_an_address_with_credentials_has_its_entry(controller, recorder, load):
    await controller.load(recorder.url + "/1")
    url = recorder.url.replace("//", "//name:secret@") + "/x"
    assert (await controller.post("/load/request", {"url": url, **LOADS[load]}))["loaded"]
    await is_at(controller, recorder, ["/1", "*/x"], None)
    assert (await controller.load(recorder.url + "/2"))["loaded"]
    await is_at(controller, recorder, ["/1", "/x", "*/2"], None)


@pytest.mark.parametrize("kind", ["the first one", "in a sandbox", "in another process"])
@pytest.mark.parametrize("load", LOADS)
async def test_each_kind_of_document_has_one_entry(controller, recorder, load, kind):
    base, expected, headers = recorder.url, ["*/x"], []
    if kind == "in a sandbox":
        headers = ["Content-Security-Policy: sandbox"]
    elif kind == "in another process":
        headers, base = [OWN_PROCESS], recorder.other
    recorder.answers["/x"] = response("<title>x", headers=headers)
    if kind != "the first one":
        await controller.load(recorder.url + "/1")
        expected = ["/1", "*/x"]

    async def is_there():
        return [entry.replace(base, "") for entry in await addresses(controller, recorder)] == expected
    assert (await controller.post("/load/request", {"url": base + "/x", **LOADS[load]}))["loaded"]
    await until(is_there, what="the entry")
    assert (await controller.load(recorder.url + "/2"))["loaded"]
    expected = [entry.strip("*") for entry in expected] + ["*/2"]
    await until(is_there, what="the next one")
    assert (await controller.post("/history/back"))["loaded"]
    assert (await controller.state())["url"] == base + "/x"


PLACES = {"from one site to the other": ("url", "other"), "on one site": ("other", "other"), "back": ("other", "url")}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("own", ["/end", "/1"])
@pytest.mark.parametrize("status", ["303 See Other", "307 Temporary Redirect"])
@pytest.mark.parametrize("load", LOADS)
async def test_a_redirect_to_or_from_a_document_with_a_process_of_its_own(controller, recorder, load, status, own, place):
    """To another process WebKit would go with the address of the entry, or end that process."""
    begin, end = (getattr(recorder, name) for name in PLACES[place])
    recorder.answers["/go"] = response(status=status, headers=[f"Location: {end}/end"])
    recorder.answers[own] = response(f"<title>{own}", headers=[OWN_PROCESS])
    await controller.load(begin + "/1")
    answer = await controller.post("/load/request", {"url": begin + "/go", **LOADS[load]})
    navigation = answer["navigation"]
    assert (navigation["outcome"], navigation["url"], navigation["httpStatus"]) == ("finished", end + "/end", 200), navigation
    assert [(hop["url"], hop["status"]) for hop in navigation["redirects"]] == [(begin + "/go", int(status[:3]))]
    assert await controller.evaluate("return location.href") == end + "/end"
    assert (await controller.state())["url"] == end + "/end"
    method = "POST" if load == "POST" else "GET"
    assert [r.method for r in recorder.seen("/go") + recorder.seen("/end")] == [method, method if "307" in status else "GET"]
    found = await controller.get("/history")
    assert ([item["url"] for item in found["backList"]], found["currentItem"]["url"]) == ([begin + "/1"], end + "/end")
    # Of a GET that goes on to another process WebKit does not keep it.
    assert load == "GET" or found["currentItem"]["initialURL"] == begin + "/go"


@pytest.mark.parametrize("by", ["client", "from origin", "page"])
@pytest.mark.parametrize("load", LOADS)
async def test_a_reload_of_a_document_with_a_process_of_its_own_makes_no_entry(controller, recorder, load, by):
    recorder.answers["/x"] = response("<title>x", headers=[OWN_PROCESS])
    await controller.load(recorder.url + "/1")
    assert (await controller.post("/load/request", {"url": recorder.other + "/x", **LOADS[load]}))["loaded"]
    for _ in range(2):
        if by == "page":
            await controller.evaluate("window.old = true; setTimeout(() => location.reload())")
            await controller.post("/wait", {"wait": {"event": "none", "function": "return !window.old && document.title === 'x'"}})
        else:
            assert (await controller.post("/reload", {"fromOrigin": by != "client"}))["loaded"]
        assert [entry.replace(recorder.other, "") for entry in await addresses(controller, recorder)] == ["/1", "*/x"]


@pytest.mark.parametrize("event", ["commit", "domContentLoaded", "load"])
@pytest.mark.parametrize("load", LOADS)
async def test_the_entry_is_there_when_the_document_is_told_of(controller, recorder, load, event):
    await controller.load(recorder.url + "/1")
    for number in range(2, 12):
        body = {"url": f"{recorder.url}/{number}", "wait": {"event": event}, **LOADS[load]}
        assert (await controller.post("/load/request", body))["navigation"]["httpStatus"] == 200
        assert (await controller.get("/history"))["currentItem"]["url"] == f"{recorder.url}/{number}"


async def lose_the_process(server, controller):
    async with controller.channel() as channel:
        await channel.call("subscribe", events=["webContentProcessTerminated"])
        server.kill_pages()
        await channel.event("webContentProcessTerminated")


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("before", [1, 2])
async def test_it_has_an_entry_after_the_process_ended(server, controller, recorder, load, before):
    for number in range(before):
        await controller.load(f"{recorder.url}/{number}")
    await lose_the_process(server, controller)
    assert (await controller.post("/load/request", {"url": recorder.url + "/x", **LOADS[load]}))["loaded"]
    assert await addresses(controller, recorder) == [*(f"/{number}" for number in range(before)), "*/x"]
    assert await controller.evaluate("return history.length") == before + 1


@pytest.mark.parametrize("load", LOADS)
async def test_what_takes_its_place_in_the_new_process_has_one_entry(server, controller, recorder, load):
    await controller.load(recorder.url + "/1")
    await lose_the_process(server, controller)
    body = {"url": recorder.url + "/x", "wait": {"event": "none"}, **LOADS[load]}
    await controller.post("/load/request", body, status=202)
    assert (await controller.load(recorder.url + "/2"))["loaded"]
    assert await addresses(controller, recorder) == ["/1", "*/2"]
    assert await controller.evaluate("return history.length") == 2
