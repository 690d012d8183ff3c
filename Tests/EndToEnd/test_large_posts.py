"""A large POST with headers: what each hop of a redirect gets of it, and what the history holds afterwards."""

import base64
import random

import pytest

from harness.recorder import response
from harness.requests import request

BODY = random.Random(7).randbytes(1_280_000)
TYPE, HEADERS = "application/x-custom", {"X-A": "b", "Authorization": "Bearer abc"}
TITLE = "return document.title"


@pytest.fixture
async def from_third(controller, recorder):
    """A controller whose history is /1, /2, /3."""
    for path in ("/1", "/2", "/3"):
        await controller.load(recorder.url + path)
    return controller


async def post(controller, url):
    return await request(
        controller, url, method="POST", bodyBase64=base64.b64encode(BODY).decode(), headers={"Content-Type": TYPE, **HEADERS})


def is_post(recorded):
    return (recorded.method, recorded.header("content-type"), recorded.header("content-length"), recorded.body == BODY) == (
        "POST", [TYPE], [str(len(BODY))], True)


async def addresses(controller, recorder):
    """What lies behind, here and ahead, without the site."""
    found = await controller.get("/history")
    return [[item["url"].removeprefix(recorder.url) for item in items]
            for items in (found["backList"], [found["currentItem"]], found["forwardList"])]


async def told(controller, navigation):
    """The events of a navigation by which its outcome is known."""
    events = (await controller.get("/events?types=loadStart,redirect,loadFinish,loadError"))["events"]
    return [e["event"]["type"] for e in events if e["event"]["navigationId"] == navigation["id"]]


@pytest.mark.parametrize("is_other", [False, True], ids=["same origin", "other origin"])
@pytest.mark.parametrize("status", ["303 See Other", "307 Temporary Redirect"])
async def test_each_hop_gets_what_is_its(from_third, recorder, status, is_other):
    controller, target = from_third, (recorder.other if is_other else recorder.url) + "/to"
    recorder.answers["/from"] = response(status=status, headers=[f"Location: {target}"])
    navigation = (await post(controller, recorder.url + "/from"))["navigation"]
    assert (navigation["outcome"], navigation["url"]) == ("finished", target), navigation
    assert await told(controller, navigation) == ["loadStart", "redirect", "loadFinish"]
    [first], [last] = recorder.seen("/from"), recorder.seen("/to")
    assert is_post(first) and all(first.header(name) == [value] for name, value in HEADERS.items()), first.headers
    if status.startswith("307"):
        assert is_post(last), last.headers
    else:
        assert (last.method, last.body) == ("GET", b"")
        assert last.header("content-type") == [] and last.header("content-length") in ([], ["0"]), last.headers
    assert all(last.header(name) == ([] if is_other else [value]) for name, value in HEADERS.items()), last.headers
    # What was there before it is there, and where it came from is not.
    assert await addresses(controller, recorder) == [["/1", "/2", "/3"], [target.removeprefix(recorder.url)], []]
    back = (await controller.post("/history/back"))["navigation"]
    assert (back["outcome"], back["url"]) == ("finished", recorder.url + "/3"), back
    assert await controller.evaluate(TITLE) == "/3"
    assert await addresses(controller, recorder) == [["/1", "/2"], ["/3"], [target.removeprefix(recorder.url)]]


async def test_a_document_of_a_post_that_is_kept_is_returned_to_without_a_post(from_third, recorder):
    controller = from_third
    await post(controller, recorder.url + "/post")
    await controller.evaluate("window.mark = 'kept'")
    await controller.post("/history/back")
    forward = (await controller.post("/history/forward"))["navigation"]
    assert (forward["outcome"], forward["url"]) == ("finished", recorder.url + "/post"), forward
    assert await told(controller, forward) == ["loadStart", "loadFinish"]
    assert await controller.evaluate("return [document.title, window.mark]") == ["/post", "kept"]
    assert await addresses(controller, recorder) == [["/1", "/2", "/3"], ["/post"], []]
    assert len(recorder.seen("/post")) == 1


@pytest.mark.parametrize("redirects", [False, True], ids=["answered", "redirected"])
async def test_one_that_is_not_kept_is_posted_again(server, from_third, recorder, redirects):
    """Without its headers, which were of the first navigation only."""
    controller = from_third
    if redirects:
        recorder.answers["/post"] = response(status="307 Temporary Redirect", headers=["Location: /to"])
    shown = "/to" if redirects else "/post"
    await post(controller, recorder.url + "/post")
    await controller.post("/history/back")
    server.kill_pages()
    await controller.get("/events?types=webContentProcessTerminated&poll=20")
    recorder.requests.clear()
    forward = (await controller.post("/history/forward"))["navigation"]
    assert (forward["outcome"], forward["url"]) == ("finished", recorder.url + shown), forward
    assert (await told(controller, forward)).count("loadFinish") == 1
    assert await controller.evaluate(TITLE) == shown
    [again] = [recorded for recorded in recorder.requests if recorded.path in ("/post", "/to")]
    assert again.path == shown and is_post(again), again.headers
    assert all(again.header(name) == [] for name in HEADERS), again.headers
    assert await addresses(controller, recorder) == [["/1", "/2", "/3"], [shown], []]
