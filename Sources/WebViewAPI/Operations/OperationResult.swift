import HTTPModel
import WebViewCore

/// What an operation answers, before it is HTTP or a channel's response.
public struct OperationResult: Sendable {
  public enum Content: Sendable {
    /// 204, and `{}` on the channel.
    case nothing
    case json(JSONObject)
    /// JSON text that exists as bytes already.
    case document([UInt8])
    /// Another media type.
    case bytes([UInt8], contentType: String, Origin)
  }
  /// Whose bytes they are: what a page made must never act as this server's own document.
  public enum Origin: Sendable { case page, picture }

  public var status: Int
  public var content: Content
  public var headers: HTTPHeaders

  public init(status: Int = 200, content: Content, headers: HTTPHeaders = [:]) {
    self.status = status
    self.content = content
    self.headers = headers
  }

  static func json(_ object: JSONObject, status: Int = 200) -> OperationResult {
    OperationResult(status: status, content: .json(object))
  }
  static func created(_ object: JSONObject, location: String) -> OperationResult {
    OperationResult(status: 201, content: .json(object), headers: ["Location": location])
  }
  static let nothing = OperationResult(status: 204, content: .nothing)
}
