"""Documents in the encodings of the world: their text is right, and always told in UTF-8."""

import base64
import codecs

import pytest

from harness.recorder import response

TEXTS = {
    "windows-1251": ("cp1251", "Привет, мир"),
    "Shift_JIS": ("shift_jis", "日本語のページ"),
    "GB18030": ("gb18030", "汉字与𠀀"),
    "EUC-KR": ("euc_kr", "한국어 문서"),
    "UTF-8": ("utf-8", "naïve 日本 🙂"),
}


def document(label, text, meta=""):
    return f"<!doctype html><html><head>{meta}<title>{text}</title></head><body><p id=p>{text}</p></body></html>".encode(label)


async def expect(controller, url, text, data):
    assert (await controller.load(url))["loaded"] is True
    assert (await controller.state())["title"] == text
    assert f"<p id=\"p\">{text}</p>" in (await controller.get("/html"))["html"]
    for form, kind in [("html", "text/html"), ("text", "text/plain")]:
        async with controller.server.http.get(controller.server.url + controller.path + f"/html?format={form}") as answer:
            assert answer.headers["Content-Type"] == f"{kind}; charset=utf-8"
            assert text in (await answer.read()).decode("utf-8")
    assert await controller.get("/source") == data, "as it came"


@pytest.mark.parametrize("label", TEXTS)
async def test_the_header_names_it(controller, raw_site, label):
    codec, text = TEXTS[label]
    data = document(codec, text)
    url = raw_site.offer("/header", data, f"Content-Type: text/html; charset={label}")
    await expect(controller, url, text, data)
    navigation = (await controller.post("/wait", {}))["navigation"]
    assert navigation["encoding"] == label


@pytest.mark.parametrize("label", TEXTS)
@pytest.mark.parametrize("meta", ["<meta charset={0}>", "<meta http-equiv=Content-Type content='text/html; charset={0}'>"])
async def test_the_document_names_it(controller, raw_site, label, meta):
    codec, text = TEXTS[label]
    data = document(codec, text, meta.format(label))
    await expect(controller, raw_site.offer("/meta", data, "Content-Type: text/html"), text, data)
    assert (await controller.post("/wait", {}))["navigation"]["encoding"] is None


@pytest.mark.parametrize("label", TEXTS)
@pytest.mark.parametrize("way", ["PUT", "simulated"])
async def test_a_document_that_is_given_names_it(controller, recorder, label, way):
    codec, text = TEXTS[label]
    data = document(codec, text, f"<meta charset={label}>")
    recorder.answers["/meta"] = response(data)
    if way == "PUT":
        answer = await controller.post("/load/request", {"url": recorder.url + "/meta", "method": "PUT"})
    else:
        answer = await controller.post("/load/simulated", {
            "request": {"url": recorder.url + "/meta"}, "response": {"headers": {"Content-Type": "text/html"}},
            "dataBase64": base64.b64encode(data).decode()})
    assert answer["loaded"] and answer["navigation"]["encoding"] is None
    assert await controller.evaluate("return document.title") == text
    assert (await controller.post("/reload", {}))["loaded"]
    assert await controller.evaluate("return document.title") == text


@pytest.mark.parametrize("mark, codec", [
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
])
@pytest.mark.parametrize("header", ["", "; charset=windows-1251"])
async def test_a_byte_order_mark_beats_everything(controller, raw_site, mark, codec, header):
    text = "naïve 日本"
    data = mark + document(codec, text, "<meta charset=shift_jis>")
    await expect(controller, raw_site.offer("/bom", data, f"Content-Type: text/html{header}"), text, data)


@pytest.mark.parametrize("label, codec", [("UTF-16LE", "utf-16-le"), ("UTF-16BE", "utf-16-be"), ("UTF-16", "utf-16-le")])
async def test_utf_16_without_a_mark(controller, raw_site, label, codec):
    data = document(codec, "naïve 日本")
    await expect(controller, raw_site.offer("/utf16", data, f"Content-Type: text/html; charset={label}"), "naïve 日本", data)


async def test_the_header_beats_the_document(controller, raw_site):
    data = document("cp1251", "Привет", "<meta charset=utf-8>")
    await expect(controller, raw_site.offer("/both", data, "Content-Type: text/html; charset=windows-1251"), "Привет", data)


async def test_what_nobody_names_is_utf_8(controller, raw_site):
    data = document("utf-8", "naïve 日本 🙂")
    await expect(controller, raw_site.offer("/none", data, "Content-Type: text/html"), "naïve 日本 🙂", data)
    data = "{\"a\": \"é\"}".encode()
    await controller.load(raw_site.offer("/json", data, "Content-Type: application/json"))
    assert "é" in (await controller.get("/html?format=text")).decode()


async def test_bytes_that_are_no_text_in_the_encoding_named_are_replaced(controller, raw_site):
    data = document("latin-1", "caf\xe9")
    await controller.load(raw_site.offer("/wrong", data, "Content-Type: text/html; charset=utf-8"))
    assert (await controller.state())["title"] == "caf\ufffd"
    assert await controller.get("/source") == data
