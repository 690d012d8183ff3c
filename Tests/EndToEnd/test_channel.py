"""The WebSocket channel: order, replay, claims and replies."""

import asyncio

import aiohttp
import pytest

from harness.waiting import until


def events(messages, *kinds):
    return [m["event"]["type"] for m in messages if m["type"] == "event" and (not kinds or m["event"]["type"] in kinds)]


async def test_hello_and_operations(server, controller, site):
    async with controller.channel(protocols=["webview-server.v1"]) as channel:
        assert channel.socket.protocol == "webview-server.v1"
        assert channel.hello["controllerId"] == controller.id and channel.hello["heartbeat"] == 20
        assert (await channel.call("loadURL", url=site.url + "/"))["loaded"] is True
        assert (await channel.call("evaluateJavaScript", javaScript="return 6 * 7")) == {"result": 42}
        assert (await channel.call("getState"))["title"] == "Home"
        picture = await channel.call("takeSnapshot")
        assert picture["contentType"] == "image/png" and picture["dataBase64"].startswith("iVBOR")


async def test_the_seeds_order_of_a_load(controller, site):
    async with controller.channel() as channel:
        await channel.call("subscribe")
        await channel.call("loadURL", url=site.url + "/redirect/1")
        wanted = ("loadStart", "redirect", "commit", "loadFinish")
        assert events(channel.seen, *wanted) == list(wanted)
        kinds = [m["type"] for m in channel.seen]
        finish = next(i for i, m in enumerate(channel.seen) if m["type"] == "event" and m["event"]["type"] == "loadFinish")
        assert finish < kinds.index("response", kinds.index("response") + 1), "events come before the response"
        sequences = [m["sequence"] for m in channel.seen if m["type"] == "event"]
        assert sequences == sorted(set(sequences))
        last = channel.seen[finish]["event"]
        assert last["state"]["url"] == site.url + "/page/end" and last["isMainFrame"] is True


async def test_a_load_that_does_not_wait_answers_before_its_events(controller, site):
    async with controller.channel() as channel:
        await channel.call("subscribe")
        begin = len(channel.seen)
        number = await channel.send("loadURL", url=site.url + "/", wait={"event": "none"})
        await channel.event("loadFinish")
        order = [m["type"] if m["type"] == "response" else m["event"]["type"] for m in channel.seen[begin:]]
        assert order.index("response") < order.index("loadStart")
        assert next(m for m in channel.seen if m.get("id") == number)["result"]["navigation"]["outcome"] is None


async def test_an_answered_subscribe_holds_for_a_load_over_http_right_after_it(controller, site):
    for count in range(30):
        async with controller.channel() as channel:
            await channel.call("subscribe", events=["loadStart"])
            answer = await controller.load(f"{site.url}/page/{count}")
            event = await channel.event("loadStart")
            assert event["event"]["navigationId"] == answer["navigation"]["id"]


async def test_a_page_that_is_ended_for_its_deadline_says_so(controller, site):
    await controller.load(site.url + "/")
    async with controller.channel() as channel:
        await channel.call("subscribe")
        await controller.evaluate("while (true) {}", status=504, timeout=0.3)
        event = await channel.event("webContentProcessTerminated")
        assert event["event"]["reason"] == "deadline"
        error = await controller.evaluate("return 1", status=502)
        assert (error["code"], error["details"]) == ("webContentProcessTerminated", {"reason": "deadline"})


async def test_events_are_replayed(controller, site):
    async with controller.channel() as channel:
        since, run = channel.hello["sequence"], channel.hello["run"]
    await controller.load(site.url + "/")
    async with controller.channel() as channel:
        await channel.call("subscribe", since=since, run=run)
        assert events(channel.seen, "loadStart", "commit", "loadFinish") == ["loadStart", "commit", "loadFinish"]
        assert not [m for m in channel.seen if m["type"] == "gap"]
        await channel.call("subscribe", since=since, run="another")
        assert [m for m in channel.seen if m["type"] == "gap"]


async def test_the_journal_over_http(controller, site):
    before = await controller.get("/events")
    poll = asyncio.create_task(controller.get(f"/events?since={before['next']}&poll=20&types=loadFinish"))
    await controller.load(site.url + "/")
    answer = await poll
    assert [e["event"]["type"] for e in answer["events"]] == ["loadFinish"] and answer["run"] == before["run"]


@pytest.mark.parametrize("world", [None, {"name": "tools"}])
async def test_messages_are_claimed_and_answered(controller, world):
    name = {"contentWorld": world} if world else {}
    await controller.html("<title>m</title>")
    await controller.request("PUT", "/message-handlers/app", json=name, status=201)
    async with controller.channel() as channel:
        await channel.call("claim", kinds=["scriptMessage"])
        number = await channel.send(
            "evaluateJavaScript", javaScript="return await webkit.messageHandlers.app.postMessage({n: [1, null, 'x']})", **name)
        question = await channel.next(lambda m: m["type"] == "callback")
        assert (question["kind"], question["name"], question["body"]) == ("scriptMessage", "app", {"n": [1, None, "x"]})
        await channel.call("replyToCallback", callbackId=question["callbackId"], kind="scriptMessage", value={"ok": True})
        assert await channel.response(number) == {"result": {"ok": True}}
        again = await channel.send("replyToCallback", callbackId=question["callbackId"], kind="scriptMessage", value=1)
        assert (await channel.next(lambda m: m.get("id") == again))["error"]["code"] == "conflict"


