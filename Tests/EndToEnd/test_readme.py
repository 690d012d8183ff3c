"""The README's session works as printed: its commands are run, and what it shows is what they say."""

import asyncio
import re

from harness.server import ROOT


def session():
    """(command, what the README shows below it), in order."""
    steps = []
    for block in re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in steps]


def pattern(shown):
    """`…` stands for anything."""
    return ".*".join(re.escape(part) for part in shown.split("…"))


async def test_the_session_works_as_printed(start_server, tmp_path):
    server = await start_server()
    steps = session()
    assert len(steps) >= 10
    separator = "-- next --"
    script = "\n".join(f"{command}\nprintf '\\n%s\\n' '{separator}'" for command, _ in steps)
    script = script.replace("http://127.0.0.1:7788", server.url)
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", script, cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    out, err = await asyncio.wait_for(process.communicate(), 100)
    answers = out.decode().split(separator)
    assert err == b"" and len(answers) == len(steps) + 1
    for (command, shown), answer in zip(steps, answers):
        assert re.fullmatch(pattern(shown), answer.strip(), re.S), f"$ {command}\n{answer}\nis not\n{shown}"
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
