import WebViewCore

/// The journal over plain HTTP.
enum EventRoutes {
  static let all = [
    Operation.controller(
      "listEvents", .get, "/events", decode: { input, context in try input.journalQuery(context) },
      run: { query, controller, _ in
        try await controller.events(
          types: query.types, since: query.since, run: query.run, limit: query.limit, poll: query.poll)
      },
      size: size, encode: encode),
    Operation.page(
      "listServerEvents", .get, "/v1/events", isServerWide: true,
      decode: { input, context in try input.journalQuery(context) },
      run: { query, context in
        try await context.services.events.entries(
          .init(types: query.types), since: query.since, run: query.run, limit: query.limit, poll: query.poll)
      }, size: size, encode: encode),
  ]

  struct Query: Sendable {
    var types: Set<EventType>
    var since: Int?
    var run: String?
    var poll: Double
    var limit: Int
  }

  private static func size(_ page: EventService.Page) -> Int { page.entries.count * 512 }

  private static func encode(_ page: EventService.Page, _ context: OperationContext) -> OperationResult {
    var object: JSONObject = [
      "run": .string(context.services.events.run),
      "events": .array(page.entries.map { .object(EventJSON.entry($0)) }), "next": JSONValue(page.next),
    ]
    if let gap = page.gap { object["gap"] = .object(EventJSON.gap(gap)) }
    return .json(object)
  }
}

extension OperationInput {
  mutating func journalQuery(_ context: OperationContext) throws(ServiceError) -> EventRoutes.Query {
    EventRoutes.Query(
      types: try eventTypes("types") ?? EventType.standard, since: try integer("since", in: 0...Int.max),
      run: try string("run"), poll: try poll(context), limit: try integer("limit", in: 1...1_000) ?? 1_000)
  }

  /// Names of events, or `all`.
  mutating func eventTypes(_ name: String) throws(ServiceError) -> Set<EventType>? {
    guard let words = try strings(name, among: EventType.allCases.map(\.rawValue) + ["all"]) else {
      return nil
    }
    if words.contains("all") { return Set(EventType.allCases) }
    return Set(words.compactMap { EventType(rawValue: $0) })
  }
}
