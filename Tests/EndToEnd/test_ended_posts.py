"""A POST that something ends: one outcome, the right one, and one request, whatever WebKit would do again."""

import asyncio

import pytest

from harness.requests import request

OUTCOMES = {
    "stop": ("stopped", "cancelled"), "replacement": ("replaced", "cancelled"), "disposal": ("disposed", "disposed"),
    "the end of its process": ("processTerminated", "webContentProcessTerminated")}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n<title>part</title>" + b" " * 3000
STEPS = ("loadStart", "redirect", "commit", "domContentLoaded", "loadFinish", "loadError")


@pytest.mark.parametrize("part", ["before the head", "in the body"])
@pytest.mark.parametrize("end", OUTCOMES)
async def test_it_has_one_outcome_and_is_sent_once(server, recorder, end, part):
    held, gone = asyncio.Event(), asyncio.Event()

    async def hold(writer):
        if part == "in the body":
            writer.write(HEAD)
        held.set()
        await recorder.ended(writer)
        gone.set()

    recorder.answers["/post"] = hold
    controller = await server.controller(ephemeral=True)
    await controller.load(recorder.url + "/before")
    async with controller.channel() as channel:
        await channel.call("subscribe", events=["all"])
        load = asyncio.create_task(request(controller, recorder.url + "/post", method="POST", body="a=1"))
        await asyncio.wait_for(held.wait(), 20)
        if part == "in the body":
            await controller.post("/wait", {"wait": {"event": "commit"}})
        if end == "stop":
            await controller.request("POST", "/stop", status=204)
        elif end == "replacement":
            assert (await controller.load(recorder.url + "/newer"))["loaded"]
        elif end == "disposal":
            await controller.dispose()
        else:
            server.kill_pages()
        navigation = (await asyncio.wait_for(load, 20))["navigation"]
        assert (navigation["outcome"], navigation["error"]["code"]) == OUTCOMES[end], navigation
        assert navigation["httpStatus"] == (200 if part == "in the body" else None), navigation
        # The site hears of it.
        await asyncio.wait_for(gone.wait(), 20)
        if end != "disposal":
            assert (await controller.load(recorder.url + "/after"))["loaded"]
            assert not (await controller.state())["isLoading"]
            assert await controller.get(f"/navigations/{navigation['id']}") == navigation
            await controller.dispose()
        await channel.event("disposed")
    steps = [m["event"]["type"] for m in channel.seen if m["type"] == "event"
             and m["event"].get("navigationId") == navigation["id"] and m["event"]["type"] in STEPS]
    assert steps == ["loadStart", *(["commit"] if part == "in the body" else []), "loadError"]
    assert [(seen.method, seen.body) for seen in recorder.seen("/post")] == [("POST", b"a=1")]
