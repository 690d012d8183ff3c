"""By what a document's server proved who it is."""

import datetime
import ssl

import pytest
from aiohttp import web

from harness.certificates import Authority


async def test_what_did_not_come_over_tls_has_none(controller, site):
    nobody = {"serverTrust": None}
    assert await controller.get("/server-trust") == nobody
    for load in (controller.load(site.url + "/"), controller.load("about:blank"), controller.load("data:text/html,x"),
                 controller.html("<p>", baseURL="https://example.com/")):
        assert (await load)["loaded"] is True
        assert await controller.get("/server-trust") == nobody


@pytest.fixture
async def secure_site(tmp_path):
    authority = Authority(tmp_path)
    if authority.prefix is None:
        pytest.skip("no mount namespaces for an authority of the test's own")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*authority.certificate())

    async def safe(request):
        return web.Response(text="<title>safe</title>", content_type="text/html")
    application = web.Application()
    application.router.add_route("*", "/", safe)
    runner = web.AppRunner(application, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    yield authority, f"https://localhost:{runner.addresses[0][1]}/"
    await runner.cleanup()


async def test_a_server_that_is_vouched_for(start_server, secure_site, site):
    authority, url = secure_site
    server = await start_server(prefix=authority.prefix)
    controller = await server.controller(ephemeral=True)
    answer = await controller.load(url)
    assert answer["loaded"] is True, answer
    assert (await controller.state())["hasOnlySecureContent"] is True
    trust = (await controller.get("/server-trust"))["serverTrust"]
    assert (trust["subject"], trust["issuer"], trust["errors"]) == ("CN=localhost", "CN=Test Authority", [])
    assert trust["certificates"][0] == (authority.folder / "vouched.pem").read_text()
    begin, end = (datetime.datetime.fromisoformat(trust[name]) for name in ("notBefore", "notAfter"))
    assert end - begin == datetime.timedelta(days=2)
    # Fetched for want of a way through the engine, by the same certificate.
    assert (await controller.html("<p>", baseURL=url))["loaded"] is True
    assert (await controller.state())["hasOnlySecureContent"] is False
    assert (await controller.post("/load/request", {"url": url, "method": "PUT", "body": "x"}))["loaded"] is True
    for _ in range(2):
        assert (await controller.get("/server-trust"))["serverTrust"] == trust
        assert (await controller.state())["hasOnlySecureContent"] is True
        assert (await controller.post("/reload"))["loaded"] is True
    assert (await controller.html("<p>", baseURL=url))["loaded"] is True
    assert (await controller.get("/server-trust"))["serverTrust"] is None
    await controller.load(site.url + "/")
    assert (await controller.get("/server-trust"))["serverTrust"] is None
