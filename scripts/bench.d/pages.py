"""A keep-alive site in a process of its own, which answers each GET in one write, so that no delayed ACK hides in
the figures."""

import asyncio
import multiprocessing
import socket

PAGE = """<!doctype html><meta charset=utf-8><title>bench</title>
<style>body{font:16px sans-serif}div{padding:4px;margin:2px;background:#eef}</style>
<h1>Bench page</h1>%s<script>window.ready=document.querySelectorAll('div').length</script>"""
ROWS = 50
BODY = (PAGE % "".join(f"<div>row {i} <a href='/p/{i}'>link {i}</a></div>" for i in range(ROWS))).encode()
LAST_ROW = f"row {ROWS - 1}"


async def _serve(reader, writer):
    writer.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        while line := await reader.readline():
            while (await reader.readline()).strip():
                pass
            known = line.split()[1] == b"/page"
            body = BODY if known else b""
            writer.write(
                b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nCache-Control: no-store\r\nContent-Length: %d\r\n\r\n"
                % (b"200 OK" if known else b"404 Not Found", len(body)) + body)
    except (ConnectionError, IndexError):
        pass
    finally:
        writer.close()


async def _run(listener):
    server = await asyncio.start_server(_serve, sock=listener)
    await server.serve_forever()


def start():
    """The process, to be terminated, and the page's URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    process = multiprocessing.Process(target=lambda: asyncio.run(_run(listener)), daemon=True)
    process.start()
    port = listener.getsockname()[1]
    listener.close()
    return process, f"http://127.0.0.1:{port}/page"
