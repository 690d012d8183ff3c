"""scripts/check.d/structure.py tells each breach of the rules that it is there for."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "scripts/check.d/structure.py"


@pytest.fixture(scope="session")
def names():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture
def tree(tmp_path, names):
    """The project's files, all empty: nothing in them breaks a rule."""
    for folder in {str(pathlib.PurePath(name).parent) for name in names}:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    for name in names:
        (tmp_path / name).touch()
    return tmp_path


def check(tree):
    done = subprocess.run([sys.executable, CHECK, tree], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr.splitlines()


def write(tree, name, text):
    file = tree / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def remove(tree, place):
    file = tree / place
    if file.is_file():
        return file.unlink()
    found = list(file.rglob("*.swift"))
    assert found
    for below in found:
        below.unlink()


@pytest.mark.parametrize("name, text", [
    ("Sources/WebViewCore/Scripts/Long.swift", "// a line\n" * 400),
    ("Sources/SQLiteStore/Server/C.swift", "import CSQLite\n"),
    ("Tests/SQLiteStoreTests/C.swift", "import CSQLite\n"),
    ("Sources/GLibBridge/Unsafe.swift", "// Safe because nobody else has it.\nlet a = unsafeBitCast(b, to: C.self)\n"),
    ("Sources/WebViewCore/Scripts/Said.swift", "/// It is no unsafeBitCast. \nlet a = 1  // nor @unchecked Sendable\n"),
])
def test_what_keeps_to_the_rules_is_not_told(tree, name, text):
    write(tree, name, text)
    assert check(tree) == (0, [])


@pytest.mark.parametrize("name, text, told", [
    ("Sources/WebViewCore/Scripts/C.swift", "import Foundation\nimport CWebKit\n", ":2: CWebKit is imported by WebKitEngine only"),
    ("Sources/WebKitEngine/Scripts/C.swift", "import CWebExtension\n", ":1: CWebExtension is imported by WebProcessExtension only"),
    ("Sources/WebViewAPI/Scripts/C.swift", "public import struct CSoup.SoupServer\n", ":1: CSoup is imported by SoupTransport only"),
    ("Tests/WebViewCoreTests/Scripts/C.swift", "@testable import CPNG\n", ":1: CPNG is imported by WebKitEngine only"),
    ("Sources/WebViewCore/Scripts/Long.swift", "// a line\n" * 401, ": 401 lines; 400 is the wall: split it by concept"),
    ("Tests/EndToEnd/long.py", "# a line\n" * 401, ": 401 lines; 400 is the wall: split it by concept"),
    ("scripts/long", "# a line\n" * 401, ": 401 lines; 400 is the wall: split it by concept"),
    ("Sources/WebViewCore/Helpers/A.swift", "", ": folders are features; 'Helpers' is none"),
    ("Sources/WebViewAPI/Scripts/A.swift", "// Safe because\nlet a = unsafeBitCast(b, to: C.self)\n", ":2: unsafe code stands only in "),
    ("Sources/WebViewAPI/Scripts/A.swift", "final class A: @unchecked Sendable {}\n", ":1: unsafe code stands only in "),
    ("Sources/GLibBridge/A.swift", "nonisolated(unsafe) var a = 1\n", ":1: unsafe code needs a comment that begins with 'Safe because'"),
    ("Sources/GLibBridge/A.swift", "// Safe because\n" + "\n" * 8 + "nonisolated(unsafe) var a = 1\n",
     ":10: unsafe code needs a comment that begins with 'Safe because'"),
    ("Sources/WebViewCore/Scripts/A.swift", "let a = try! b()\n", ":1: 'try!' is not used here"),
    ("Sources/WebViewCore/Scripts/A.swift", "fatalError(\"no\")\n", ":1: 'fatalError(' is not used here"),
    ("Sources/WebViewCore/Scripts/A.swift", "// TODO: later\n", ":1: 'TODO' is not used here"),
])
def test_a_breach_is_told_with_its_place(tree, name, text, told):
    write(tree, name, text)
    status, problems = check(tree)
    assert status == 1 and len(problems) == 1
    assert problems[0].startswith(name + told), problems


@pytest.mark.parametrize("place, told", [
    ("Sources/WebViewCore/Cookies", "Cookies: the feature has nothing in the layer 'core'"),
    ("Sources/WebViewAPI/Cookies", "Cookies: the feature has nothing in the layer 'api'"),
    ("openapi/paths/cookies.yaml", "Cookies: the feature has nothing in the layer 'openapi'"),
    ("Tests/WebViewCoreTests/Cookies", "Cookies: the feature has nothing in the layer 'core tests'"),
    ("Tests/WebViewCoreTests/Controllers/LifecycleTests.swift", "Settings: the feature has nothing in the layer 'core tests'"),
    ("Tests/WebViewAPITests/Capture", "Capture: the feature has nothing in the layer 'api tests'"),
    ("Tests/EndToEnd/test_cookies.py", "Cookies: the feature has nothing in the layer 'end to end'"),
    ("Tests/EndToEnd/test_snapshot.py", "Capture: the feature has nothing in the layer 'end to end'"),
])
def test_a_missing_corner_is_told(tree, place, told):
    remove(tree, place)
    assert check(tree) == (1, [told])


def test_the_word_of_a_feature_in_another_ones_tests_is_no_test_of_it(tree):
    remove(tree, "Tests/WebViewCoreTests/Events")
    write(tree, "Tests/WebViewCoreTests/Controllers/Other.swift", "// Event, Events, EventService\n")
    assert check(tree) == (1, ["Events: the feature has nothing in the layer 'core tests'"])
