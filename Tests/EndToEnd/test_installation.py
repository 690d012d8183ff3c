"""What the program needs beside itself, where it lies: as the build leaves it, and as an installation has it."""

import pathlib
import shutil

import pytest

from harness import processes
from harness.server import BINARY, Refused

BUILT = pathlib.Path(BINARY).resolve().parent
MODULE = "libWebProcessExtension.so"


@pytest.fixture
def installed(tmp_path):
    """The program under a prefix of its own."""
    for folder in ("bin", "lib/webview-server", "share"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(BINARY, tmp_path / "bin/webview-server")
    shutil.copy(BUILT / MODULE, tmp_path / "lib/webview-server" / MODULE)
    shutil.copytree(BUILT / "webview-server_WebViewAPI.resources", tmp_path / "share/webview-server")
    return tmp_path


def libraries(pid):
    with open(f"/proc/{pid}/maps") as file:
        return {line.split(maxsplit=5)[5].strip() for line in file if line.count("/")}


async def page_process(server, site):
    controller = await server.controller(ephemeral=True)
    assert (await controller.load(site.url + "/"))["loaded"] is True
    [pid] = processes.named(server.pid, "WebKitWebProces")
    return pid


@pytest.mark.parametrize("sandbox", ["on", "off"])
async def test_pages_have_the_module_of_the_build(start_server, site, sandbox):
    server = await start_server("--sandbox", sandbox)
    assert str(BUILT / MODULE) in libraries(await page_process(server, site))


@pytest.mark.parametrize("sandbox", ["on", "off"])
async def test_pages_have_the_module_of_the_installation(start_server, site, installed, sandbox):
    server = await start_server("--sandbox", sandbox, binary=str(installed / "bin/webview-server"))
    loaded = libraries(await page_process(server, site))
    assert str(installed / "lib/webview-server" / MODULE) in loaded
    await server.get("/openapi.json")


async def test_an_installation_may_be_linked_to(start_server, site, installed):
    away = installed / "away"
    away.mkdir()
    shutil.move(installed / "lib/webview-server", away / "modules")
    (installed / "lib/webview-server").symlink_to(away / "modules")
    (away / "server").symlink_to(installed / "bin/webview-server")
    server = await start_server(binary=str(away / "server"))
    assert str(away / "modules" / MODULE) in libraries(await page_process(server, site))


async def test_without_its_module_it_does_not_start(start_server, installed):
    module = installed / "lib/webview-server" / MODULE
    module.unlink()
    with pytest.raises(Refused) as refused:
        await start_server(binary=str(installed / "bin/webview-server"))
    assert refused.value.status == 1
    assert str(module) in refused.value.error and refused.value.error.count("\n") == 1, refused.value.error


async def test_pages_are_given_no_other_library(start_server, installed):
    (installed / "lib/webview-server/libother.so").write_text("")
    with pytest.raises(Refused) as refused:
        await start_server(binary=str(installed / "bin/webview-server"))
    assert refused.value.status == 1
    assert "libother.so" in refused.value.error and refused.value.error.count("\n") == 1, refused.value.error
