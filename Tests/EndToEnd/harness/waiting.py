"""Waiting for something that nobody announces, with a deadline."""

import asyncio
import time


async def until(condition, seconds=20, what="the condition"):
    """Returns the first truthy value of `condition()`, which may be async; fails after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if asyncio.iscoroutine(value):
            value = await value
        if value:
            return value
        assert time.monotonic() < end, f"{what} did not come within {seconds} s"
        await asyncio.sleep(0.05)
