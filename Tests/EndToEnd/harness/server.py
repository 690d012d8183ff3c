"""The built server as a process, and a client for it."""

import asyncio
import os
import pathlib
import re
import signal
import tempfile

import aiohttp

from . import processes
from .waiting import until

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("WEBVIEW_SERVER_BINARY", str(ROOT / ".build/debug/webview-server"))


class Refused(Exception):
    """The server ended before its ready line."""

    def __init__(self, status, error):
        super().__init__(f"exit status {status}: {error}")
        self.status = status
        self.error = error


class Server:
    """One server on a free loopback port, with a data directory of its own."""

    def __init__(self, process, folder, addresses, log):
        self.process, self.folder, self.addresses, self._log = process, folder, addresses, log
        self.url = next((a for a in addresses if a.startswith("http")), None)
        self.pid = process.pid
        self.http = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60))

    @classmethod
    async def start(cls, *options, listen=("127.0.0.1:0",), data=None, env=None, prefix=(), user=None, lines=None,
                    binary=BINARY):
        folder = tempfile.TemporaryDirectory(prefix="webview-server-test-")
        environment = {k: v for k, v in os.environ.items() if k != "DISPLAY" and not k.startswith("WEBVIEW_SERVER_")}
        environment.update(env or {})
        environment = {k: v for k, v in environment.items() if v is not None}
        data = data or folder.name + "/data"
        arguments = [*prefix, binary, "--data-dir", data, *options]
        for address in listen:
            arguments += ["--listen", address]
        log = open(folder.name + "/log", "w+b")
        if user is not None:
            os.chown(folder.name, user, user)
        process = await asyncio.create_subprocess_exec(
            *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
            env=environment, cwd=folder.name, user=user, group=user, extra_groups=None if user is None else [])
        addresses = []
        try:
            async with asyncio.timeout(40):
                for _ in range(len(listen) if lines is None else lines):
                    line = (await process.stdout.readline()).decode()
                    if not line:
                        status = await process.wait()
                        log.seek(0)
                        raise Refused(status, log.read().decode(errors="replace"))
                    match = re.fullmatch(r"webview-server listening on (\S+)\n", line)
                    assert match, f"no ready line: {line!r}"
                    addresses.append(match[1])
        except BaseException:
            if process.returncode is None:
                process.kill()
            raise
        return cls(process, folder, addresses, log)

    @property
    def data(self):
        return self.folder.name + "/data"

    def log(self):
        with open(self.folder.name + "/log", "rb") as file:
            return file.read().decode(errors="replace")

    async def request(self, method, path, status=200, **arguments):
        """The decoded answer, whose status is checked; None: any."""
        async with self.http.request(method, self.url + path, **arguments) as response:
            is_json = response.content_type == "application/json"
            body = await (response.json() if is_json else response.read())
            assert status in (None, response.status), f"{method} {path}: {response.status} {body}"
            return body

    async def get(self, path, **arguments):
        return await self.request("GET", path, **arguments)

    async def post(self, path, body=None, **arguments):
        if body is not None:
            arguments["json"] = body
        return await self.request("POST", path, **arguments)

    async def controller(self, **options):
        return Controller(self, (await self.post("/v1/controllers", options, status=201))["id"])

    def kill_pages(self):
        """kill -9 of the process of every page."""
        for pid in processes.named(self.pid, "WebKitWebProces"):
            processes.kill(pid)

    async def terminate(self, number=signal.SIGTERM, seconds=20):
        """Ends it as a person would and returns its exit status."""
        processes.kill(self.pid, number)
        async with asyncio.timeout(seconds):
            return await self.process.wait()

    async def close(self):
        await self.http.close()
        if self.process.returncode is None:
            children = processes.descendants(self.pid)
            processes.kill(self.pid, signal.SIGTERM)
            try:
                async with asyncio.timeout(20):
                    await self.process.wait()
            except TimeoutError:
                for pid in [self.pid, *children]:
                    processes.kill(pid)
                await self.process.wait()
        self._log.close()
        self.folder.cleanup()


class Controller:
    """One controller, by its path."""

    def __init__(self, server, identifier):
        self.server, self.id = server, identifier
        self.path = f"/v1/controllers/{identifier}"

    async def get(self, path="", **arguments):
        return await self.server.get(self.path + path, **arguments)

    async def post(self, path, body=None, **arguments):
        return await self.server.post(self.path + path, body, **arguments)

    async def request(self, method, path="", **arguments):
        return await self.server.request(method, self.path + path, **arguments)

    async def load(self, url, **members):
        return await self.post("/load/url", {"url": url, **members})

    async def html(self, html, **members):
        return await self.post("/load/html", {"html": html, **members})

    async def evaluate(self, code, status=200, **members):
        answer = await self.post("/evaluate", {"javaScript": code, **members}, status=status)
        return answer.get("result") if status == 200 else answer["error"]

    async def state(self):
        return await self.get("/state")

    async def dispose(self):
        await self.request("DELETE", status=204)

    def channel(self, **arguments):
        return Channel(self.server, self.path + "/channel", **arguments)


class Channel:
    """A WebSocket with the channel's protocol."""

    def __init__(self, server, path, **arguments):
        self.server, self.path, self.arguments = server, path, arguments
        self.seen, self._number = [], 0

    async def __aenter__(self):
        self.socket = await self.server.http.ws_connect(self.server.url + self.path, **self.arguments)
        self.hello = await self.receive()
        assert self.hello["type"] == "hello", self.hello
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    async def receive(self, seconds=20):
        message = await self.socket.receive_json(timeout=seconds)
        self.seen.append(message)
        return message

    async def next(self, wanted, seconds=20):
        """The next message for which `wanted(message)` holds; those before it stay in `seen`."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self.receive(seconds)
                if wanted(message):
                    return message

    async def event(self, kind, seconds=20):
        return await self.next(lambda m: m["type"] == "event" and m["event"]["type"] == kind, seconds)

    async def send(self, operation, /, **params):
        self._number += 1
        await self.socket.send_json({"id": self._number, "method": operation, "params": params})
        return self._number

    async def call(self, operation, /, **params):
        """The response's result, or the error raised as AssertionError."""
        number = await self.send(operation, **params)
        return await self.response(number)

    async def response(self, number):
        message = await self.next(lambda m: m["type"] == "response" and m.get("id") == number)
        assert "error" not in message, message
        return message["result"]


async def run(*arguments, env=None):
    """The program with these arguments until it ends: its exit status, and what it wrote to either output."""
    process = await asyncio.create_subprocess_exec(
        BINARY, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(env or {})})
    try:
        async with asyncio.timeout(30):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:  # It serves, where it should have refused to.
            process.kill()
            await process.wait()
    return process.returncode, out.decode(), err.decode()


async def gone(pids, seconds=20):
    await until(lambda: not processes.alive(pids), seconds, f"the end of {pids}")
