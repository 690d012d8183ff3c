import Foundation
import Testing
import WebViewCore

@Suite struct FilesDirectoryTests {
  /// A directory with a page, a picture beside it, and links that lead in and out.
  private struct Fixture: ~Copyable {
    let base: String
    let files: FilesDirectory
    init() throws {
      let manager = FileManager.default
      base = manager.temporaryDirectory.path + "/files-" + UUID().uuidString
      try manager.createDirectory(atPath: base + "/root/in", withIntermediateDirectories: true)
      for (name, text) in [("root/in/page.html", "page"), ("root/top.html", "top"), ("secret", "no")] {
        try text.write(toFile: base + "/" + name, atomically: true, encoding: .utf8)
      }
      try manager.createSymbolicLink(atPath: base + "/root/out", withDestinationPath: base + "/secret")
      try manager.createSymbolicLink(atPath: base + "/root/alias", withDestinationPath: base + "/root/in")
      files = try FilesDirectory(root: base + "/root")
    }
    deinit { try? FileManager.default.removeItem(atPath: base) }
  }

  @Test func filesBelowTheRootAreFoundRelativeAndAbsolute() throws {
    let fixture = try Fixture()
    let path = fixture.files.root + "/in/page.html"
    for given in ["in/page.html", path, "alias/page.html", "in/../in/./page.html"] {
      #expect(
        try fixture.files.resolve(path: given, allowingReadAccessTo: nil)
          == .file(path: path, readAccess: path))
    }
    #expect(
      try fixture.files.resolve(path: "in/page.html", allowingReadAccessTo: "alias")
        == .file(path: path, readAccess: fixture.files.root + "/in"))
  }

  @Test(arguments: [
    "../secret", "out", "/etc/passwd", "in/../../secret", "nowhere/../../secret", "/", "../root-beside",
  ])
  func whatLiesOutsideIsForbidden(path: String) throws {
    let fixture = try Fixture()
    let error = #expect(throws: ServiceError.self) {
      try fixture.files.resolve(path: path, allowingReadAccessTo: nil)
    }
    #expect(error?.code == .forbidden)
  }

  @Test func readAccessHoldsTheFileAndStaysInside() throws {
    let fixture = try Fixture()
    let beside = #expect(throws: ServiceError.self) {
      try fixture.files.resolve(path: "top.html", allowingReadAccessTo: "in")
    }
    #expect(beside?.code == .invalidArgument)
    let outside = #expect(throws: ServiceError.self) {
      try fixture.files.resolve(path: "top.html", allowingReadAccessTo: "..")
    }
    #expect(outside?.code == .forbidden)
  }

  @Test func aDirectoryWithALinkThatLeadsOutIsNotGivenToAPage() throws {
    let fixture = try Fixture()
    let error = #expect(throws: ServiceError.self) {
      try fixture.files.resolve(path: "top.html", allowingReadAccessTo: ".")
    }
    #expect(error?.code == .forbidden)
    #expect(error?.message.contains("out") == true)
    // The file alone may still be loaded, and a link that stays inside does no harm.
    _ = try fixture.files.resolve(path: "top.html", allowingReadAccessTo: nil)
    try FileManager.default.removeItem(atPath: fixture.base + "/root/out")
    #expect(
      try fixture.files.resolve(path: "top.html", allowingReadAccessTo: ".")
        == .file(path: fixture.files.root + "/top.html", readAccess: fixture.files.root))
  }

  @Test func onlyFilesAreLoaded() throws {
    let fixture = try Fixture()
    #expect(mkfifo(fixture.base + "/root/pipe", 0o600) == 0)
    for path in ["in", "pipe"] {
      let error = #expect(throws: ServiceError.self) {
        try fixture.files.resolve(path: path, allowingReadAccessTo: nil)
      }
      #expect(error?.details["pointer"] == "/path")
    }
  }

  @Test func aMissingFileIsTheLoadsOwnFailure() throws {
    let fixture = try Fixture()
    let path = fixture.files.root + "/in/none.html"
    #expect(
      try fixture.files.resolve(path: "in/none.html", allowingReadAccessTo: nil)
        == .file(path: path, readAccess: path))
  }

  @Test(arguments: ["", "a\0b"]) func pathsThatAreNoneAreRefused(path: String) throws {
    let fixture = try Fixture()
    let error = #expect(throws: ServiceError.self) {
      try fixture.files.resolve(path: path, allowingReadAccessTo: nil)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func theRootIsADirectory() {
    #expect(throws: ServiceError.self) { try FilesDirectory(root: "/nowhere/at/all") }
    #expect(throws: ServiceError.self) { try FilesDirectory(root: "/etc/passwd") }
  }

  @Test func fileURLsHavePaths() {
    #expect(FilesDirectory.path(ofFileURL: "file:///a%20b/c.html?x#y") == "/a b/c.html")
    #expect(FilesDirectory.path(ofFileURL: "FILE://localhost/a") == "/a")
    #expect(FilesDirectory.path(ofFileURL: "file://elsewhere/a") == nil)
  }
}
