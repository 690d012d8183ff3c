"""A page of another origin in a real browser cannot read or drive a server without a token."""

import asyncio
import json
import os
import re
import shutil

import pytest
from aiohttp import web

from harness.waiting import until

CHROMIUM = shutil.which("chromium")

PAGE = """<!doctype html><title>attacker</title><iframe id=frame></iframe><img id=image><script>
const target = %(target)s, report = {};
const timeout = ms => new Promise(r => setTimeout(() => r('timeout'), ms));
async function attempt(name, work) {
  try { report[name] = await Promise.race([work(), timeout(4000)]); } catch (e) { report[name] = 'refused'; }
}
const event = (element, source) => new Promise(r => {
  element.onload = () => r('loaded'); element.onerror = () => r('refused'); element.src = source;
});
(async () => {
  await attempt('fetch', async () => (await fetch(target + '/v1/controllers')).status);
  await attempt('opaque', async () => (await fetch(target + '/v1/server', {mode: 'no-cors'})).type);
  await attempt('create', async () => (await fetch(target + '/v1/controllers',
    {method: 'POST', mode: 'no-cors', headers: {'Content-Type': 'text/plain'}, body: '{}'})).type);
  await attempt('json', async () => (await fetch(target + '/v1/controllers',
    {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})).status);
  await attempt('delete', async () => (await fetch(target + '/v1/controllers/%(id)s', {method: 'DELETE'})).status);
  await attempt('image', () => event(document.getElementById('image'), target + '/v1/controllers/%(id)s/snapshot'));
  await attempt('frame', async () => {
    await event(document.getElementById('frame'), target + '/v1/controllers/%(id)s/html?format=html');
    try { return 'read ' + document.getElementById('frame').contentDocument.body.innerText; } catch (e) { return 'unreadable'; }
  });
  await attempt('form', () => new Promise(r => {
    const form = document.createElement('form'); form.method = 'POST'; form.action = target + '/v1/controllers';
    form.target = 'sink'; const sink = document.createElement('iframe'); sink.name = 'sink';
    document.body.append(sink, form); sink.onload = () => r('sent'); form.submit();
  }));
  for (const path of ['/v1/channel', '/v1/controllers/%(id)s/channel'])
    await attempt('socket ' + path, () => new Promise(r => {
      const socket = new WebSocket(target.replace('http', 'ws') + path);
      socket.onopen = () => r('open'); socket.onerror = () => r('refused');
    }));
  await fetch('/report', {method: 'POST', body: JSON.stringify(report)});
})();
</script>"""


# Where everything is there by design, a test that is left out is one that fails.
@pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason="needs the package chromium")
@pytest.mark.parametrize("origin", ["127.0.0.1", "localhost", "attacker.example"])
async def test_a_foreign_page_can_neither_read_nor_drive(start_server, site, tmp_path, origin):
    assert CHROMIUM, "the package chromium is missing"
    server = await start_server()
    controller = await server.controller(ephemeral=True)
    await controller.html("<title>secret</title><p>secret text</p>")
    await until(lambda: "/load/html" in server.log(), what="the line of the load")
    before = len(server.log())
    reported = asyncio.get_running_loop().create_future()

    async def show(_):
        text = PAGE % {"target": json.dumps(server.url), "id": controller.id}
        return web.Response(text=text, content_type="text/html")

    async def report(request):
        reported.set_result(json.loads(await request.text()))
        return web.Response()

    application = web.Application()
    application.router.add_get("/", show)
    application.router.add_post("/report", report)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    browser = await asyncio.create_subprocess_exec(
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={tmp_path}",
        "--host-resolver-rules=MAP attacker.example 127.0.0.1", "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
        "--disable-background-networking", f"http://{origin}:{port}/",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, start_new_session=True)
    try:
        result = await asyncio.wait_for(reported, 60)
    finally:
        browser.terminate()
        await browser.wait()
        await runner.cleanup()
    for name in ("fetch", "create", "json", "delete"):
        assert result[name] in ("refused", "opaque"), (name, result)
    assert result["image"] == "refused"
    assert "secret" not in json.dumps(result), result
    assert all(result[name] == "refused" for name in result if name.startswith("socket")), result
    # The server's own word: nothing that came from the page was done.
    answers = re.findall(r" request .*path=(/v1\S*) status=(\d+)", server.log()[before:])
    assert len(answers) >= 9 and {status for _, status in answers} <= {"403", "415"}, answers
    listed = (await server.get("/v1/controllers"))["controllers"]
    assert [c["id"] for c in listed] == [controller.id], "nothing was made or deleted"


async def test_a_rebound_host_name_is_refused(server):
    error = (await server.get("/v1/server", headers={"Host": "attacker.example"}, status=403))["error"]
    assert error["code"] == "forbidden"
    await server.get("/healthz", headers={"Host": "attacker.example"})


async def test_an_allowed_origin_gets_cors(start_server):
    server = await start_server("--allow-origin", "https://app.example")
    headers = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
    async with server.http.get(server.url + "/v1/server", headers=headers) as response:
        assert response.status == 200 and response.headers["Access-Control-Allow-Origin"] == "https://app.example"
    async with server.http.options(server.url + "/v1/controllers", headers={
            **headers, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}) as response:
        assert response.status == 204 and "POST" in response.headers["Access-Control-Allow-Methods"]
    async with server.http.get(server.url + "/v1/server", headers={"Origin": "https://other.example"}) as response:
        assert response.status == 403 and "Access-Control-Allow-Origin" not in response.headers
