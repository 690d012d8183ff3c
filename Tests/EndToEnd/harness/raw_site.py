"""A web site that answers with the headers and bytes that a test offers, and what is not offered with its path."""

from .socket_site import SocketSite, response


class RawSite(SocketSite):
    """`answers`: status, headers and body by path, or what makes them of a request's head."""

    hosts = ("127.0.0.1", "::1")

    def offer(self, path, body, *headers, status="200 OK"):
        """The path's answer from now on; its URL."""
        self.answers[path] = (status, headers, body)
        return self.url + path

    def lines(self, path):
        """The request lines of those requests that asked for this path."""
        return [r.head.split("\r\n")[0] for r in self.requests if r.path.split("?")[0] == path]

    async def answer(self, request, writer):
        path = request.path.split("?")[0]
        default = ("200 OK", ["Content-Type: text/html"], f"<!doctype html><title>{path[:100]}</title>")
        answer = self.answers.get(path, default)
        status, headers, body = answer(request.head) if callable(answer) else answer
        writer.write(response(body, status, None, [*headers, "Connection: close"]))
        await writer.drain()
