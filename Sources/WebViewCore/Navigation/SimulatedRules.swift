import Foundation
import WebProcessCore

/// What a response that no server gave may say of itself.
enum SimulatedRules {
  /// Told by capabilities of none: the contract's document lists them.
  static let honouredHeaders = ["Content-Type", "Content-Security-Policy", "Set-Cookie"]
  static let statusCodes = 200...599

  static func checked(_ response: SimulatedResponse) throws(ServiceError) -> SimulatedResponse {
    var response = response
    guard statusCodes.contains(response.statusCode) else {
      throw .invalid(
        "/response/statusCode",
        "A response's status is from \(statusCodes.lowerBound) to \(statusCodes.upperBound).")
    }
    for (index, header) in response.headers.enumerated() {
      let place = "/response/headers" + JSONPointer.token(header.name)
      guard honouredHeaders.contains(where: { $0.lowercased() == header.name.lowercased() }) else {
        throw .invalid(
          place,
          "\(header.name) would have no effect; the headers are \(honouredHeaders.joined(separator: ", ")).")
      }
      response.headers[index].value = try RequestRules.value(header.value, at: place)
    }
    let types = response.headers.values(of: "Content-Type")
    guard types.count == 1, let type = ContentType(types[0]) else {
      throw .invalid(
        "/response/headers/Content-Type", "One Content-Type is needed, such as text/html; charset=utf-8.")
    }
    if let charset = type.charset, !CharacterEncoding.isKnown(charset) {
      throw .invalid(
        "/response/headers/Content-Type", "charset is a name of the Encoding Standard, such as utf-8.")
    }
    return response
  }
}

/// A media type with its charset, as a `Content-Type` header has them.
public struct ContentType: Sendable, Equatable {
  /// Lower case.
  public var mimeType: String
  public var charset: String?

  /// A type and a subtype, without parameters: RFC 6838.
  public static func isMIMEType(_ text: String) -> Bool {
    let names = text.split(separator: "/", omittingEmptySubsequences: false)
    return names.count == 2 && names.allSatisfy { $0.isToken && $0.utf8.count <= 127 }
  }

  public init?(_ header: String) {
    let parts = header.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard Self.isMIMEType(parts[0]) else { return nil }
    mimeType = parts[0].lowercased()
    for parameter in parts.dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard pair.count == 2, pair[0].lowercased() == "charset" else { continue }
      charset = pair[1].replacing("\"", with: "")
      break
    }
  }
}
