import CGLib

/// A `GError` as a value. Adapters translate it by `domain` and `code`, never by `message`.
public struct GLibError: Error, CustomStringConvertible, Sendable, Equatable {
  public let domain: String
  public let code: Int
  public let message: String

  public init(domain: String, code: Int, message: String) {
    self.domain = domain
    self.code = code
    self.message = message
  }

  public init(copying error: UnsafePointer<GError>) {
    domain = String(cString: g_quark_to_string(error.pointee.domain))
    code = Int(error.pointee.code)
    message = String(cString: error.pointee.message)
  }

  public init(consuming error: UnsafeMutablePointer<GError>) {
    self.init(copying: error)
    g_error_free(error)
  }

  public var description: String { "\(domain) \(code): \(message)" }
}

public typealias GErrorPointer = UnsafeMutablePointer<GError>?

/// `try throwing { soup_server_listen(…, &$0) }`
@discardableResult
public func throwing<Result>(_ body: (inout GErrorPointer) -> Result) throws(GLibError) -> Result {
  var error: GErrorPointer = nil
  let result = body(&error)
  if let error { throw GLibError(consuming: error) }
  return result
}
