import WebViewCore

enum EventJSON {
  static func entry(_ entry: JournalEntry) -> JSONObject {
    [
      "sequence": JSONValue(entry.sequence), "controllerId": .string(entry.controllerID.text),
      "event": .object(event(entry.event)),
    ]
  }

  static func event(_ event: ControllerEvent) -> JSONObject {
    var object: JSONObject = [
      "type": .string(event.type.rawValue), "navigationId": JSONValue(event.navigationID?.description),
      "isMainFrame": .bool(event.isMainFrame),
    ]
    if let state = event.state { object["state"] = .object(ControllerJSON.state(state)) }
    if let error = event.error { object["error"] = .object(error.json) }
    for member in event.details { object[member.name] = member.value }
    return object
  }

  static func gap(_ range: ClosedRange<Int>) -> JSONObject {
    ["from": JSONValue(range.lowerBound), "to": JSONValue(range.upperBound)]
  }
}
