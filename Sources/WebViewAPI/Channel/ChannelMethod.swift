import Foundation
import WebViewCore

/// Methods that only the channel has.
public enum ChannelMethod: String, CaseIterable, Sendable {
  case subscribe, claim, attach, detach, acknowledge, cancel
}

/// Results as members of a response.
enum ChannelResult {
  static func value(_ result: OperationResult, limit: Int) throws(ServiceError) -> JSONValue {
    let value: JSONValue
    switch result.content {
    case .nothing: return [:]
    case .json(let object): value = .object(object)
    case .document(let bytes): value = .raw(String(decoding: bytes, as: UTF8.self))
    case .bytes(let bytes, let contentType, _):
      value = [
        "contentType": .string(contentType), "dataBase64": .string(Data(bytes).base64EncodedString()),
      ]
    }
    let size = value.roughSize
    guard size <= limit else {
      throw .tooLarge("The result", size: size, limit: limit)
    }
    return value
  }
}
