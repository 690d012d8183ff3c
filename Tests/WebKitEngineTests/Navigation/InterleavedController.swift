import Foundation
import Glibc
import Testing
import WebViewTesting

@testable import WebKitEngine
@testable import WebViewCore

/// A controller to which random things are done, and what has to hold of it afterwards.
@PageActor
final class InterleavedController {
  struct Failure: Error, CustomStringConvertible { var description: String }

  private static let events = EventService(limits: Limits())
  private static let services = Result {
    ControllerService(
      engine: try EngineHarness.engine(), stores: InMemoryProfileStore(), events: events,
      callbacks: CallbackBroker(limits: Limits()), limits: Limits(), node: nil)
  }
  /// Only of a call that fails.
  private static let deadline = 20.0

  /// What an operation came to.
  private final class Call {
    let name: String
    var outcome: String?
    init(_ name: String) { self.name = name }
  }

  enum Steps { case all, loadsAndStops }

  static func run(
    _ count: Int, of kind: Steps = .all, seed: UInt64, site: SlowSite
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    var controller: InterleavedController?
    for number in 0..<count {
      let current = try await {
        if let controller { controller } else { try await InterleavedController(site) }
      }()
      controller = current
      do {
        try await current.interleave(kind, &generator)
      } catch {
        Issue.record(
          """
          interleaving \(number) of seed \(seed): \(error)
          steps: \(current.steps.joined(separator: "; "))
          calls: \(current.calls.map { "\($0.name) -> \($0.outcome ?? "nothing")" }.joined(separator: "; "))
          events: \(current.told.joined(separator: " "))
          """)
        controller = nil
        current.dispose()
      }
      if current.controller.isDisposed { controller = nil }
    }
    controller?.dispose()
  }

  private let site: SlowSite
  private let service: ControllerService
  private let controller: WebViewController
  private var calls: [Call] = []
  private var steps: [String] = []
  private var told: [String] = []
  private var starts: [NavigationID: Int] = [:]
  private var ends: [NavigationID: Int] = [:]
  private var strays: [String] = []
  private var checked = 0
  private var pages = 0
  private var subscription: EventService.SubscriptionID?

  private init(_ site: SlowSite) async throws {
    self.site = site
    service = try Self.services.get()
    var options = ControllerOptions()
    options.ephemeral = true
    controller = try await service.create(options, deadline: Deadline(seconds: Self.deadline))
    let query = EventService.Query(controllerID: controller.id, types: Set(EventType.allCases))
    subscription = Self.events.subscribe(query) { [weak self] entry in
      PageActor.assumeIsolated { self?.note(entry.event) }
    }
  }

  private func dispose() {
    try? service.dispose(controller.id)
    if let subscription { Self.events.unsubscribe(subscription) }
  }

  private func note(_ event: ControllerEvent) {
    guard event.type != .stateChange else { return }
    let id = event.navigationID
    told.append("\(event.type.rawValue)\(id.map { " \($0)" } ?? "")")
    guard let id else { return }
    switch event.type {
    case .loadStart: starts[id, default: 0] += 1
    case .loadFinish, .loadError: ends[id, default: 0] += 1
    default: break
    }
    // The history is of the page, whichever navigation it is told with.
    if event.type == .backForwardListChanged { return }
    if event.type != .loadStart, starts[id] != 1 { strays.append(told.last ?? "") }
    if event.type != .loadFinish, event.type != .loadError, ends[id] != nil { strays.append(told.last ?? "") }
  }

  // MARK: Steps

  private func interleave(_ kind: Steps, _ generator: inout SeededGenerator) async throws {
    (calls, steps, told) = ([], [], [])
    for _ in 0..<Int.random(in: 2...9, using: &generator) {
      switch kind {
      case .all: step(&generator)
      case .loadsAndStops: loadOrStop(&generator)
      }
      let pause = [0, 0, 1, 3, 8, 20, 50, 120].prefix(kind == .all ? 8 : 5).randomElement(using: &generator)!
      steps.append("\(pause) ms")
      if pause > 0 { try await Task.sleep(for: .milliseconds(pause)) }
    }
    try await until("every call is settled") { self.calls.allSatisfy { $0.outcome != nil } }
    try await until("nothing runs") {
      self.controller.isDisposed || self.controller.navigations.running == nil
    }
    for call in calls where call.outcome?.hasPrefix("error") == true {
      throw Failure(description: "\(call.name) failed")
    }
    try checkRecords()
    guard !controller.isDisposed else { return }
    try await checkTruth()
    try await checkPlainLoad()
    try checkRecords()
  }

