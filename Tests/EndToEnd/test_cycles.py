"""Controllers come and go without leaving processes, descriptors or memory behind."""

import pytest

from harness import processes
from harness.waiting import until


async def cycle(server, site, number):
    controller = await server.controller(ephemeral=number % 2 == 0)
    assert (await controller.load(site.url + f"/page/{number}"))["loaded"] is True
    await controller.dispose()


async def cycles(server, site, count):
    """Growth in MB of the server's own private memory over `count` cycles."""
    for number in range(4):
        await cycle(server, site, number)
    await until(lambda: not processes.named(server.pid, "WebKitWebProces"), what="the end of the web processes")
    children, descriptors = len(processes.descendants(server.pid)), processes.descriptors(server.pid)
    memory = processes.resident(server.pid)
    for number in range(count):
        await cycle(server, site, number)
    await until(lambda: len(processes.descendants(server.pid)) <= children, what="the first count of processes")
    await until(lambda: processes.descriptors(server.pid) <= descriptors + 4, what="the first count of descriptors")
    return processes.resident(server.pid) - memory


async def test_20_cycles_leave_nothing(start_server, site):
    assert await cycles(await start_server(), site, 20) < 20


@pytest.mark.soak
@pytest.mark.timeout(900)
async def test_200_cycles_leave_nothing(start_server, site):
    assert await cycles(await start_server(), site, 200) < 30
