"""The servers that are compared, each driven over its own protocol on keep-alive connections."""

import base64
import glob
import json
import os
import socket
import subprocess
import tempfile
import time

from http_client import Connection
from processes import Process
from websocket_client import WebSocket


class WebviewServer:
    """This project, over HTTP."""

    name = "webview-server"

    def start(self):
        self.folder = tempfile.TemporaryDirectory(prefix="webview-server-bench-")
        self.process = Process(
            ["env", "-u", "DISPLAY", os.environ["WEBVIEW_SERVER_BINARY"], "--listen", "127.0.0.1:0", "--data-dir",
             self.folder.name + "/data"], stdout=subprocess.PIPE)
        url = self.process.popen.stdout.readline().decode().split()[-1]
        self.port = int(url.rsplit(":", 1)[1])
        self.roots = [self.process.pid]
        self.http = Connection("127.0.0.1", self.port)

    def stop(self):
        self.http.close()
        self.process.stop()
        self.folder.cleanup()

    def call(self, method, path, body=None):
        status, data = self.http.request(method, path, body)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {data[:200]}")
        return data

    def create(self):
        return "/v1/controllers/" + json.loads(self.call("POST", "/v1/controllers", {"ephemeral": True}))["id"]

    def prepare(self, page):
        """A new page has its viewport already."""

    def close(self, page):
        self.call("DELETE", page)

    def load(self, page, url):
        answer = json.loads(self.call("POST", page + "/load/url", {"url": url}))
        assert answer["loaded"], answer

    def evaluate(self, page, code):
        return json.loads(self.call("POST", page + "/evaluate", {"javaScript": code}))["result"]

    def html(self, page):
        return json.loads(self.call("GET", page + "/html"))["html"]

    def snapshot(self, page):
        return self.call("GET", page + "/snapshot")

    def channel(self, page):
        """An open channel, and evaluation over it."""
        channel = WebSocket("127.0.0.1", self.port, page + "/channel")
        assert json.loads(channel.receive())["type"] == "hello"

        def evaluate(code):
            channel.send(json.dumps({"id": 1, "method": "evaluateJavaScript", "params": {"javaScript": code}}))
            while (answer := json.loads(channel.receive()))["type"] != "response":
                pass
            return answer["result"]["result"]

        return channel, evaluate


class WebDriver:
    """One W3C WebDriver process."""

    def __init__(self, arguments, port, capabilities, environment):
        self.arguments, self.port, self.capabilities, self.environment = arguments, port, capabilities, environment

    def start(self):
        self.process = Process(self.arguments, self.environment)
        end = time.monotonic() + 20
        while True:
            try:
                self.http = Connection("127.0.0.1", self.port)
                return
            except OSError:
                assert time.monotonic() < end, f"{self.arguments[0]} does not listen"
                time.sleep(0.02)

    def stop(self):
        self.http.close()
        self.process.stop()

    def call(self, method, path, body=None):
        status, data = self.http.request(method, path, body)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {data[:200]}")
        return json.loads(data)["value"]


class WebKitWebDriver:
    """WebKit's own driver holds one session a process: as many processes as there are sessions at a time."""

    name = "WebKitWebDriver"

    def __init__(self, sessions):
        self.sessions = sessions

    def start(self):
        self.display = Process(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], stdout=subprocess.PIPE)
        number = self.display.popen.stdout.readline().decode().strip()
        browser = glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")[0]
        capabilities = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        self.drivers = []
        for _ in range(self.sessions):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            driver = WebDriver(["WebKitWebDriver", f"--port={port}"], port, capabilities, {"DISPLAY": f":{number}"})
            driver.start()
            self.drivers.append(driver)
        self.free = list(self.drivers)
        self.roots = [driver.process.pid for driver in self.drivers]

    def stop(self):
        for driver in self.drivers:
            driver.stop()
        self.display.stop()

    def create(self):
        driver = self.free.pop(0)
        answer = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": driver.capabilities}})
        return driver, f"/session/{answer['sessionId']}"

    def prepare(self, session):
        """The same viewport, 1280×800: MiniBrowser's toolbar takes the rest."""
        rectangle = {"width": 1280, "height": 800}
        session[0].call("POST", session[1] + "/window/rect", rectangle)
        rectangle["height"] += 800 - self.evaluate(session, "return innerHeight")
        session[0].call("POST", session[1] + "/window/rect", rectangle)

    def close(self, session):
        session[0].call("DELETE", session[1])
        self.free.append(session[0])

    def load(self, session, url):
        session[0].call("POST", session[1] + "/url", {"url": url})

    def evaluate(self, session, code):
        return session[0].call("POST", session[1] + "/execute/sync", {"script": code, "args": []})

    def html(self, session):
        return session[0].call("GET", session[1] + "/source")

    def snapshot(self, session):
        return base64.b64decode(session[0].call("GET", session[1] + "/screenshot"))
