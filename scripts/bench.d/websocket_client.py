"""As little of WebSocket as a benchmark needs: text messages, both ways, unfragmented."""

import base64
import os
import socket
import struct


class WebSocket:
    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def close(self):
        self.socket.close()

    def send(self, text):
        data = text.encode()
        assert len(data) < 126
        # A mask of zeros is a mask.
        self.socket.sendall(bytes((0x81, 0x80 | len(data))) + bytes(4) + data)

    def receive(self):
        while True:
            opcode, length = self._exactly(2)
            length &= 0x7F
            if length == 126:
                length = struct.unpack("!H", self._exactly(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", self._exactly(8))[0]
            data = self._exactly(length)
            if opcode & 0x0F == 1:
                return data.decode()

    def _fill(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the channel was closed")
        self.buffer += piece

    def _exactly(self, size):
        while len(self.buffer) < size:
            self._fill()
        found, self.buffer = self.buffer[:size], self.buffer[size:]
        return found
