"""What a page makes the engine ask a person: nobody is there, so nothing is drawn and the page goes on."""

import pytest

from harness.display import opened
from harness.server import Server


@pytest.fixture(scope="module")
async def shown():
    """A server with the display that it shows its pages on."""
    server = await Server.start()
    with opened((await server.get("/v1/server"))["display"]) as display:
        yield server, display
    await server.close()


@pytest.fixture
async def create(shown):
    """Makes controllers that end with the test; the newest is over the others."""
    made = []

    async def create():
        made.append(await shown[0].controller(ephemeral=True))
        return made[-1]

    yield create
    for controller in made:
        await controller.dispose()


PAGE = """<!doctype html><style>* {{ margin: 0 }} #asks {{ position: fixed; left: 0; top: 0; width: 200px; height: 40px }}
  #other {{ position: fixed; left: 400px; top: 500px; width: 100px; height: 50px }}</style>
<button id=other>x</button>{element}<script>
  const first = (target, ...names) => new Promise(r => names.forEach(n => target.addEventListener(n, e => r([e.type, e.isTrusted]))));
  const asks = document.getElementById("asks"), next = () => {{ told = first(asks, "{event}") }}, pressed = first(other, "click");
</script>"""

CLICKS = {
    "a context menu": ("<p id=asks>text</p>", 3, "contextmenu", "null"),
    "a link's context menu": ("<a id=asks href=/>text</a>", 3, "contextmenu", "null"),
    "a select": ("<select id=asks><option>a<option selected>b</select>", 1, "mousedown", "asks.value"),
    "a file chooser": ("<input id=asks type=file multiple>", 1, "cancel", "asks.files.length"),
    "a color chooser": ("<input id=asks type=color value=#112233>", 1, "click", "asks.value"),
    "a date picker": ("<input id=asks type=date value=2020-02-02 onclick=this.showPicker()>", 1, "click", "asks.value"),
    "suggestions": (
        "<input id=asks list=l onclick=this.showPicker()><datalist id=l><option>a<option>b</datalist>", 1, "click", "asks.value"),
    "what a form misses": ("<form><button id=asks>go</button><input required></form>", 1, "click", "location.search"),
}
LEFT = {"a select": "b", "a file chooser": 0, "a color chooser": "#112233", "a date picker": "2020-02-02", "suggestions": "",
        "what a form misses": ""}


@pytest.mark.parametrize("what", CLICKS)
async def test_what_a_click_would_open_is_not_drawn(shown, create, site, what):
    _, display = shown
    element, button, event, value = CLICKS[what]
    other = await create()
    await other.load(site.url + "/")
    controller = await create()
    await controller.html(PAGE.format(element=element, event=event))
    windows = display.windows()
    assert len(windows) == 2
    for _ in range(2):
        await controller.evaluate("next()")
        display.click(100, 20, button)
        assert await controller.evaluate("return await told", timeout=20) == [event, True]
        # Also a turn later, until which WebKit takes no further click after one that asks for a menu.
        assert await controller.evaluate(f"return {value}") == LEFT.get(what)
        assert display.windows() == windows
    display.click(450, 520)
    assert await controller.evaluate("return await pressed", timeout=20) == ["click", True], "nothing holds the pointer"
    assert await other.evaluate("return 1") == 1
    assert (await controller.load(site.url + "/"))["loaded"] is True


@pytest.mark.parametrize("code, answer", [
    ("const i = document.createElement('input'); i.type = 'file'; i.click(); "
     "return await new Promise(r => { i.oncancel = () => r('cancel'); i.onchange = () => r('change') })", "cancel"),
    ("return await new Promise(r => navigator.geolocation.getCurrentPosition(() => r('granted'), e => r(e.code)))", 1),
    ("return await Notification.requestPermission()", "denied"),
    ("try { await document.body.requestFullscreen(); return 'granted' } catch (e) { return e.name }", "TypeError"),
    ("try { await navigator.clipboard.readText(); return 'granted' } catch (e) { return e.name }", "NotAllowedError"),
])
async def test_what_a_script_asks_for_is_not_granted(shown, create, site, code, answer):
    _, display = shown
    controller = await create()
    await controller.load(site.url + "/")
    windows = display.windows()
    assert await controller.evaluate(code, timeout=20) == answer
    assert display.windows() == windows
    assert (await controller.load(site.url + "/page/next"))["loaded"] is True
    assert await controller.evaluate("return document.title") == "next"
