"""The servers that are compared, each driven over its own protocol with a keep-alive HTTP client."""

import asyncio
import base64
import glob
import os
import socket
import subprocess
import tempfile
import time

import aiohttp

from processes import Process


class WebviewServer:
    """This project, over HTTP."""

    name = "webview-server"

    async def start(self):
        self.folder = tempfile.TemporaryDirectory(prefix="webview-server-bench-")
        environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
        self.process = Process(
            ["env", "-u", "DISPLAY", os.environ["WEBVIEW_SERVER_BINARY"], "--listen", "127.0.0.1:0", "--data-dir",
             self.folder.name + "/data"], environment, stdout=subprocess.PIPE)
        line = await asyncio.to_thread(self.process.popen.stdout.readline)
        self.url = line.decode().split()[-1]
        self.roots = [self.process.pid]
        self.http = aiohttp.ClientSession(self.url)

    async def stop(self):
        await self.http.close()
        self.process.stop()
        self.folder.cleanup()

    async def call(self, method, path, body=None):
        async with self.http.request(method, path, json=body) as response:
            if response.status >= 400:
                raise RuntimeError(f"{method} {path}: {await response.text()}")
            return await (response.json() if response.content_type == "application/json" else response.read())

    async def create(self):
        return "/v1/controllers/" + (await self.call("POST", "/v1/controllers", {"ephemeral": True}))["id"]

    async def prepare(self, page):
        """A new page has its viewport already."""

    async def close(self, page):
        await self.call("DELETE", page)

    async def load(self, page, url):
        answer = await self.call("POST", page + "/load/url", {"url": url})
        assert answer["loaded"], answer

    async def evaluate(self, page, code):
        return (await self.call("POST", page + "/evaluate", {"javaScript": code}))["result"]

    async def html(self, page):
        return (await self.call("GET", page + "/html"))["html"]

    async def snapshot(self, page):
        return await self.call("GET", page + "/snapshot")

    async def channel(self, page):
        socket_ = await self.http.ws_connect(page + "/channel")
        assert (await socket_.receive_json())["type"] == "hello"

        async def evaluate(code):
            await socket_.send_json({"id": 1, "method": "evaluateJavaScript", "params": {"javaScript": code}})
            while (answer := await socket_.receive_json())["type"] != "response":
                pass
            return answer["result"]["result"]

        return socket_, evaluate


class WebDriver:
    """One W3C WebDriver process."""

    def __init__(self, arguments, port, capabilities, environment):
        self.arguments, self.port, self.capabilities, self.environment = arguments, port, capabilities, environment

    async def start(self):
        self.process = Process(self.arguments, self.environment)
        end = time.monotonic() + 20
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                break
            except OSError:
                assert time.monotonic() < end, f"{self.arguments[0]} does not listen"
                await asyncio.sleep(0.02)
        self.http = aiohttp.ClientSession(f"http://127.0.0.1:{self.port}")

    async def stop(self):
        await self.http.close()
        self.process.stop()

    async def call(self, method, path, body=None):
        async with self.http.request(method, path, json=body) as response:
            answer = await response.json(content_type=None)
            if response.status >= 400:
                raise RuntimeError(answer)
            return answer["value"]


class WebKitWebDriver:
    """WebKit's own driver holds one session a process: as many processes as there are sessions at a time."""

    name = "WebKitWebDriver"

    def __init__(self, sessions):
        self.sessions = sessions

    async def start(self):
        self.display = Process(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], stdout=subprocess.PIPE)
        number = (await asyncio.to_thread(self.display.popen.stdout.readline)).decode().strip()
        browser = glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")[0]
        capabilities = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        self.drivers = []
        for _ in range(self.sessions):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            driver = WebDriver(["WebKitWebDriver", f"--port={port}"], port, capabilities, {"DISPLAY": f":{number}"})
            await driver.start()
            self.drivers.append(driver)
        self.free = list(self.drivers)
        self.roots = [driver.process.pid for driver in self.drivers]

    async def stop(self):
        for driver in self.drivers:
            await driver.stop()
        self.display.stop()

    async def create(self):
        driver = self.free.pop(0)
        answer = await driver.call("POST", "/session", {"capabilities": {"alwaysMatch": driver.capabilities}})
        return driver, f"/session/{answer['sessionId']}"

    async def prepare(self, session):
        """The same viewport, 1280×800: MiniBrowser's toolbar takes the rest."""
        rectangle = {"width": 1280, "height": 800}
        await session[0].call("POST", session[1] + "/window/rect", rectangle)
        rectangle["height"] += 800 - await self.evaluate(session, "return innerHeight")
        await session[0].call("POST", session[1] + "/window/rect", rectangle)

    async def close(self, session):
        await session[0].call("DELETE", session[1])
        self.free.append(session[0])

    async def load(self, session, url):
        await session[0].call("POST", session[1] + "/url", {"url": url})

    async def evaluate(self, session, code):
        return await session[0].call("POST", session[1] + "/execute/sync", {"script": code, "args": []})

    async def html(self, session):
        return await session[0].call("GET", session[1] + "/source")

    async def snapshot(self, session):
        return base64.b64decode(await session[0].call("GET", session[1] + "/screenshot"))
