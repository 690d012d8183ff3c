"""What the sites on plain sockets have in common: they read requests as they came, and answer byte for byte."""

import asyncio
import contextlib


class Request:
    def __init__(self, head, method, path, headers, body):
        self.head, self.method, self.path, self.headers, self.body = head, method, path, headers, body

    def __repr__(self):
        return f"{self.method} {self.path}"

    def header(self, name):
        """All values of that name, in order."""
        return [value for key, value in self.headers if key.lower() == name.lower()]


def response(body=b"", status="200 OK", type="text/html", headers=(), length=None):
    """`length`: what the head says of the body, when that is not so."""
    body = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    if type:
        lines.append(f"Content-Type: {type}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class SocketSite:
    #: The addresses of its port.
    hosts = ("127.0.0.1",)

    def __init__(self):
        self.requests, self.answers, self._servers, self._writers = [], {}, [], {}

    async def start(self, tls=None):
        self.port = 0
        for host in self.hosts:
            self._servers.append(await asyncio.start_server(self._serve, host, self.port, ssl=tls, limit=8 << 20))
            self.port = self._servers[0].sockets[0].getsockname()[1]
        scheme = "https" if tls else "http"
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        # Another origin, and for WebKit another site.
        self.other = f"{scheme}://localhost:{self.port}"
        return self

    async def stop(self):
        for server in self._servers:
            server.close()
        for writer in list(self._writers):
            writer.close()

    @property
    def heads(self):
        return [request.head for request in self.requests]

    def seen(self, path):
        return [request for request in self.requests if request.path == path]

    async def ended(self, writer):
        """Returns when the other side of the connection that is answered is gone."""
        with contextlib.suppress(ConnectionError):
            await self._writers[writer].read()

    async def converse(self, reader, writer):
        """A connection, from its begin on: what a site of this kind does with it."""
        while await self.answer(await self.read(reader), writer):
            await writer.drain()

    async def answer(self, request, writer):
        """Writes; true when the connection goes on."""
        raise NotImplementedError

    async def read(self, reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines if line]
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        self.requests.append(Request(head, method, path, headers, await reader.readexactly(length)))
        return self.requests[-1]

    async def _serve(self, reader, writer):
        self._writers[writer] = reader
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await self.converse(reader, writer)
        finally:
            del self._writers[writer]
            writer.close()
