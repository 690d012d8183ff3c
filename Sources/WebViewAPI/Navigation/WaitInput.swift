import WebViewCore

extension Set<ErrorCode> {
  /// Of conditions that cannot come true.
  static let ofWaiting: Self = [.javaScriptError, .unsupported, .webContentProcessTerminated]
}

extension OperationInput {
  /// What a load waits for.
  mutating func pageWait(_ context: OperationContext) throws(ServiceError) -> PageWait {
    var wait = try wait(context.services.limits)
    wait.followedRedirects = try integer("followClientRedirects", in: PageWait.redirectsRange) ?? 0
    if wait.isNone, wait.followedRedirects > 0 {
      throw ServiceError(
        .invalidArgument,
        "`followClientRedirects` needs something to wait for: with `none` as the event nobody follows.",
        details: ["pointer": .string(pointer(to: "followClientRedirects"))])
    }
    return wait
  }

  /// What `waitForLoad` waits for.
  mutating func loadWait(_ context: OperationContext) throws(ServiceError) -> PageWait {
    let wait = try wait(context.services.limits)
    if wait.isNone {
      throw ServiceError(
        .invalidArgument,
        "`/wait/event` is `none`, and there is nothing else to wait for: give a condition such as `selector` too, "
          + "or another event.", details: ["pointer": "/wait/event"])
    }
    return wait
  }

  private mutating func wait(_ limits: Limits) throws(ServiceError) -> PageWait {
    guard var members = try object("wait") else { return .load }
    let event: LoadWait? = try members.enumeration("event")
    var conditions: [PageCondition] = []
    for state in ElementState.allCases {
      guard let selector = try members.code(state.rawValue, "a CSS selector", limits) else { continue }
      conditions.append(.element(state, selector: selector))
    }
    if let body = try members.code("function", "the body of a function", limits) {
      conditions.append(.function(body))
    }
    if let seconds = try members.number("networkIdle", in: 0...limits.maximumTimeout, above: 0) {
      conditions.append(.networkIdle(seconds: seconds))
    }
    if let seconds = try members.number("delay", in: 0...limits.maximumTimeout) {
      conditions.append(.delay(seconds: seconds))
    }
    try members.finish()
    return PageWait(event ?? .load, conditions)
  }

  private mutating func code(
    _ name: String, _ meaning: String, _ limits: Limits
  ) throws(ServiceError) -> String? {
    guard let text = try string(name) else { return nil }
    try check(size: text.utf8.count, of: name, limit: limits.script)
    guard !text.isEmpty else {
      throw ServiceError(
        .invalidArgument, "`\(pointer(to: name))` must be \(meaning), not an empty string.",
        details: ["pointer": .string(pointer(to: name))])
    }
    return text
  }
}
