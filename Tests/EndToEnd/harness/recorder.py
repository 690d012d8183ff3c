"""A site that keeps connections, and answers as each test says."""

from .socket_site import SocketSite, response

__all__ = ["Recorder", "response"]


class Recorder(SocketSite):
    """`answers`: by path, bytes, or a coroutine function that gets the writer and writes by itself."""

    async def answer(self, request, writer):
        answer = self.answers.get(request.path, response(f"<title>{request.path}</title>{request.method}"))
        if callable(answer):
            await answer(writer)
            return False
        if request.method == "HEAD":
            answer = answer[: answer.index(b"\r\n\r\n") + 4]
        writer.write(answer)
        return True
