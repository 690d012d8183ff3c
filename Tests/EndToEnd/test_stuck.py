"""How the program ends when something in it hangs: its pages' thread, a page, or a call."""

import asyncio

from harness.waiting import until


async def test_what_the_drain_does_not_finish_is_answered(start_server, site):
    server = await start_server("--drain", "1")
    controller, loading = await server.controller(ephemeral=True), await server.controller(ephemeral=True)
    await controller.load(site.url + "/")
    evaluation = asyncio.create_task(controller.evaluate(
        "await fetch('/mark/' + mark); await new Promise(() => {})", status=410, timeout=50,
        arguments={"mark": controller.id}))
    await site.reached(f"/mark/{controller.id}")
    load = asyncio.create_task(loading.load(f"{site.url}/hang?{loading.id}"))
    await until(lambda: any(loading.id in r.query_string for r in site.requests), what="the request of the page")
    assert await server.terminate() == 0
    assert (await evaluation)["code"] == "disposed"
    answer = await load
    assert (answer["loaded"], answer["navigation"]["outcome"]) == (False, "disposed")
