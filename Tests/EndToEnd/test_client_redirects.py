"""Redirects that pages make by themselves: followed when asked, told in any case."""

import pytest

REDIRECTS = {
    "meta": "<meta http-equiv=refresh content='0;url={to}'>",
    "meta in a moment": "<meta http-equiv=Refresh content='0.3; url={to}'>",
    "replace": "<script>location.replace('{to}')</script>",
    "href": "<script>location.href = '{to}'</script>",
    "DOMContentLoaded": "<script>addEventListener('DOMContentLoaded', () => location = '{to}')</script>",
    "load": "<script>addEventListener('load', () => location = '{to}')</script>",
    "timeout": "<script>addEventListener('load', () => setTimeout(() => location = '{to}'))</script>",
    "form": "<form action='{to}'></form><script>document.forms[0].submit()</script>",
    "link": "<a href='{to}'>x</a><script>document.querySelector('a').click()</script>",
    "while it loads": "<p><img src=/hang><script>setTimeout(() => location = '{to}', 100)</script>",
    "big": "<p>" + "x" * 4000 + "<script>location = '{to}'</script>",
}


async def ended(controller, identifier):
    return (await controller.post("/wait", {"navigationId": identifier}))["navigation"]


@pytest.mark.parametrize("way", REDIRECTS)
async def test_followed(controller, site, way):
    first, to = site.given(REDIRECTS[way].format(to=site.url + "/page/to")), site.url + "/page/to"
    answer = await controller.load(first, followClientRedirects=1)
    navigation = answer["navigation"]
    assert answer["loaded"] is True and navigation["url"].split("?")[0] == to, navigation
    assert navigation["redirects"] == [{"url": first, "status": None, "kind": "client"}]
    assert navigation["clientRedirectOf"] == "n1"
    assert (await controller.get("/navigations/n1"))["outcome"] == ("replaced" if way == "while it loads" else "finished")
    assert (await controller.get("/navigations/" + navigation["id"])) == {**navigation, "redirects": []}


@pytest.mark.parametrize("way", REDIRECTS)
async def test_not_followed_but_told(controller, site, way):
    first = site.given(REDIRECTS[way].format(to=site.url + "/page/to"))
    answer = await controller.load(first)
    assert answer["navigation"]["id"] == "n1" and answer["navigation"]["redirects"] == []
    assert answer["navigation"]["outcome"] == ("replaced" if way == "while it loads" else "finished")
    second = (await controller.post("/wait", {"after": "n1"}))["navigation"]
    assert second["clientRedirectOf"] == "n1" and second["outcome"] == "finished"


async def test_chains_with_redirects_of_both_kinds(controller, site):
    third = site.given(REDIRECTS["meta"].format(to=site.url + "/redirect/2"))
    second = site.given(REDIRECTS["load"].format(to=third))
    first = site.given(REDIRECTS["replace"].format(to=second))
    answer = (await controller.load(first, followClientRedirects=20))["navigation"]
    assert answer["url"] == site.url + "/page/end"
    assert [(hop["url"], hop["kind"], hop["status"]) for hop in answer["redirects"]] == [
        (first, "client", None), (second, "client", None), (third, "client", None),
        (site.url + "/redirect/2", "http", 302), (site.url + "/redirect/1", "http", 302)]
    one = (await controller.load(first, followClientRedirects=1))["navigation"]
    assert one["url"] == second


async def test_a_page_that_redirects_to_itself_is_followed_so_often(controller, site):
    answer = await controller.load(site.given("<script>onload = () => location.reload()</script>"), followClientRedirects=3)
    assert len(answer["navigation"]["redirects"]) == 3


async def test_the_wait_begins_anew(controller, site):
    last = site.given("<script>setTimeout(() => document.body.innerHTML = '<p id=x>', 100)</script><body>")
    first = site.given("<body><p id=x>" + REDIRECTS["load"].format(to=last))
    answer = await controller.load(first, followClientRedirects=5, wait={"selector": "#x"})
    assert answer["navigation"]["url"] == last
    assert await controller.evaluate("return document.querySelectorAll('#x').length") == 1


async def test_looking_at_a_page_does_not_make_its_redirects_a_persons(controller, site):
    last = site.given("<p id=x>")
    first = site.given(f"<script>addEventListener('load', () => setTimeout(() => location = {last!r}, 300))</script>")
    wait = {"selector": "#x", "function": "return document.querySelector('#x')"}
    answer = (await controller.load(first, followClientRedirects=1, wait=wait))["navigation"]
    assert (answer["url"], answer["clientRedirectOf"]) == (last, "n1")


async def test_later_ones_are_awaited_by_the_delay(controller, site):
    later = "<script>addEventListener('load', () => setTimeout(() => location = '/page/to', 700))</script>"
    answer = (await controller.load(site.given(later), followClientRedirects=1, wait={"delay": 1.5}))["navigation"]
    assert answer["url"] == site.url + "/page/to"
    refresh = site.given("<p>", Refresh="1; url=/page/to")
    answer = (await controller.load(refresh, followClientRedirects=1, wait={"delay": 1}))["navigation"]
    assert answer["url"] == site.url + "/page/to"


async def test_pages_that_stay_are_answered_as_they_are(controller, site):
    for html in ("<p>", "<meta http-equiv=refresh content='60;url=/page/to'>", "<iframe src=/page/in></iframe>",
                 "<script>onload = () => location.hash = 'part'</script>", "<script>onload = () => history.pushState(1, '', '?x')</script>"):
        answer = (await controller.load(site.given(html), followClientRedirects=20))["navigation"]
        assert (answer["outcome"], answer["redirects"], answer["clientRedirectOf"]) == ("finished", [], None), html
    assert (await controller.load(site.url + "/status/204", followClientRedirects=20))["navigation"]["outcome"] == "noContent"


async def test_a_script_of_a_client_is_no_redirect(controller, site):
    await controller.load(site.url + "/")
    await controller.evaluate("location = '/page/to'")
    answer = (await controller.post("/wait", {"after": "n1"}))["navigation"]
    assert answer["url"] == site.url + "/page/to" and answer["clientRedirectOf"] is None


async def test_reload_and_history_follow_too(controller, site):
    first = site.given("<script>if (sessionStorage.seen) location.replace('/page/to'); sessionStorage.seen = 1</script>")
    await controller.load(first)
    answer = (await controller.post("/reload", {"followClientRedirects": 2}))["navigation"]
    assert answer["url"] == site.url + "/page/to"


async def test_following_needs_a_wait(controller):
    body = {"html": "<p>", "wait": {"event": "none"}, "followClientRedirects": 1}
    error = (await controller.post("/load/html", body, status=400))["error"]
    assert error["details"]["pointer"] == "/followClientRedirects"