  private func step(_ generator: inout SeededGenerator) {
    pages += 1
    let wait = wait(&generator)
    // A condition is asked of the page's process.
    let failures: Set<ErrorCode> =
      wait.conditions.isEmpty && wait.followedRedirects == 0 ? [] : [.webContentProcessTerminated]
    func navigate(_ name: String, _ step: WebViewController.HistoryStep, _ gone: Set<ErrorCode> = []) {
      call("\(name), \(wait)", failing: failures.union(gone)) {
        try await $0.navigate(step, wait: wait, deadline: $1).word
      }
    }
    switch Int.random(in: 0..<100, using: &generator) {
    case ..<35:
      let content = content(&generator)
      call("load \(content), \(wait)", failing: failures) {
        try await $0.load(content, wait: wait, deadline: $1).word
      }
    case ..<40: navigate("reload", .reload(fromOrigin: Bool.random(using: &generator)))
    case ..<46: navigate("back", .back)
    case ..<50: navigate("forward", .forward)
    case ..<55:
      guard let item = controller.page.backForwardList.items.randomElement(using: &generator) else { return }
      navigate("go to \(item.url)", .item(item.id), [.notFound])
    case ..<62: stop()
    case ..<68:
      guard controller.navigations.records.last != nil else { return }
      call("wait, \(wait)", failing: failures) { try await $0.waitForLoad(wait, deadline: $1).word }
    case ..<90:
      let code = pageCode(&generator)
      call("page: \(code)") {
        do {
          _ = try await $0.evaluate(JavaScriptCall(.functionBody(code)), deadline: $1)
          return "evaluated"
        } catch let error as ServiceError
          where [.cancelled, .webContentProcessTerminated, .javaScriptError, .unsupported].contains(
            error.code)
        {
          return "\(error.code)"
        }
      }
    case ..<97:
      if Bool.random(using: &generator) {
        steps.append("kill")
        if let process = controller.processIdentifier { kill(process, SIGKILL) }
      } else {
        steps.append("kill any")
        (controller.page as? WebKitPage)?.processes.all.randomElement(using: &generator)?.kill()
      }
    default:
      steps.append("dispose")
      dispose()
    }
  }

  private func loadOrStop(_ generator: inout SeededGenerator) {
    guard Int.random(in: 0..<3, using: &generator) > 0 else { return stop() }
    pages += 1
    let content = content(&generator)
    call("load \(content)") { try await $0.load(content, deadline: $1).word }
  }

  private func stop() {
    call("stop") { controller, _ in
      try controller.stopLoading()
      return "stopped"
    }
  }

  /// What any document comes to have, so that a deadline is never what ends it.
  private func wait(_ generator: inout SeededGenerator) -> PageWait {
    let event = LoadWait.allCases.randomElement(using: &generator)!
    let conditions: [[PageCondition]] = [
      [], [], [], [.delay(seconds: 0.03)], [.element(.hidden, selector: "#nowhere")],
      [.function("return document.URL !== ''"), .element(.hidden, selector: "#nowhere")],
      [.networkIdle(seconds: 0.05)],
    ]
    return PageWait(
      event, conditions.randomElement(using: &generator)!,
      followedRedirects: [0, 0, 0, 1, 3].randomElement(using: &generator)!)
  }

  private func content(_ generator: inout SeededGenerator) -> LoadContent {
    switch Int.random(in: 0..<28, using: &generator) {
    case 5: .simulated(LoadRequest(url: address(&generator)), simulated(&generator))
    case 6...10: .request(request(&generator))
    case 0: .url(site.refused)
    case 1: .html("<title>given \(pages)</title>", baseURL: nil)
    case 2: .html("<title>given \(pages)</title>", baseURL: site.url(.fast, number: pages))
    case 3: .url("about:blank")
    case 4: .url((controller.state.url ?? "about:blank").prefix { $0 != "#" } + "#h\(pages)")
    default: .url(address(&generator))
    }
  }

  private func request(_ generator: inout SeededGenerator) -> LoadRequest {
    let method = ["GET", "POST", "POST", "PUT", "DELETE", "HEAD"].randomElement(using: &generator)!
    let isWithBody = ["POST", "PUT"].contains(method)
    return LoadRequest(
      url: address(&generator), method: method,
      headers: isWithBody ? [.init(name: "Content-Type", value: "application/x-custom")] : [],
      body: isWithBody ? [0, 1, 2] : nil,
      timeoutInterval: [0.02, 0.1, 60, 60].randomElement(using: &generator)!,
      cachePolicy: CachePolicy.honoured.randomElement(using: &generator)!)
  }

  private func simulated(_ generator: inout SeededGenerator) -> SimulatedResponse {
    SimulatedResponse(
      statusCode: [200, 204, 404].randomElement(using: &generator)!,
      headers: [.init(name: "Content-Type", value: "text/html")],
      data: Array("<title>simulated \(pages)</title>".utf8))
  }

