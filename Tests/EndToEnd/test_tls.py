"""HTTPS: with `--tls-certificate` and `--tls-key` everything works as over plain HTTP, and nothing is plain."""

import asyncio
import os
import ssl

import aiohttp
import pytest

from harness import processes
from harness.certificates import Certificate
from harness.server import run
from harness.waiting import until


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return Certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
async def secure(start_server, certificate):
    server = await start_server(*certificate.options, listen=("127.0.0.1:0", "unix:sock"))
    await server.http.close()
    server.http = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(ssl=certificate.trusted), timeout=aiohttp.ClientTimeout(total=60))
    return server


def port(server):
    return int(server.url.rsplit(":", 1)[1])


async def test_everything_works_over_https(secure, site):
    assert secure.addresses[0].startswith("https://127.0.0.1:")
    controller = await secure.controller(ephemeral=True)
    assert (await controller.load(site.url + "/page/secret"))["loaded"] is True
    assert await controller.evaluate("return document.title") == "secret"
    assert (await controller.get("/snapshot")).startswith(b"\x89PNG")
    long = "x" * (5 << 20)
    answer = await controller.evaluate("return t", arguments={"t": long})
    assert answer == long, "large bodies, both ways"
    async with controller.channel() as channel:
        await channel.call("subscribe")
        text = (await channel.call("evaluateJavaScript", javaScript="return t", arguments={"t": long[:3 << 20]}))["result"]
        assert text == long[:3 << 20], "large messages, both ways"
        assert (await controller.load(site.url + "/"))["loaded"] is True
        await channel.event("loadFinish")


async def test_its_own_origin_is_the_secure_one(secure):
    for scheme, status in (("https", 200), ("http", 403)):
        headers = {"Origin": secure.url.replace("https", scheme)}
        await secure.get("/v1/server", headers=headers, status=status)


async def test_a_client_that_trusts_somebody_else_goes_away(secure, tmp_path):
    other = Certificate(tmp_path, "other")
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=other.trusted)) as http:
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await http.get(secure.url + "/healthz")
    await secure.get("/healthz")


@pytest.mark.filterwarnings("ignore:.*TLSv1:DeprecationWarning")
@pytest.mark.parametrize("version, is_served", [("TLSv1", False), ("TLSv1_1", False), ("TLSv1_2", True), ("TLSv1_3", True)])
async def test_old_versions_of_tls_are_not_spoken(secure, certificate, version, is_served):
    context = certificate.trusted
    context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, version)
    context.set_ciphers("ALL:@SECLEVEL=0")
    try:
        async with asyncio.timeout(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", port(secure), ssl=context)
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = await reader.read(100)
            writer.close()
    except (ssl.SSLError, ConnectionError):
        answer = b""
    assert answer.startswith(b"HTTP/1.1 200 ") == is_served


@pytest.mark.parametrize("first_bytes", [
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b"POST /v1/controllers HTTP/1.1\r\n\r\n" + b"x" * 200_000,
    b"\x16\x03\x01", b"\x16\x03\x01\x02\x00" + b"\x00" * 512, b"\x00" * 70_000, b""])
async def test_what_is_no_tls_is_closed_and_leaves_nothing(secure, first_bytes):
    await secure.get("/healthz")
    before = processes.descriptors(secure.pid)
    for _ in range(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port(secure))
        try:
            writer.write(first_bytes)
            writer.write_eof()
            async with asyncio.timeout(20):
                answer = await reader.read()
        except ConnectionError:
            answer = b""
        assert not answer.startswith(b"HTTP/"), "no answer in the clear"
        writer.close()
    await until(lambda: processes.descriptors(secure.pid) <= before, what="the first count of descriptors")
    await secure.get("/healthz")
    assert all(line[:4].isdigit() for line in secure.log().splitlines()), secure.log()


async def test_a_plain_request_hears_the_end_of_the_connection(secure):
    """Not a reset, which a client takes for a fault of the network."""
    for _ in range(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port(secure))
        writer.write(b"GET /v1/server HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(20):
            await reader.read()
        writer.close()


async def test_a_handshake_that_stops_holds_up_nobody(secure):
    """Each has its deadline; meanwhile everybody else is served."""
    silent = [await asyncio.open_connection("127.0.0.1", port(secure)) for _ in range(30)]
    for _, writer in silent:
        writer.write(b"\x16\x03\x01\x02")
    async with asyncio.timeout(20):
        assert (await secure.get("/v1/server"))["version"]
    assert await secure.terminate() == 0, "nor the end"
    for _, writer in silent:
        writer.close()


async def test_unix_sockets_stay_plain(secure):
    async with aiohttp.ClientSession(connector=aiohttp.UnixConnector(secure.folder.name + "/sock")) as http:
        async with http.get("http://anything/v1/server") as response:
            assert response.status == 200


async def test_the_health_check_speaks_tls(secure, server, certificate):
    address = ["--listen", secure.url.removeprefix("https://")]
    assert await run("--check-health", *address, *certificate.options) == (0, "", "")
    environment = {"WEBVIEW_SERVER_TLS_CERTIFICATE": certificate.file, "WEBVIEW_SERVER_TLS_KEY": certificate.key}
    assert (await run("--check-health", *address, env=environment))[0] == 0
    assert (await run("--check-health", *address))[0] == 1
    socket = ["--listen", "unix:" + secure.folder.name + "/sock"]
    assert (await run("--check-health", *socket, *certificate.options))[0] == 0
    plain = await run("--check-health", "--listen", server.url.removeprefix("http://"), *certificate.options)
    assert plain[0] == 1 and "TLS" in plain[2] and plain[2].count("\n") == 1


@pytest.mark.parametrize("spoil", ["no certificate", "no key", "no such certificate", "no such key", "garbage", "foreign key"])
async def test_files_that_are_no_identity_are_a_mistake(certificate, tmp_path, spoil):
    options = {"--tls-certificate": certificate.file, "--tls-key": certificate.key}
    (tmp_path / "garbage.pem").write_text("nonsense\n")
    match spoil:
        case "no certificate":
            del options["--tls-certificate"]
        case "no key":
            del options["--tls-key"]
        case "no such certificate":
            options["--tls-certificate"] = "/no/such/certificate"
        case "no such key":
            options["--tls-key"] = "/no/such/key"
        case "garbage":
            options["--tls-certificate"] = str(tmp_path / "garbage.pem")
        case "foreign key":
            options["--tls-key"] = Certificate(tmp_path, "foreign").key
    arguments = [word for option in options.items() for word in option]
    status, out, err = await run("--data-dir", str(tmp_path / "data"), "--listen", "127.0.0.1:0", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("webview-server: ") and err.count("\n") == 1 and "--tls-" in err
    if spoil.startswith("no such"):
        assert "/no/such/" in err


async def test_a_key_that_everybody_can_read_is_warned_of(start_server, tmp_path):
    own = Certificate(tmp_path)
    os.chmod(own.key, 0o644)
    server = await start_server(*own.options)
    assert f"can read the key file {own.key}" in server.log()
