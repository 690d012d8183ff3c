"""The operations that load a request, or a response that no server gave."""


async def request(controller, url, **members):
    return await controller.post("/load/request", {"url": url, **members})


async def simulate(controller, url, headers=None, status=200, **members):
    return await controller.post(
        "/load/simulated",
        {"request": {"url": url}, "response": {"statusCode": status, "headers": headers or {}}, **members})