async def test_messages_are_answered_over_http(controller):
    await controller.html("<title>m</title>")
    await controller.request("PUT", "/message-handlers/app", json={}, status=201)
    task = asyncio.create_task(controller.evaluate(
        "try { return await webkit.messageHandlers.app.postMessage(7) } catch (e) { return [e.code, e.message] }"))
    question = (await controller.get("/callbacks?poll=20"))["callbacks"][0]
    assert question["body"] == 7
    path = f"/callbacks/{question['callbackId']}/reply"
    await controller.post(path, {"kind": "scriptMessage", "value": 1, "typedValue": {}}, status=400)
    await controller.post(path, {"kind": "scriptMessage", "error": {"code": "javaScriptError", "message": "no"}}, status=204)
    assert await task == ["javaScriptError", "javaScriptError: no"]
    assert (await controller.post(path, {"kind": "scriptMessage"}, status=409))["error"]["code"] == "conflict"


async def test_a_claimer_that_leaves_cancels_its_questions(controller):
    await controller.html("<title>m</title>")
    await controller.request("PUT", "/message-handlers/app", json={}, status=201)
    async with controller.channel() as channel:
        await channel.call("claim", kinds=["scriptMessage"])
        task = asyncio.create_task(controller.evaluate(
            "try { await webkit.messageHandlers.app.postMessage(1) } catch (e) { return e.code }"))
        await channel.next(lambda m: m["type"] == "callback")
    assert await task == "cancelled"


@pytest.mark.parametrize("body", ["() => 1", "Symbol('x')", "document.body", "window", "{a: [1, () => 1]}"])
async def test_messages_that_cannot_be_told_reject(controller, body):
    await controller.html("<title>m</title>")
    await controller.request("PUT", "/message-handlers/app", json={}, status=201)
    code = f"try {{ await webkit.messageHandlers.app.postMessage({body}); return 'told' }} catch (e) {{ return e.code }}"
    assert await controller.evaluate(code, timeout=10) == "serializationError"


async def asked(controller, site):
    """A question of the page that is open, and a request of the site by which its page tells what became of it."""
    await controller.load(site.url + "/")
    await controller.request("PUT", "/message-handlers/app", json={}, status=201)
    await controller.evaluate(
        "webkit.messageHandlers.app.postMessage(1).catch(e => fetch('/mark/' + mark + e.code))",
        arguments={"mark": controller.id})
    return (await controller.get("/callbacks?poll=20"))["callbacks"][0]["callbackId"]


@pytest.mark.parametrize("method, status", [("DELETE", 204), ("PUT", 200)])
async def test_removal_and_replacement_cancel_the_question(controller, site, method, status):
    question = await asked(controller, site)
    await controller.request(method, "/message-handlers/app", status=status)
    await site.reached(f"/mark/{controller.id}cancelled")
    error = (await controller.post(f"/callbacks/{question}/reply", {"kind": "scriptMessage"}, status=409))["error"]
    assert error["details"]["reason"] == "cancelled"


@pytest.mark.parametrize("end", ["load", "crash"])
async def test_a_question_ends_with_its_document(server, controller, site, end):
    question = await asked(controller, site)
    if end == "load":
        await controller.load(site.url + "/page/next")
    else:
        server.kill_pages()
        await until(lambda: is_empty(controller), what="the end of the question")
    assert (await controller.get("/callbacks"))["callbacks"] == []
    error = (await controller.post(f"/callbacks/{question}/reply", {"kind": "scriptMessage"}, status=409))["error"]
    assert (error["code"], error["details"]["reason"]) == ("conflict", "cancelled")


async def is_empty(controller):
    return not (await controller.get("/callbacks"))["callbacks"]


async def test_disposal_ends_the_channel(server, site):
    controller = await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    async with controller.channel() as channel:
        await channel.call("subscribe", events=["all"])
        await controller.dispose()
        await channel.event("disposed")
        message = await channel.socket.receive(timeout=10)
        assert message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED) and channel.socket.close_code == 1000


async def test_bad_messages_are_answered_and_the_channel_stays(controller):
    async with controller.channel() as channel:
        for text in ("{", "[]", "1", '{"id": 1}', '{"id": 2, "method": "nothing"}', '{"id": 3, "method": "loadURL", "params": 1}'):
            await channel.socket.send_str(text)
            assert (await channel.receive())["error"]["code"] in ("invalidArgument", "notFound")
        assert (await channel.call("getState"))["isDisposed"] is False


async def test_a_ticket_opens_one_channel_once(start_server, tmp_path):
    token = {"Authorization": "Bearer t0ken-t0ken"}
    server = await start_server(env={"WEBVIEW_SERVER_TOKEN": "t0ken-t0ken"})
    made = await server.post("/v1/controllers", {"ephemeral": True}, status=201, headers=token)
    path = f"/v1/controllers/{made['id']}"
    ticket = (await server.post(path + "/tickets", status=201, headers=token))["ticket"]
    for target, fails in ((f"/v1/channel?ticket={ticket}", True), (f"{path}/channel?ticket=x", True), (f"{path}/channel", True)):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await server.http.ws_connect(server.url + target)
        assert refused.value.status == 401
    ticket = (await server.post(path + "/tickets", status=201, headers=token))["ticket"]
    async with server.http.ws_connect(f"{server.url}{path}/channel?ticket={ticket}") as socket:
        assert (await socket.receive_json())["type"] == "hello"
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await server.http.ws_connect(f"{server.url}{path}/channel?ticket={ticket}")
