import CWebKit
import GLibBridge
import WebViewCore

/// Connects `body` to a signal of an object that lives on the page actor's thread, where it is called.
@PageActor @discardableResult
func onPage<each Argument: GValueReadable>(
  _ object: some CPointer, _ name: String, _ body: @escaping @PageActor (repeat each Argument) -> Void
) -> gulong {
  onSignal(object, name) { (arguments: repeat each Argument) in
    let arguments = OneThread((repeat each arguments))
    PageActor.assumeIsolated { body(repeat each arguments.value) }
  }
}

/// The same for signals with a return value.
@PageActor @discardableResult
func onPage<each Argument: GValueReadable, Result: GValueWritable & Sendable>(
  _ object: some CPointer, _ name: String, _ body: @escaping @PageActor (repeat each Argument) -> Result
) -> gulong {
  onSignal(object, name) { (arguments: repeat each Argument) -> Result in
    let arguments = OneThread((repeat each arguments))
    return PageActor.assumeIsolated { body(repeat each arguments.value) }
  }
}

/// The completion of a `GAsyncReadyCallback`, called once on the page actor's thread.
final class Completion {
  typealias Body = @PageActor (OpaquePointer) -> Void
  private let body: Body
  private init(_ body: @escaping Body) { self.body = body }

  /// What is passed as user data; `callback` takes it over.
  static func data(_ body: @escaping Body) -> gpointer { Unmanaged.passRetained(Completion(body)).toOpaque() }

  static let callback: GAsyncReadyCallback = { _, result, data in
    let call = OneThread((Unmanaged<Completion>.fromOpaque(data!).takeRetainedValue(), result!))
    PageActor.assumeIsolated { call.value.0.body(call.value.1) }
  }
}

/// Text that WebKit owns.
func string(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
