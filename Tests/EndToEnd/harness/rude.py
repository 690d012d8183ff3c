"""A site for answers that no proper server gives."""

import asyncio
import socket
import struct

from .socket_site import SocketSite, response

HTML = b"<!doctype html><title>rude</title><p>x"


def answer(status="200 OK", body=HTML, content_type="text/html", length=None, **headers):
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return response(body, status, content_type, lines, length)


class RudeSite(SocketSite):
    """Answers each path with the bytes given for it, then closes, resets or hangs.

    `greeting`: said to whoever connects, who is not listened to."""

    def __init__(self, greeting=None):
        super().__init__()
        self.greeting = greeting
        self.let_go = asyncio.Event()

    async def stop(self):
        self.let_go.set()
        await super().stop()

    def put(self, path, *parts, then="close"):
        self.answers[path] = (parts, then)
        return self.url + path

    async def converse(self, reader, writer):
        if self.greeting:
            writer.write(self.greeting)
        else:
            await super().converse(reader, writer)

    async def answer(self, request, writer):
        parts, then = self.answers.get(request.path, ((answer("404 Not Found"),), "close"))
        for part in parts:
            writer.write(part)
            await writer.drain()
        if then == "hang":
            await self.let_go.wait()
        elif then == "reset":
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
