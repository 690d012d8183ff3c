"""Pictures of pages, checked pixel by pixel."""

import io

import pytest
from PIL import Image


async def snapshot(controller, query="", **arguments):
    data = await controller.get("/snapshot" + query, **arguments)
    picture = Image.open(io.BytesIO(data))
    assert picture.format == "PNG"
    return picture.convert("RGB")


async def test_the_picture_is_the_page(controller, site):
    await controller.load(site.url + "/red")
    picture = await snapshot(controller)
    assert picture.size == (1280, 800)
    assert picture.getpixel((10, 10)) == (0, 0, 255)
    assert picture.getpixel((99, 49)) == (0, 0, 255)
    assert picture.getpixel((100, 50)) == (255, 0, 0)
    assert picture.getpixel((1279, 799)) == (255, 0, 0)


async def test_a_rectangle_of_it(controller, site):
    await controller.load(site.url + "/red")
    picture = await snapshot(controller, "?x=90&y=40&width=20&height=20")
    assert picture.size == (20, 20)
    assert [picture.getpixel(p) for p in ((0, 0), (9, 9), (10, 10), (19, 19))] == [(0, 0, 255)] * 2 + [(255, 0, 0)] * 2


async def test_a_given_width(controller, site):
    await controller.load(site.url + "/red")
    picture = await snapshot(controller, "?snapshotWidth=640")
    assert picture.size == (640, 400)
    assert picture.getpixel((20, 10)) == (0, 0, 255) and picture.getpixel((600, 300)) == (255, 0, 0)


@pytest.mark.parametrize("width, height", [(1, 1), (100, 100), (3000, 2000)])
async def test_any_viewport(server, site, width, height):
    controller = await server.controller(ephemeral=True, viewport={"width": width, "height": height})
    await controller.load(site.url + "/red")
    assert await controller.evaluate("return [innerWidth, innerHeight]") == [width, height]
    picture = await snapshot(controller)
    assert picture.size == (width, height) and picture.getpixel((0, 0)) == (0, 0, 255)
    await controller.dispose()


async def test_a_blank_page_before_the_first_load(controller):
    assert (await snapshot(controller)).getpixel((5, 5)) == (255, 255, 255)


async def test_a_rectangle_beyond_the_page_is_refused(controller, site):
    await controller.load(site.url + "/red")
    error = (await controller.get("/snapshot?x=0&y=0&width=1281&height=10", status=400))["error"]
    assert error["code"] == "invalidArgument"


async def test_pages_paint_while_many_are_open(server, site):
    controllers = [await server.controller(ephemeral=True) for _ in range(3)]
    for controller in controllers:
        await controller.load(site.url + "/red")
    for controller in controllers:
        assert await controller.evaluate("return await new Promise(r => requestAnimationFrame(() => r(true)))", timeout=5)
        assert (await snapshot(controller)).getpixel((10, 10)) == (0, 0, 255)
        await controller.dispose()
