"""What the kernel knows of a process and its children."""

import contextlib
import glob
import os
import resource
import signal
import threading
import time


def _parents():
    """Each process with its parent, zombies included."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(name)] = (int(fields[1]), fields[0])
    return parents


def descendants(pid):
    """Ids of all processes below `pid`."""
    parents = _parents()
    found, todo = [], [pid]
    while todo:
        current = todo.pop()
        below = [child for child, (parent, _) in parents.items() if parent == current]
        found += below
        todo += below
    return found


def name(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return None


def named(pid, prefix):
    return [child for child in descendants(pid) if (name(child) or "").startswith(prefix)]


def alive(pids):
    """Those that still run; a zombie does not."""
    parents = _parents()
    return [pid for pid in pids if pid in parents and parents[pid][1] not in "ZX"]


def zombies(pid):
    parents = _parents()
    return [child for child in descendants(pid) if child in parents and parents[child][1] == "Z"]


def descriptors(pid):
    """Open descriptors but for the kernel's files, which WebKit's memory watch opens once, at a time of its own."""
    targets = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            targets.append(os.readlink(f"/proc/{pid}/fd/{number}"))
        except OSError:
            continue
    return sum(not target.startswith(("/proc/", "/sys/")) for target in targets)


def resident(pid):
    """Private memory of one process in MB."""
    total = 0
    with open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith(("Private_Clean:", "Private_Dirty:")):
                total += int(line.split()[1])
    return total / 1024


def allow_no_more_than(pid, megabytes):
    """Lets a process take that much memory beyond what it has asked for, after which allocations fail, and a stack of
    the usual size."""
    with open(f"/proc/{pid}/status") as file:
        data = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData:"))
    resource.prlimit(pid, resource.RLIMIT_DATA, (data + (megabytes << 20),) * 2)
    resource.prlimit(pid, resource.RLIMIT_STACK, (8 << 20, 8 << 20))


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def _children(pid):
    found = set()
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with contextlib.suppress(OSError), open(path) as file:
            found.update(map(int, file.read().split()))
    return found


def _kill_with_children(pid):
    # A sandbox that ends alone, in the moment in which it starts the process inside, would leave that behind.
    kill(pid, signal.SIGSTOP)
    while _parents().get(pid, (0, "X"))[1] not in "TZX":
        time.sleep(0.0005)
    for child in _children(pid):
        kill(child)
    kill(pid)


@contextlib.contextmanager
def killing_new_children(pid):
    """Kills, as soon as it can be seen, each process that `pid` starts; gives those killed."""
    known, killed, stopped = _children(pid), [], threading.Event()

    def watch():
        while not stopped.wait(0.001):
            for child in _children(pid) - known:
                known.add(child)
                killed.append(child)
                _kill_with_children(child)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield killed
    finally:
        stopped.set()
        thread.join()
