"""A site on plain sockets that keeps every request byte for byte, and answers as each test says."""

import asyncio
import contextlib


class Recorded:
    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body

    def __repr__(self):
        return f"{self.method} {self.path}"

    def header(self, name):
        """All values of that name, in order."""
        return [value for key, value in self.headers if key.lower() == name.lower()]


def response(body=b"", status="200 OK", type="text/html", headers=()):
    body = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    if type:
        lines.append(f"Content-Type: {type}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Recorder:
    """`answer(path)` is bytes, or a coroutine function that gets the writer and writes by itself."""

    def __init__(self):
        self.requests, self.answers, self._writers = [], {}, {}

    async def start(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 22)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        # Another origin, and for WebKit another site.
        self.other = f"http://localhost:{self.port}"
        return self

    async def stop(self):
        self._server.close()
        for writer in list(self._writers):
            writer.close()

    def seen(self, path):
        return [request for request in self.requests if request.path == path]

    async def ended(self, writer):
        """Returns when the other side of the connection that is answered is gone."""
        with contextlib.suppress(ConnectionError):
            await self._writers[writer].read()

    async def _serve(self, reader, writer):
        self._writers[writer] = reader
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, path, _ = head[0].split(" ", 2)
                headers = [tuple(part.strip() for part in line.split(":", 1)) for line in head[1:] if line]
                length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
                request = Recorded(method, path, headers, await reader.readexactly(length))
                self.requests.append(request)
                answer = self.answers.get(path, response(f"<title>{path}</title>{method}"))
                if callable(answer):
                    await answer(writer)
                    break
                if method == "HEAD":
                    answer = answer[:answer.index(b"\r\n\r\n") + 4]
                writer.write(answer)
                await writer.drain()
        del self._writers[writer]
        writer.close()