  private func address(_ generator: inout SeededGenerator) -> String {
    let kind = SlowSite.Kind.allCases.randomElement(using: &generator)!
    let delay = [0, 5, 20, 60, 150].randomElement(using: &generator)!
    return site.url(kind, number: pages, delay: delay)
  }

  private func pageCode(_ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: "location.hash = 'h\(pages)'"
    case 1: "history.pushState({}, '', '?pushed=\(pages)')"
    case 2: "history.replaceState({}, '', '#replaced\(pages)')"
    case 3: "location.reload()"
    case 4: "history.back()"
    case 5: "history.forward()"
    case 6: "window.stop()"
    case 7: "location.replace('\(address(&generator))')"
    case 8: "document.getElementById('l')?.click()"
    case 9:
      "const f = document.createElement('iframe'); f.src = '\(address(&generator))'; document.body.append(f)"
    case 10: "return new Promise(done => setTimeout(done, 30))"
    default: "location.href = '\(address(&generator))'"
    }
  }

  /// - Parameter allowed: besides the end of the controller.
  private func call(
    _ name: String, failing allowed: Set<ErrorCode> = [],
    _ operation: @escaping @PageActor (WebViewController, Deadline) async throws -> String
  ) {
    let call = Call(name)
    calls.append(call)
    steps.append(name)
    Task { @PageActor [controller] in
      do {
        call.outcome = try await operation(controller, Deadline(seconds: Self.deadline))
      } catch let error as ServiceError where error.code == .disposed || allowed.contains(error.code) {
        call.outcome = "\(error.code)"
      } catch {
        call.outcome = "error: \(error)"
      }
    }
  }

  // MARK: What has to hold

  private func checkRecords() throws {
    guard strays.isEmpty else { throw Failure(description: "out of their navigation: \(strays)") }
    let last = controller.navigations.records.last?.navigation.id.number ?? 0
    for number in checked..<last {
      let id = NavigationID(number: number + 1)
      // Oldest records go.
      guard let navigation = controller.navigations[id] else { continue }
      guard let outcome = navigation.outcome else { throw Failure(description: "\(id) has no outcome") }
      let expected = outcome == .sameDocument ? 0 : 1
      guard starts[id, default: 0] == expected, ends[id, default: 0] == expected else {
        throw Failure(description: "\(id), \(outcome): \(starts[id] ?? 0) starts, \(ends[id] ?? 0) ends")
      }
    }
    checked = last
    guard controller.loadWaiters.isEmpty, controller.loadResumptions.isEmpty, controller.decidedLoads.isEmpty,
      controller.pending.isEmpty, controller.heldLoad == nil
    else { throw Failure(description: "somebody still waits") }
    guard controller.timeLimit == nil, controller.startWatch == nil, controller.repeatable == nil
    else { throw Failure(description: "something is still kept of a load") }
  }

  /// What is told of the page is what is there.
  private func checkTruth() async throws {
    let end = ContinuousClock.now + .seconds(20)
    var (told, found) = ("", "")
    repeat {
      if case .processEnded = controller.life { return }
      guard controller.hasDocument else { return }
      told = controller.state.url ?? ""
      do {
        let href = JavaScriptCall(.expression("location.href"))
        guard case .json(let text) = try await controller.evaluate(href, deadline: Deadline(seconds: 20))
        else {
          return
        }
        found = String(text.dropFirst().dropLast())
      } catch let error as ServiceError where [.cancelled, .webContentProcessTerminated].contains(error.code)
      {}
      if told == found, controller.navigations.running == nil, !controller.page.isLoading { return }
      try await Task.sleep(for: .milliseconds(20))
    } while ContinuousClock.now < end
    throw Failure(
      description: "told is \(told), there is \(found); loading \(controller.page.isLoading), "
        + "running \(String(describing: controller.navigations.running))")
  }

  private func checkPlainLoad() async throws {
    var outcomes: [String] = []
    // A step of the page's own may still be on its way, and so may the news of its process.
    for _ in 0..<4 {
      pages += 1
      let url = site.url(.fast, number: pages, host: pages % 2 == 0 ? "localhost" : "127.0.0.1")
      let result = try await controller.load(.url(url), deadline: Deadline(seconds: Self.deadline))
      outcomes.append(result.word)
      if result.isLoaded, result.navigation?.url == url, url.hasSuffix(controller.state.title ?? "?") {
        return
      }
    }
    throw Failure(description: "a plain load came to \(outcomes), title \(controller.state.title ?? "none")")
  }

  private func until(_ what: String, _ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(Self.deadline + 10)
    while !condition() {
      guard ContinuousClock.now < end else { throw Failure(description: "not so: \(what)") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

extension LoadResult {
  fileprivate var word: String {
    guard let navigation else { return "nothing" }
    let end = navigation.outcome.map { "\($0)" } ?? "running"
    return "\(navigation.id) \(end)\(navigation.error.map { " \($0.code)" } ?? "")"
  }
}
