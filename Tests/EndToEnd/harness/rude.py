"""A site on raw sockets, for answers that no proper server gives."""

import asyncio
import socket
import struct

HTML = b"<!doctype html><title>rude</title><p>x"


def answer(status="200 OK", body=HTML, content_type="text/html", length=None, **headers):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class RudeSite:
    """Answers each path with the bytes given for it, then closes, resets or hangs.

    `greeting`: said to whoever connects, who is not listened to."""

    def __init__(self, greeting=None):
        self.answers, self.heads, self.greeting = {}, [], greeting
        self.let_go = asyncio.Event()

    async def start(self, tls=None):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        return self

    async def stop(self):
        self.let_go.set()
        self._server.close()

    def put(self, path, *parts, then="close"):
        self.answers[path] = (parts, then)
        return self.url + path

    async def _serve(self, reader, writer):
        try:
            if self.greeting:
                writer.write(self.greeting)
                return
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            path = head.split(" ", 2)[1]
            parts, then = self.answers.get(path, ((answer("404 Not Found"),), "close"))
            for part in parts:
                writer.write(part)
                await writer.drain()
            if then == "hang":
                await self.let_go.wait()
            elif then == "reset":
                raw = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
