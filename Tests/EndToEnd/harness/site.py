"""A web site on loopback with the pages that the tests need."""

import asyncio
import urllib.parse

from aiohttp import web

from .waiting import until

PLAIN = "<!doctype html><meta charset=utf-8><title>{title}</title><h1 id=h>{title}</h1>{body}"


def page(title, body="", status=200, **headers):
    return web.Response(text=PLAIN.format(title=title, body=body), content_type="text/html", status=status, headers=headers)


class Site:
    def __init__(self):
        self.requests = []
        self.release = asyncio.Event()
        self._held = {}
        application = web.Application(middlewares=[self._record])
        for path, handler in {
            "/": self._home, "/page/{name}": self._page, "/redirect/{count}": self._redirect, "/status/{status}": self._status,
            "/hang": self._hang, "/slow-image": self._slow_image, "/cookies/set": self._set_cookies,
            "/cookies/show": self._show_cookies, "/latin1": self._latin1, "/utf8-undeclared": self._undeclared,
            "/red": self._red, "/headers": self._headers, "/forbids-scripts": self._forbids_scripts,
            "/mark/{name}": self._page, "/given": self._given, "/held/{name}": self._hold,
        }.items():
            application.router.add_get(path, handler)
        self._runner = web.AppRunner(application, shutdown_timeout=0.2)

    async def start(self):
        await self._runner.setup()
        endpoint = web.TCPSite(self._runner, "127.0.0.1", 0)
        await endpoint.start()
        self.port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def stop(self):
        self.release.set()
        for held in self._held.values():
            held.set()
        await self._runner.cleanup()

    @web.middleware
    async def _record(self, request, handler):
        self.requests.append(request)
        return await handler(request)

    async def _home(self, request):
        return page("Home", "<a id=next href=/page/second>next</a>")

    async def _page(self, request):
        return page(request.match_info["name"])

    async def _redirect(self, request):
        count = int(request.match_info["count"])
        raise web.HTTPFound(f"/redirect/{count - 1}" if count > 1 else "/page/end")

    async def _status(self, request):
        status = int(request.match_info["status"])
        return web.Response(status=204) if status == 204 else page(f"Status {status}", status=status)

    async def _hang(self, request):
        await self.release.wait()
        return page("late")

    async def _slow_image(self, request):
        return page("with image", "<img src=/hang>")

    async def _set_cookies(self, request):
        response = page("cookies set")
        response.set_cookie("session", "s1")
        response.set_cookie("kept", "k1", max_age=3600, httponly=True, samesite="Lax")
        return response

    async def _show_cookies(self, request):
        return page("cookies", "<pre id=c>" + ";".join(f"{k}={v}" for k, v in sorted(request.cookies.items())) + "</pre>")

    async def _latin1(self, request):
        return web.Response(body="<title>caf\xe9</title>".encode("latin-1"), headers={"Content-Type": "text/html; charset=iso-8859-1"})

    async def _undeclared(self, request):
        return web.Response(body="<title>café 🙂</title>".encode(), headers={"Content-Type": "text/html"})

    async def _red(self, request):
        return page("red", "<style>html,body{margin:0;background:#f00}h1{display:none}"
                           "div{position:absolute;left:0;top:0;width:100px;height:50px;background:#00f}</style><div></div>")

    async def _forbids_scripts(self, request):
        return page("silent", **{"Content-Security-Policy": "sandbox"})

    async def reached(self, path):
        """Returns when somebody asks for the path, which the caller makes up for this once."""
        await until(lambda: any(request.path == path for request in self.requests), what=f"the request of {path}")

    def given(self, html, **headers):
        """The address of a page that is this text."""
        return self.url + "/given?" + urllib.parse.urlencode({"html": html, **headers})

    async def _given(self, request):
        headers = {name: value for name, value in request.query.items() if name != "html"}
        return web.Response(text=request.query["html"], content_type="text/html", charset="utf-8", headers=headers)

    def let_go(self, name):
        """Answers who asked for `/held/name`, or will ask."""
        self._held.setdefault(name, asyncio.Event()).set()

    async def _hold(self, request):
        name = request.match_info["name"]
        await self._held.setdefault(name, asyncio.Event()).wait()
        return page(name)

    async def _headers(self, request):
        return web.json_response(dict(request.headers))
