"""Medians of the same work on both servers, taken in turns on one machine in one run: compare the ratios."""

import argparse
import json
import statistics
import sys
import time

import pages
from peers import WebKitWebDriver, WebviewServer
from processes import pss

# The most that this server may take, as a part of what WebKitWebDriver takes.
BOUNDS = {"evaluate": 0.5, "one shot": 0.6, "snapshot": 0.7, "PSS per page": 0.6}
OPEN_PAGES = 6


class Figures:
    def __init__(self):
        self.samples = {}

    def time(self, metric, server, work):
        begin = time.perf_counter()
        value = work()
        self.samples.setdefault(metric, {}).setdefault(server, []).append((time.perf_counter() - begin) * 1e3)
        return value

    def median(self, metric, server):
        values = self.samples.get(metric, {}).get(server)
        return statistics.median(values) if values else None

    def p99(self, metric, server):
        values = sorted(self.samples.get(metric, {}).get(server, []))
        return values[min(len(values) - 1, int(len(values) * 0.99))] if values else None


def one_shot(peer, url):
    page = peer.create()
    try:
        peer.load(page, url)
        assert pages.LAST_ROW in peer.html(page)
    finally:
        peer.close(page)


def measure(peers, url, rounds):
    figures = Figures()
    for peer in peers:  # what only the first page pays
        one_shot(peer, url)
    held = {}
    for _ in range(max(3, rounds // 4)):
        for peer in peers:
            if peer in held:
                peer.close(held[peer])
            held[peer] = figures.time("create", peer.name, peer.create)
    for peer in peers:
        peer.prepare(held[peer])

    def in_turns(metric, count, work, check, block=1):
        """`block` calls in a row, as a caller makes them, then the other server's."""
        for _ in range(count // block):
            for peer in peers:
                for _ in range(block):
                    assert check(figures.time(metric, peer.name, lambda: work(peer, held[peer]))), metric

    in_turns("load", rounds * 2, lambda peer, page: peer.load(page, url), lambda _: True)
    in_turns("evaluate", rounds * 20, lambda peer, page: peer.evaluate(page, "return 1+1"), lambda v: v == 2, block=20)
    in_turns("getHTML", rounds * 5, lambda peer, page: peer.html(page), lambda v: pages.LAST_ROW in v, block=5)
    in_turns("snapshot", rounds, lambda peer, page: peer.snapshot(page), lambda v: v.startswith(b"\x89PNG"))
    for peer in peers:
        if hasattr(peer, "channel"):
            socket, evaluate = peer.channel(held[peer])
            for _ in range(rounds * 20):
                assert figures.time("evaluate on the channel", peer.name, lambda: evaluate("return 1+1")) == 2
            socket.close()
    for peer in peers:
        peer.close(held[peer])
    for _ in range(rounds):
        for peer in peers:
            figures.time("one shot", peer.name, lambda: one_shot(peer, url))

    memory = {}
    for peer in peers:
        before, opened = pss(peer.roots), []
        for _ in range(OPEN_PAGES):
            opened.append(peer.create())
            peer.load(opened[-1], url)
        memory[peer.name] = (pss(peer.roots) - before) / OPEN_PAGES
        for page in opened:
            peer.close(page)
    return figures, memory


def report(peers, figures, memory):
    ours, theirs = (peer.name for peer in peers)
    rows = []
    for metric in figures.samples:
        pair = [figures.median(metric, name) for name in (ours, theirs)]
        rows.append((metric, "ms", *pair, figures.p99(metric, ours), figures.p99(metric, theirs)))
    rows.append(("PSS per page", "MB", memory[ours], memory[theirs], None, None))

    def number(value):
        return "–" if value is None else f"{value:.2f}"

    print(f"\n{'median':<26}{ours:>16}{theirs:>18}{'ratio':>8}{'bound':>8}")
    result, holds = {}, True
    for metric, unit, left, right, left99, right99 in rows:
        ratio = left / right if right else None
        bound = BOUNDS.get(metric)
        kept = bound is None or ratio is None or ratio <= bound
        holds = holds and kept
        print(f"{metric + ', ' + unit:<26}{number(left):>16}{number(right):>18}{number(ratio):>8}"
              f"{number(bound):>8}{'' if kept else '  missed'}")
        result[metric] = {"unit": unit, ours: left, theirs: right, "ratio": ratio, "bound": bound,
                          "p99": {ours: left99, theirs: right99}}
    print("\nall bounds hold" if holds else "\na bound is missed")
    return result, holds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each measurement is repeated, at least (20)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    site, url = pages.start()
    peers = [WebviewServer(), WebKitWebDriver(sessions=OPEN_PAGES + 1)]
    started = []
    try:
        for peer in peers:
            peer.start()
            started.append(peer)
        figures, memory = measure(peers, url, options.rounds)
    finally:
        for peer in started:
            peer.stop()
        site.terminate()
    result, holds = report(peers, figures, memory)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=1)
    sys.exit(0 if holds else 1)


main()
