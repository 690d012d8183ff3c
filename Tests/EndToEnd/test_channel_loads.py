"""Requests and given responses by the channel: the operations of HTTP in its form."""

import base64

import pytest

from harness.recorder import response


def told(channel, navigation):
    return [m["event"]["type"] for m in channel.seen
            if m["type"] == "event" and m["event"].get("navigationId") == navigation["id"] and m["event"]["type"] != "stateChange"]


async def refusal(channel, operation, /, **params):
    number = await channel.send(operation, **params)
    answer = await channel.next(lambda m: m["type"] == "response" and m["id"] == number)
    assert "result" not in answer, answer
    return answer["error"]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
async def test_a_request(controller, recorder, method):
    recorder.answers["/from"] = response(status="307 Temporary Redirect", headers=["Location: /to"])
    body = bytes(range(256))
    given = {} if method == "GET" else {"bodyBase64": base64.b64encode(body).decode()}
    async with controller.channel() as channel:
        await channel.call("subscribe")
        result = await channel.call(
            "loadRequest", url=recorder.url + "/from", method=method,
            headers={"X-A": "b", "Content-Type": "application/x-custom"}, **given)
        navigation = result["navigation"]
        assert result["loaded"] and (navigation["url"], navigation["httpStatus"]) == (recorder.url + "/to", 200), result
        # All before the answer, each once.
        assert told(channel, navigation) == ["loadStart", "redirect", "commit", "loadFinish"]
        assert await channel.call("getNavigation", navigationId=navigation["id"]) == navigation
        assert (await channel.call("evaluateJavaScript", javaScript="return document.title"))["result"] == "/to"
    for path in ("/from", "/to"):
        [seen] = recorder.seen(path)
        assert (seen.method, seen.body, seen.header("x-a")) == (method, body if given else b"", ["b"])


async def test_a_request_that_fails_is_a_result(controller, recorder):
    async with controller.channel() as channel:
        await channel.call("subscribe")
        result = await channel.call("loadRequest", url="http://127.0.0.1:2/", method="PUT", body="x")
        assert not result["loaded"] and result["navigation"]["error"]["code"] == "cannotConnect", result
        assert told(channel, result["navigation"]) == ["loadStart", "loadError"]
        assert (await channel.call("loadRequest", url=recorder.url + "/next"))["loaded"]


async def test_a_response_that_no_server_gave(controller, recorder):
    url = recorder.url + "/never"
    async with controller.channel() as channel:
        await channel.call("subscribe")
        result = await channel.call(
            "loadSimulatedRequest", request={"url": url},
            response={"statusCode": 404, "headers": {"Content-Type": "text/html; charset=windows-1251", "Set-Cookie": ["a=1", "b=2"]}},
            dataBase64=base64.b64encode("<title>Мир</title>".encode("cp1251")).decode())
        navigation = result["navigation"]
        assert result["loaded"] and (navigation["url"], navigation["httpStatus"]) == (url, 404), result
        assert told(channel, navigation) == ["loadStart", "commit", "loadFinish"]
        shown = await channel.call("evaluateJavaScript", javaScript="return [location.href, document.title, document.cookie]")
        assert shown["result"] == [url, "Мир", "a=1; b=2"]
        result = await channel.call("loadSimulatedRequest", request={"url": url}, response={"statusCode": 204}, html="x")
        assert not result["loaded"] and result["navigation"]["outcome"] == "noContent", result
    assert recorder.requests == []


@pytest.mark.parametrize("operation, params, pointer", [
    ("loadRequest", {"url": "{}", "method": "TRACE"}, "/method"),
    ("loadRequest", {"url": "{}", "headers": {"Host": "x"}}, "/headers/Host"),
    ("loadRequest", {"url": "{}", "body": "x"}, "/body"),
    ("loadRequest", {"url": "{}", "method": "PUT", "bodyBase64": "?"}, "/bodyBase64"),
    ("loadRequest", {"url": "{}", "cachePolicy": "returnCacheDataDontLoad"}, "/cachePolicy"),
    ("loadRequest", {"url": "{}", "verb": "PUT"}, "/verb"),
    ("loadRequest", {"method": "PUT"}, "/url"),
    ("loadSimulatedRequest", {"request": {"url": "{}"}, "response": {"headers": {"X-A": "b"}}, "html": "x"}, "/response/headers/X-A"),
    ("loadSimulatedRequest", {"request": {"url": "{}", "method": "TRACE"}, "html": "x"}, "/request/method"),
    ("loadSimulatedRequest", {"request": {"url": "x"}, "html": "x"}, "/request/url"),
])
async def test_a_refusal_names_the_member_and_nothing_is_loaded(controller, recorder, operation, params, pointer):
    def filled(value):
        if isinstance(value, dict):
            return {name: filled(member) for name, member in value.items()}
        return recorder.url + "/x" if value == "{}" else value

    async with controller.channel() as channel:
        await channel.call("subscribe")
        error = await refusal(channel, operation, **filled(params))
        assert (error["code"], error["details"]["pointer"]) == ("invalidArgument", pointer), error
        # The channel goes on, and what it tells next is of the next load.
        result = await channel.call("loadRequest", url=recorder.url + "/next")
        assert result["loaded"] and result["navigation"]["id"] == "n1"
    assert [seen.path for seen in recorder.requests] == ["/next"]
