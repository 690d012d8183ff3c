"""URLs as clients write them: parsed once, by the engine, and shown as they were parsed."""

import base64
import json

import pytest


async def loads(controller, url):
    """The URL of the navigation, which is that of the state and of the document."""
    answer = await controller.load(url)
    assert answer["loaded"] is True, answer
    shown = answer["navigation"]["url"]
    assert (await controller.state())["url"] == shown
    assert await controller.evaluate("return location.href") == shown
    return shown


@pytest.mark.parametrize("given, shown, asked", [
    ("http://bücher.localhost:{port}/ü?ü#ü", "http://xn--bcher-kva.localhost:{port}/%C3%BC?%C3%BC#%C3%BC", "/%C3%BC?%C3%BC"),
    ("HTTP://LocalHost:{port}/A", "http://localhost:{port}/A", "/A"),
    (" \t\nhttp://127.0.0.1:{port}/a b\tc\nd\r e \n", "http://127.0.0.1:{port}/a%20bcd%20e", "/a%20bcd%20e"),
    ("http:\\\\127.0.0.1:{port}\\a\\..\\b", "http://127.0.0.1:{port}/b", "/b"),
    ("http:/127.0.0.1:{port}/one-slash", "http://127.0.0.1:{port}/one-slash", "/one-slash"),
    ("http:127.0.0.1:{port}", "http://127.0.0.1:{port}/", "/"),
    ("http://127.0.0.1:{port}/a/./b/../c/%2e%2E/d", "http://127.0.0.1:{port}/a/d", "/a/d"),
    ("http://127.0.0.1:{port}/%7E%2F%c3%bc%zz?%41", "http://127.0.0.1:{port}/%7E%2F%c3%bc%zz?%41", "/~%2F%C3%BC%zz?A"),
    ("http://127.0.0.1:{port}/'\"<>`{{}}|^?'\"<>`", "http://127.0.0.1:{port}/'%22%3C%3E%60%7B%7D|^?%27%22%3C%3E`", None),
    ("http://127.0.0.1:{port}?q#a b", "http://127.0.0.1:{port}/?q#a%20b", "/?q"),
    ("http://2130706433:{port}/decimal", "http://127.0.0.1:{port}/decimal", "/decimal"),
    ("http://0x7f000001:{port}/hex", "http://127.0.0.1:{port}/hex", "/hex"),
    ("http://0177.0x0.1:{port}/mixed", "http://127.0.0.1:{port}/mixed", "/mixed"),
    ("http://127.1:{port}/short", "http://127.0.0.1:{port}/short", "/short"),
    ("http://１２７.0.0.1:{port}/wide", "http://127.0.0.1:{port}/wide", "/wide"),
    ("http://[0:0::0:1]:{port}/six", "http://[::1]:{port}/six", "/six"),
])
async def test_as_the_standard_says(controller, raw_site, given, shown, asked):
    told = await loads(controller, given.format(port=raw_site.port))
    if asked is None:  # Which of these the query and the path escape, the standard has changed over time.
        assert told.startswith(f"http://127.0.0.1:{raw_site.port}/'%22%3C%3E%60%7B%7D")
        return
    assert told == shown.format(port=raw_site.port)
    lines = raw_site.heads[-1].split("\r\n")
    assert lines[0] == f"GET {asked} HTTP/1.1"
    assert "Host: " + told.split("/")[2] in lines


@pytest.mark.parametrize("url", [
    "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", "blob:http://127.0.0.1/1-2", "view-source:http://127.0.0.1/", "ftp://127.0.0.1/",
    "ws://127.0.0.1/", "mailto:a@b.test", "webkit://x", "foo:bar",
    "", "x", "/path", "//127.0.0.1/", "http://", "http://a b/", "http://127.0.0.1:99999/", "http://a%00b/", "http://1.2.3.256/",
    "http://[::1/", "http://a\u0000/", "http://xn--a/",
])
async def test_what_is_not_loaded_is_refused(controller, url):
    error = (await controller.post("/load/url", {"url": url}, status=400))["error"]
    assert error["code"] == "invalidArgument" and error["details"]["pointer"] == "/url"
    state = await controller.state()
    assert state["url"] is None and not state["isLoading"]


@pytest.mark.parametrize("url", [
    "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "\tfi\nle:///etc/passwd", "file:\\\\\\etc\\passwd", "file://localhost/etc/passwd",
    "file:///{files}/%2e%2e/%2e%2e/etc/passwd", "file:///{files}/..\\..\\..\\etc\\passwd", "file:///%65tc/passwd", "file:///etc/passwd?x#y",
])
async def test_rules_about_files_see_what_is_loaded(server, controller, url):
    error = (await controller.post("/load/url", {"url": url.format(files=server.files)}, status=403))["error"]
    assert error["code"] == "forbidden"


async def test_a_url_up_to_the_limit_is_loaded_and_one_beyond_it_refused(server, controller, raw_site):
    limit = (await server.get("/v1/server"))["limits"]["url"]
    for start in ("/long?", "/long#", ""):
        start = raw_site.url + start if start else "data:text/html,"
        url = start + "x" * (limit - len(start))
        assert await loads(controller, url) == url
        error = (await controller.post("/load/url", {"url": url + "x"}, status=413))["error"]
        assert error["details"] == {"limit": limit, "size": limit + 1, "pointer": "/url"}


async def test_credentials_open_the_door_and_are_shown_to_nobody(server, controller, raw_site):
    """The user's name and password reach the site that asks for them, and neither answers nor events nor the log."""
    expected = "Authorization: Basic " + base64.b64encode(b"user:pass@word-s3cret").decode()
    site = raw_site.url.replace("//", "//user:pass%40word-s3cret@")

    def guarded(path, *headers, status="200 OK", body=b"<title>private</title>"):
        raw_site.answers[path] = lambda head: (
            (status, ["Content-Type: text/html", *headers], body) if expected in head
            else ("401 Unauthorized", ["WWW-Authenticate: Basic realm=x", "Content-Type: text/html"], b"who are you"))

    guarded("/private")
    guarded("/moved", "Location: /private", status="302 Found", body=b"")
    guarded("/nothing", status="204 No Content", body=b"")
    answers = [await controller.load(site + path) for path in ("/private", "/moved", "/private#part", "/nothing")]
    outcomes = [answer["navigation"]["outcome"] for answer in answers]
    assert outcomes[:2] == ["finished", "finished"] and outcomes[3] == "noContent", answers
    assert (await controller.state())["title"] == "private"
    answers.append(await controller.load(site.replace(str(raw_site.port), "1") + "/"))
    assert answers[-1]["navigation"]["outcome"] == "failed"
    answers.append(await controller.post("/load/html", {"html": "", "baseURL": site + "/base"}))
    answers.append(await controller.post("/load/url", {"url": site + "/private", "wait": {"event": "none"}}, status=202))
    answers += [await controller.state(), await controller.post("/wait", {}), await controller.post("/reload", {})]
    assert answers[-1]["loaded"] is True and (await controller.state())["title"] == "private"
    answers += [await controller.state(), await controller.get("/events?types=all")]
    for answer in answers:
        assert "s3cret" not in json.dumps(answer) and "user" not in json.dumps(answer), answer
    assert answers[0]["navigation"]["url"] == raw_site.url + "/private"
    assert answers[1]["navigation"]["redirects"][0]["url"] == raw_site.url + "/moved"
    assert "s3cret" not in server.log()
