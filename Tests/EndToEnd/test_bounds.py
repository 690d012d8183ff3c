"""What a page makes is bounded before the server holds it, and a large message of a client keeps nobody waiting."""

import asyncio
import json

from harness import processes

MIB = 1 << 20


def resident(pid):
    """Bytes of the server itself."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * 4096


async def test_a_page_cannot_fill_the_server_with_questions(start_server):
    server = await start_server()
    page, other = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    await page.html("")
    await page.request("PUT", "/message-handlers/x", json={}, status=201)
    before = resident(server.pid)
    refused = await page.evaluate(
        "const text = 'A'.repeat(15e6), refused = [];"
        "for (let i = 0; i < 60; i++) webkit.messageHandlers.x.postMessage(text).catch(e => refused.push(e.code));"
        "while (refused.length < 56) await new Promise(f => setTimeout(f, 10));"
        "return [...new Set(refused)]")
    assert refused == ["unavailable"]
    assert await other.evaluate("return 1") == 1
    assert len((await page.get("/callbacks"))["callbacks"]) == 4
    assert resident(server.pid) - before < 500 * MIB, "the questions alone would be 900 MB"
    error = await page.evaluate("await webkit.messageHandlers.x.postMessage('A'.repeat(17e6))", status=422)
    assert "larger than" in error["message"]


async def test_a_large_question_does_not_end_a_channel_that_reads(controller):
    await controller.html("")
    await controller.request("PUT", "/message-handlers/x", json={}, status=201)
    async with controller.channel(max_msg_size=64 * MIB) as channel:
        await channel.call("subscribe")
        await channel.call("claim", kinds=["scriptMessage"])
        # Nothing is read while the question and the events behind it are on their way.
        asked = asyncio.create_task(controller.evaluate(
            "const p = webkit.messageHandlers.x.postMessage('A'.repeat(14e6));"
            "for (let i = 0; i < 50; i++) { document.title = 'meanwhile ' + i; await new Promise(f => setTimeout(f, 0)); }"
            "return await p"))
        question = await channel.next(lambda m: m["type"] == "callback")
        size = len(question.pop("body"))  # Not to be printed.
        assert size == 14_000_000
        assert await channel.call("replyToCallback", callbackId=question["callbackId"], kind="scriptMessage", value=7) == {}
        assert await asked == 7


async def test_markup_above_the_limit_stays_in_the_page(start_server):
    server = await start_server()
    page = await server.controller(ephemeral=True)
    await page.html("<body style='display: none'>")  # To be painted it would take minutes.
    await page.evaluate("document.body.textContent = 'A'.repeat(8e7)")
    before = resident(server.pid)
    for query in ["", "?format=html"]:
        error = (await page.get("/html" + query, status=413))["error"]
        assert error["code"] == "payloadTooLarge" and error["details"]["size"] > 8e7
    assert resident(server.pid) - before < 100 * MIB
    assert await page.evaluate("return document.body.textContent.length") == 8e7


async def test_addresses_and_titles_of_any_size_are_forgotten(start_server):
    server = await start_server()
    page = await server.controller(ephemeral=True)
    await page.html("<p>p")
    change = (
        "for (let i = 0; i < count; i++) { location.hash = i + 'a'.repeat(3e5);"
        " document.title = i + 'b'.repeat(3e5); await new Promise(f => setTimeout(f, 0)); }")
    await page.evaluate(change, arguments={"count": 120})  # As many as WebKit itself keeps of a history.
    before = resident(server.pid)
    await page.evaluate(change, arguments={"count": 120})
    assert (await page.state())["url"].endswith("a" * 1000)
    assert len((await page.state())["title"]) <= 1000
    assert resident(server.pid) - before < 100 * MIB
    events = await page.get("/events?since=0&limit=1000")
    size, gap = len(json.dumps(events)), events["gap"]
    assert gap and size < 20 * MIB


async def test_code_that_no_parser_gets_done_with_hangs_its_page_alone(server, site):
    hung, other = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    await other.load(site.url + "/")
    code = "(()=>" + "((a=" * 40 + "1" + ")=>1)" * 40 + ")"
    running = asyncio.create_task(hung.evaluate(code, status=504, timeout=1))
    assert await other.evaluate("return 1") == 1
    long = "/*" + "x" * 40_000 + "*/ return 2"
    assert await other.evaluate(long) == 2
    assert (await running)["code"] == "timeout"
    assert (await hung.load(site.url + "/page/after"))["loaded"] is True
    assert await hung.evaluate("return document.title") == "after"
    await hung.dispose()
    await other.dispose()


async def test_probes_are_answered_while_a_large_message_is_read(server, controller):
    async with controller.channel() as channel:
        numbers = [1] * 4_000_000
        text = json.dumps({"id": "large", "method": "evaluateJavaScript",
                           "params": {"javaScript": "return a.length", "arguments": {"a": numbers}}}, separators=(",", ":"))
        assert len(text) < 16 * MIB
        answered = 0
        await channel.socket.send_str(text)
        await channel.socket.send_str(json.dumps({"id": "small", "method": "getHealth", "params": {}}))
        reader = asyncio.create_task(channel.next(lambda m: m.get("id") == "large", 60))
        while not reader.done():
            await server.get("/healthz")
            answered += 1
        assert (await reader)["result"]["result"] == 4_000_000
        assert answered > 20, "the probes waited for the message"
        assert processes.alive([server.pid])
