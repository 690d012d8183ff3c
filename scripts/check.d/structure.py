"""The rules of CONTRIBUTING.md that a machine can see: who imports C, where unsafe code may stand, how long files are,
and that every feature has all its corners."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = 400
C_MODULES = {"CGLib": "GLibBridge", "CSoup": "SoupTransport", "CWebKit": "WebKitEngine", "CPNG": "WebKitEngine", "CSQLite": "SQLiteStore"}
UNSAFE = re.compile(r"\bunsafeBitCast\b|@unchecked\s+Sendable|\bnonisolated\(unsafe\)")
UNSAFE_FOLDERS = ("Sources/GLibBridge/", "Sources/SQLiteStore/SQLite/", "Sources/WebViewCore/Isolation/")
FORBIDDEN = re.compile(r"\btry!|\bfatalError\(|\bTODO\b|\bFIXME\b")
FORBIDDEN_FOLDERS = {"Utils", "Utilities", "Helpers", "Models", "Extensions", "Common", "Misc"}
# The comment stands within this many lines above the unsafe word.
EXPLANATION_REACH = 8

# Features with operations, and the layers on which each must stand. Not every feature has a part in the engine's
# folder tree: its port is then implemented in the page itself.
LAYERS = ("core", "api", "openapi", "core tests", "api tests")
FEATURES = ["Access", "Callbacks", "Capture", "Controllers", "Cookies", "Events", "Messages", "Navigation", "Scripts", "Server", "Settings"]

problems = []


def complain(path, line, text):
    problems.append(f"{path}:{line}: {text}" if line else f"{path}: {text}")


def files():
    """Everything under version control or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
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
    def any_below(folder):
        return any(name.startswith(folder) and name.endswith(".swift") for name in names)

    width = max(map(len, FEATURES))
    print("feature".ljust(width), *LAYERS, sep="  ")
    for feature in FEATURES:
        stem = feature.lower()
        test_word = {"Access": "Ticket", "Callbacks": "Callback", "Capture": "Snapshot", "Controllers": "Controller", "Cookies": "Cookie",
                     "Events": "Event", "Messages": "Message", "Scripts": "Script|Evaluat"}.get(feature, feature.removesuffix("s"))

        def tested(target):
            return any(name.startswith(f"Tests/{target}/") and name.endswith(".swift")
                       and re.search(test_word, (ROOT / name).read_text()) for name in names)

        corners = {
            "core": any_below(f"Sources/WebViewCore/{feature}/"),
            "api": any_below(f"Sources/WebViewAPI/{feature}/"),
            "openapi": f"openapi/paths/{stem}.yaml" in names,
            "core tests": tested("WebViewCoreTests"),
            "api tests": tested("WebViewAPITests"),
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
