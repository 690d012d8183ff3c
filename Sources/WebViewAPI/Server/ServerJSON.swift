import Foundation
import WebViewCore

enum ServerJSON {
  static func server(_ services: ServerServices, controllers: Int) -> JSONObject {
    let server = services.server
    return [
      "version": .string(server.version),
      "node": JSONValue(server.node),
      "startedAt": .string(Instant.text(server.startedAt)),
      "uptime": JSONValue((Date().timeIntervalSince(server.startedAt) * 1_000).rounded() / 1_000),
      "engine": [
        "name": .string(server.engine.name), "version": .string(server.engine.version),
        "userAgent": .string(server.engine.userAgent),
      ],
      "auth": ["tokenRequired": .bool(server.isTokenRequired)],
      "sandbox": [
        "state": .string(server.engine.sandbox.rawValue), "why": JSONValue(server.engine.sandboxReason),
      ],
      "egress": ["policy": "any"],
      "display": JSONValue(server.engine.display),
      "fonts": .array(server.engine.fonts.map { .string($0) }),
      "pool": ["controllers": JSONValue(controllers)],
      "limits": .object(limits(services.limits)),
    ]
  }

  static func limits(_ limits: Limits) -> JSONObject {
    [
      "requestBody": JSONValue(limits.requestBody), "result": JSONValue(limits.result),
      "channelMessage": JSONValue(limits.channelMessage), "script": JSONValue(limits.script),
      "url": JSONValue(limits.url), "defaultTimeout": JSONValue(limits.defaultTimeout),
      "timeout": JSONValue(limits.maximumTimeout), "journal": JSONValue(limits.journal),
      "navigations": JSONValue(limits.navigations), "pendingCallbacks": JSONValue(limits.pendingCallbacks),
      "callbackTimeout": JSONValue(limits.callbackTimeout), "disposedIds": JSONValue(limits.disposedIDs),
      "snapshotPixels": JSONValue(limits.snapshotPixels),
    ]
  }
}
