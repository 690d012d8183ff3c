"""The rules of CONTRIBUTING.md that a machine can see: who imports C, where unsafe code may stand, how long files are,
and that every feature has all its corners.

usage: structure.py [folder]     folder: the project's root, when it is not this one"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
if len(sys.argv) == 1:
    ROOT = ROOT.parents[2]
LONGEST = 400
C_MODULES = {"CGLib": "GLibBridge", "CSoup": "SoupTransport", "CWebKit": "WebKitEngine", "CWebExtension": "WebProcessExtension", "CPNG": "WebKitEngine", "CSQLite": "SQLiteStore"}
UNSAFE = re.compile(r"\bunsafeBitCast\b|@unchecked\s+Sendable|\bnonisolated\(unsafe\)")
UNSAFE_FOLDERS = ("Sources/GLibBridge/", "Sources/SQLiteStore/SQLite/", "Sources/WebViewCore/Isolation/")
FORBIDDEN = re.compile(r"\btry!|\bfatalError\(|\bTODO\b|\bFIXME\b")
FORBIDDEN_FOLDERS = {"Utils", "Utilities", "Helpers", "Models", "Extensions", "Common", "Misc"}
# The comment stands within this many lines above the unsafe word.
EXPLANATION_REACH = 8

# Features with operations, and the layers on which each must stand. Not every feature has a part in the engine's
# folder tree: its port is then implemented in the page itself.
LAYERS = ("core", "api", "openapi", "core tests", "api tests", "end to end")
FEATURES = ["Access", "Callbacks", "Capture", "Controllers", "Cookies", "Events", "History", "Messages", "Navigation", "Scripts", "Server",
    "Settings", "Source"]
# Where a corner's tests do not stand in a folder of the feature's name: the files that hold them.
TESTED_IN = {
    ("core tests", "Settings"): ["Tests/WebViewCoreTests/Controllers/LifecycleTests.swift"],
    ("end to end", "Access"): ["Tests/EndToEnd/test_browser_access.py"],
    ("end to end", "Callbacks"): ["Tests/EndToEnd/test_channel.py"],
    ("end to end", "Capture"): ["Tests/EndToEnd/test_snapshot.py"],
    ("end to end", "Controllers"): ["Tests/EndToEnd/test_cycles.py"],
    ("end to end", "Events"): ["Tests/EndToEnd/test_channel.py"],
    ("end to end", "Messages"): ["Tests/EndToEnd/test_channel.py"],
    ("end to end", "Navigation"): ["Tests/EndToEnd/test_loading.py"],
    ("end to end", "Scripts"): ["Tests/EndToEnd/test_hostile.py"],
    ("end to end", "Server"): ["Tests/EndToEnd/test_program.py"],
}

problems = []


def complain(path, line, text):
    problems.append(f"{path}:{line}: {text}" if line else f"{path}: {text}")


def files():
    """Everything under version control or about to be."""
    # A folder inside another repository is not under its control.
    listed = (ROOT / ".git").exists() and subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if listed and listed.returncode == 0:
        names = listed.stdout.split("\n")
    else:  # an unpacked archive
        names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file() and ".build" not in p.parts]
    return sorted({name for name in names if name and (ROOT / name).is_file()})


def check_swift(path, lines):
    target = path.split("/")[1].removesuffix("Tests")
    for number, line in enumerate(lines, 1):
        imported = re.match(r"\s*(?:@\w+\s+|public\s+|package\s+)*import\s+(?:\w+\s+)?(C[A-Z]\w*)", line)
        if imported and C_MODULES.get(imported[1], target) != target:
            complain(path, number, f"{imported[1]} is imported by {C_MODULES[imported[1]]} only")
        if path.startswith("Sources/"):
            if UNSAFE.search(line.split("//")[0]):
                if not path.startswith(UNSAFE_FOLDERS):
                    complain(path, number, f"unsafe code stands only in {', '.join(UNSAFE_FOLDERS)}")
                elif not any("Safe because" in above for above in lines[max(0, number - 1 - EXPLANATION_REACH):number]):
                    complain(path, number, "unsafe code needs a comment that begins with 'Safe because'")
            if FORBIDDEN.search(line):
                complain(path, number, f"'{FORBIDDEN.search(line)[0]}' is not used here")


def check_features(names):
    def any_below(folder, ending=".swift"):
        return any(name.startswith(folder) and name.endswith(ending) for name in names)

    def tested(layer, feature, folder):
        given = TESTED_IN.get((layer, feature))
        return all(name in names for name in given) if given else any_below(folder)

    width = max(map(len, FEATURES))
    print("feature".ljust(width), *LAYERS, sep="  ")
    for feature in FEATURES:
        stem = feature.lower()
        corners = {
            "core": any_below(f"Sources/WebViewCore/{feature}/"),
            "api": any_below(f"Sources/WebViewAPI/{feature}/"),
            "openapi": f"openapi/paths/{stem}.yaml" in names,
            "core tests": tested("core tests", feature, f"Tests/WebViewCoreTests/{feature}/"),
            "api tests": tested("api tests", feature, f"Tests/WebViewAPITests/{feature}/"),
            "end to end": f"Tests/EndToEnd/test_{stem}.py" in names or tested("end to end", feature, f"Tests/EndToEnd/{feature}/"),
        }
        print(feature.ljust(width), *(("yes" if corners[layer] else "NO").ljust(len(layer)) for layer in LAYERS), sep="  ")
        for layer, is_there in corners.items():
            if not is_there:
                complain(feature, None, f"the feature has nothing in the layer '{layer}'")


def main():
    names = files()
    for name in names:
        path = ROOT / name
        if path.suffix not in (".swift", ".py", ".js", ".sh", ".h", ".c") and not name.startswith("scripts/"):
            continue
        lines = path.read_text(errors="replace").split("\n")
        if len(lines) > LONGEST + 1:
            complain(name, None, f"{len(lines) - 1} lines; {LONGEST} is the wall: split it by concept")
        for folder in path.relative_to(ROOT).parts[:-1]:
            if folder in FORBIDDEN_FOLDERS:
                complain(name, None, f"folders are features; '{folder}' is none")
        if path.suffix == ".swift" and name.startswith(("Sources/", "Tests/")):
            check_swift(name, lines)
    check_features(set(names))
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"structure: {len(names)} files, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
