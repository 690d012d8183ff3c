import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from harness.raw_site import RawSite  # noqa: E402
from harness.recorder import Recorder  # noqa: E402
from harness.server import Server  # noqa: E402
from harness.site import Site  # noqa: E402


@pytest.fixture(scope="session")
async def site():
    made = await Site().start()
    yield made
    await made.stop()


@pytest.fixture(scope="session")
async def raw_site():
    made = await RawSite().start()
    yield made
    await made.stop()


@pytest.fixture(scope="session")
async def server(tmp_path_factory):
    """One server for all tests that leave nothing behind but controllers."""
    files = tmp_path_factory.mktemp("files")
    made = await Server.start("--files-dir", str(files))
    made.files = files
    yield made
    await made.close()


@pytest.fixture
async def controller(server):
    made = await server.controller(ephemeral=True)
    yield made
    await server.request("DELETE", made.path, status=204)


@pytest.fixture
async def start_server():
    """Starts servers of a test's own, which end with it."""
    started = []

    async def start(*options, **arguments):
        started.append(await Server.start(*options, **arguments))
        return started[-1]

    yield start
    for made in started:
        await made.close()


@pytest.fixture
async def recorder():
    made = await Recorder().start()
    yield made
    await made.stop()
