"""Methods that are fetched, where the way to the site is another: over TLS, and through a proxy."""

import ssl

import pytest

from harness.certificates import Authority, Certificate
from harness.recorder import Recorder, response
from harness.requests import request
from harness.server import Server

FETCHED = ["PUT", "PATCH", "DELETE", "PURGE"]
METHODS = ["GET", "POST", *FETCHED]
TITLE = "return document.title"


def context(file, key):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(file, key)
    return made


@pytest.fixture(scope="module")
async def unknown_site(tmp_path_factory):
    certificate = Certificate(tmp_path_factory.mktemp("certificate"))
    made = await Recorder().start(context(certificate.file, certificate.key))
    yield made
    await made.stop()


@pytest.fixture(scope="module")
async def trusted(tmp_path_factory):
    """A site of TLS, and a controller of a server that believes it."""
    authority = Authority(tmp_path_factory.mktemp("authority"))
    if authority.prefix is None:
        pytest.skip("no mount namespaces for an authority of the test's own")
    site = await Recorder().start(context(*authority.certificate()))
    server = await Server.start(prefix=authority.prefix)
    yield site, await server.controller(ephemeral=True)
    await server.close()
    await site.stop()


@pytest.mark.parametrize("method", METHODS)
async def test_a_certificate_that_is_not_trusted_ends_the_load_before_the_request(controller, recorder, unknown_site, method):
    recorder.answers["/from"] = response(status="307 Temporary Redirect", headers=[f"Location: {unknown_site.url}/to"])
    await controller.load(recorder.url + "/before")
    for url, redirects in ((unknown_site.url + "/to", 0), (recorder.url + "/from", 1)):
        loaded = await request(controller, url, method=method, headers={"Authorization": "Bearer abc"})
        navigation = loaded["navigation"]
        assert not loaded["loaded"] and navigation["outcome"] == "failed", navigation
        assert navigation["error"]["code"] == "tlsError" and navigation["httpStatus"] is None, navigation
        assert len(navigation["redirects"]) == redirects
        assert await controller.evaluate(TITLE) == "/before"
    assert unknown_site.requests == []
    assert (await controller.load(recorder.url + "/after"))["loaded"]


@pytest.mark.parametrize("method", METHODS)
async def test_a_certificate_that_is_trusted_is_taken(trusted, method):
    site, controller = trusted
    site.requests.clear()
    body = {"body": "a=1"} if method not in ("GET", "DELETE") else {}
    loaded = await request(controller, site.url + "/x", method=method, headers={"X-A": "b"}, **body)
    assert loaded["loaded"] and loaded["navigation"]["httpStatus"] == 200, loaded
    assert await controller.evaluate("return [location.href, document.title]") == [site.url + "/x", "/x"]
    [seen] = site.seen("/x")
    assert (seen.method, seen.header("x-a"), seen.body) == (method, ["b"], b"a=1" if body else b"")


@pytest.mark.parametrize("method", FETCHED)
async def test_cookies_go_both_ways_over_tls(trusted, method):
    site, controller = trusted
    await controller.request("DELETE", "/cookies")
    site.requests.clear()
    cookies = ["Set-Cookie: hidden=1; HttpOnly; Secure", "Set-Cookie: __Host-own=2; Secure; Path=/", "Set-Cookie: shown=3"]
    site.answers["/set"] = response(headers=cookies)
    await request(controller, site.url + "/set", method=method)
    assert site.seen("/set")[0].header("cookie") == []
    assert sorted((await controller.evaluate("return document.cookie")).split("; ")) == ["__Host-own=2", "shown=3"]
    for by, path in (("GET", "/by-engine"), (method, "/fetched")):
        await request(controller, site.url + path, method=by)
        [cookie] = site.seen(path)[0].header("cookie")
        assert sorted(cookie.split("; ")) == ["__Host-own=2", "hidden=1", "shown=3"], by
    site.answers["/end"] = response(headers=["Set-Cookie: hidden=; Secure; Max-Age=0"])
    await request(controller, site.url + "/end", method=method)
    assert {cookie["name"] for cookie in (await controller.get("/cookies"))["cookies"]} == {"__Host-own", "shown"}


@pytest.fixture(scope="module")
async def proxied():
    """A proxy that answers by itself, and a controller of a server that was told of it."""
    proxy = await Recorder().start()
    server = await Server.start(env={"http_proxy": proxy.url, "no_proxy": None})
    yield proxy, await server.controller(ephemeral=True)
    await server.close()
    await proxy.stop()


@pytest.mark.parametrize("method", METHODS)
async def test_a_proxy_is_asked_in_the_sites_place(proxied, method):
    """With a name that only the proxy may look up."""
    proxy, controller = proxied
    proxy.requests.clear()
    await controller.request("DELETE", "/cookies")
    site = "http://site.invalid"
    proxy.answers[site + "/x"] = response("<title>by proxy</title>", headers=["Set-Cookie: hidden=1; HttpOnly", "Set-Cookie: shown=2"])
    body = {"body": "a=1"} if method not in ("GET", "DELETE") else {}
    loaded = await request(controller, site + "/x", method=method, headers={"X-A": "b", "Cookie": "given=0"}, **body)
    assert loaded["loaded"] and loaded["navigation"]["url"] == site + "/x", loaded
    assert await controller.evaluate("return [location.href, document.title]") == [site + "/x", "by proxy"]
    [seen] = proxy.seen(site + "/x")
    assert (seen.method, seen.header("x-a"), seen.body) == (method, ["b"], b"a=1" if body else b"")
    assert seen.header("host") == ["site.invalid"] and seen.header("cookie") == ["given=0"]
    await request(controller, site + "/again", method=method)
    [cookie] = proxy.seen(site + "/again")[0].header("cookie")
    assert sorted(cookie.split("; ")) == ["given=0", "hidden=1", "shown=2"]
