import CWebKit
import Foundation
import GLibBridge
import WebViewCore

/// Content rules by which a document reads no file but those that it may. WebKit itself lets a page of a file
/// show any other file; the rules are the engine's own and are not among a client's.
@PageActor
final class FileScopes {
  struct Scope: Hashable, Sendable {
    /// A directory, or one file. nil: no file at all.
    var readAccess: String? { exactPath?.text }
    private let exactPath: ExactText?
    static let none = Scope(readAccess: nil)

    init(readAccess: String?) { exactPath = readAccess.map { ExactText($0) } }
  }

  @PageActor
  final class Filter {
    let pointer: OpaquePointer
    fileprivate init(owning pointer: OpaquePointer) { self.pointer = pointer }
    isolated deinit { webkit_user_content_filter_unref(pointer) }
  }

  static let identifier = "file-scope"
  private static let deadline = Duration.seconds(5)
  private static let kept = 64

  private enum Entry {
    case compiling([@PageActor (Filter?) -> Void], Timers.ID)
    case compiled(Filter)
  }

  private let timers: Timers
  private let directory: String
  private let compiler: UnsafeMutablePointer<WebKitUserContentFilterStore>
  private var entries: [Scope: Entry] = [:]
  private var made = 0

  /// - Parameter given: a directory that is this object's alone, whatever a killed one left there; nil: a
  ///   temporary one, which is left behind when the process is killed.
  init(directory given: String?, timers: Timers) throws(ServiceError) {
    self.timers = timers
    directory = if let given { try Self.emptied(given) } else { try Self.temporary() }
    compiler = webkit_user_content_filter_store_new(self.directory)!
    filter(for: .none) { _ in }
  }

  isolated deinit { g_object_unref(compiler.raw) }

  private static func emptied(_ path: String) throws(ServiceError) -> String {
    do {
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ServiceError(
        .unavailable, "The directory \(path) cannot be emptied and written to.",
        details: ["reason": "storage"])
    }
    return path
  }

  private static func temporary() throws(ServiceError) -> String {
    guard let path = g_dir_make_tmp("webview-file-scopes-XXXXXX", nil) else {
      throw ServiceError(
        .unavailable, "The temporary directory cannot be written to.", details: ["reason": "storage"])
    }
    defer { g_free(path) }
    return String(cString: path)
  }

  func removeDirectory() { try? FileManager.default.removeItem(atPath: directory) }

  /// At once when the rules are there; nil when they did not compile in time.
  func filter(for scope: Scope, then: @escaping @PageActor (Filter?) -> Void) {
    switch entries[scope] {
    case .compiled(let filter): then(filter)
    case .compiling(let waiting, let timer): entries[scope] = .compiling(waiting + [then], timer)
    case nil:
      let timer = timers.after(Self.deadline) { [weak self] in self?.settle(scope, nil) }
      entries[scope] = .compiling([then], timer)
      compile(scope)
    }
  }

  private func compile(_ scope: Scope) {
    made += 1
    let rules = Array(Self.rules(for: scope).utf8)
    let source = rules.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer { g_bytes_unref(source) }
    let compiler = compiler
    webkit_user_content_filter_store_save(
      compiler, "\(Self.identifier)-\(made)", source, nil, Completion.callback,
      Completion.data { [weak self] result in
        let filter = webkit_user_content_filter_store_save_finish(compiler, result, nil).map {
          Filter(owning: $0)
        }
        self?.settle(scope, filter)
      })
  }

  private func settle(_ scope: Scope, _ filter: Filter?) {
    guard case .compiling(let waiting, let timer) = entries[scope] else { return }
    timers.cancel(timer)
    if entries.count > Self.kept {
      entries = entries.filter { key, entry in
        if case .compiling = entry { true } else { key == .none }
      }
    }
    entries[scope] = filter.map { .compiled($0) }
    for then in waiting { then(filter) }
  }

  /// Later rules undo earlier ones. Matching is by the serialized URL, in which a path is percent-encoded.
  static func rules(for scope: Scope) -> String {
    var rules = [#"{"trigger":{"url-filter":"^file:"},"action":{"type":"block"}}"#]
    if let path = scope.readAccess {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      let url = URL(fileURLWithPath: path, isDirectory: isDirectory.boolValue).absoluteString
      let pattern = "^" + escaped(url)
      let allowed = isDirectory.boolValue ? [pattern] : [pattern + "$", pattern + "[?#]"]
      rules += allowed.map {
        let text = JSONWriter.text(.string($0))
        return
          #"{"trigger":{"url-filter":\#(text),"url-filter-is-case-sensitive":true},"action":{"type":"ignore-previous-rules"}}"#
      }
    }
    return "[" + rules.joined(separator: ",") + "]"
  }

  private static func escaped(_ text: String) -> String {
    text.map { ".^$*+?()[]{}|\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
