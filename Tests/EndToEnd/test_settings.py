"""Settings of a live page."""


async def test_settings_are_in_force_when_they_are_answered(controller, site):
    await controller.load(site.url + "/")
    given = {"viewport": {"width": 640, "height": 480}, "customUserAgent": "Agent/1"}
    answer = await controller.request("PATCH", "/settings", json=given)
    assert {name: answer[name] for name in given} == given and answer["pageZoom"] == 1
    assert await controller.get("/settings") == answer
    assert await controller.evaluate("return [innerWidth, innerHeight]") == [640, 480]
    assert await controller.evaluate("return (await (await fetch('/headers')).json())['User-Agent']") == "Agent/1"
    await controller.request("PATCH", "/settings", json={"pageZoom": 2, "customUserAgent": None})
    assert await controller.evaluate("return innerWidth") == 320
    assert "WebKit" in await controller.evaluate("return (await (await fetch('/headers')).json())['User-Agent']")


async def test_settings_are_taken_all_or_none(controller):
    before = await controller.get("/settings")
    bad = {"viewport": {"width": 640, "height": 480}, "pageZoom": 99}
    error = (await controller.request("PATCH", "/settings", json=bad, status=400))["error"]
    assert error["details"]["pointer"] == "/pageZoom"
    assert await controller.get("/settings") == before
