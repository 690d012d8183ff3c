"""Processes that end with the benchmark, and their memory."""

import os
import signal
import subprocess


class Process:
    def __init__(self, arguments, environment=None, **options):
        self.popen = subprocess.Popen(
            arguments, env={**os.environ, **(environment or {})}, stderr=subprocess.DEVNULL, start_new_session=True,
            **{"stdout": subprocess.DEVNULL, **options})
        self.pid = self.popen.pid

    def stop(self):
        tree = family(self.pid)
        self.popen.send_signal(signal.SIGTERM)
        try:
            self.popen.wait(15)
        except subprocess.TimeoutExpired:
            pass
        for pid in tree:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.popen.wait()


def family(pid):
    """The process and all below it."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(name))
    found, rest = [], [pid]
    while rest:
        current = rest.pop()
        found.append(current)
        rest += children.get(current, [])
    return found


def pss(pids):
    """Proportional memory in MB of the processes and all below them."""
    total = 0
    for pid in {member for root in pids for member in family(root)}:
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except OSError:
            pass
    return total / 1024
