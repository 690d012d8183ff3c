"""A web site that answers byte for byte what a test says, and keeps the heads of the requests as they came."""

import asyncio


class RawSite:
    def __init__(self):
        #: Status, headers and body by path, or what makes them of a request's head.
        self.answers = {}
        self.heads = []

    async def start(self):
        serve = dict(limit=8 << 20)
        self._servers = [await asyncio.start_server(self._serve, "127.0.0.1", 0, **serve)]
        self.port = self._servers[0].sockets[0].getsockname()[1]
        self._servers.append(await asyncio.start_server(self._serve, "::1", self.port, **serve))
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def stop(self):
        for server in self._servers:
            server.close()

    def offer(self, path, body, *headers, status="200 OK"):
        """The path's answer from now on; its URL."""
        self.answers[path] = (status, headers, body)
        return self.url + path

    def lines(self, path):
        """The request lines of those requests that asked for this path."""
        lines = [head.split("\r\n")[0] for head in self.heads]
        return [line for line in lines if line.split(" ")[1].split("?")[0] == path]

    async def _serve(self, reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = next((int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length:")), 0)
            await reader.readexactly(length)
            self.heads.append(head)
            path = head.split(" ")[1].split("?")[0]
            default = ("200 OK", ["Content-Type: text/html"], b"<!doctype html><title>" + path[:100].encode("latin-1") + b"</title>")
            answer = self.answers.get(path, default)
            status, headers, body = answer(head) if callable(answer) else answer
            lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "Connection: close"]
            writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
