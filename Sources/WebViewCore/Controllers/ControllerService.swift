import Foundation
import Synchronization

/// Whether an id is of a controller.
public enum ControllerPresence: Sendable { case live, disposed, unknown }

/// All controllers: made, found, listed, disposed.
@PageActor
public final class ControllerService {
  private let context: ControllerContext
  private let stores: any ProfileStoring
  private let node: String?
  private var controllers: [ControllerID: WebViewController] = [:]
  /// Oldest first.
  private var order: [ControllerID] = []
  private var isShutDown = false
  private var profileStore: Task<any EngineStore, any Error>?
  private nonisolated let register: Mutex<ControllerRegister>

  /// - Parameter files: where file: URLs may lead; nil: nowhere.
  public init(
    engine: any WebEngine, stores: any ProfileStoring, events: EventService, callbacks: CallbackBroker,
    limits: Limits, node: String?, files: FilesDirectory? = nil,
    clock: any Clock<Duration> = ContinuousClock(), background: BackgroundWork = .threads
  ) {
    self.stores = stores
    self.node = node
    context = ControllerContext(
      engine: engine, events: events, callbacks: callbacks, limits: limits, files: files,
      timers: Timers(clock: clock), background: background)
    register = Mutex(ControllerRegister(limit: limits.disposedIDs))
    callbacks.events = events
  }

  /// The engine's own values, for capabilities.
  public var defaultSettings: WebViewSettings { context.engine.defaultSettings }

  /// A controller that is ready for use. If the task is cancelled meanwhile the controller is disposed.
  public func create(_ options: ControllerOptions, deadline: Deadline) async throws -> WebViewController {
    try requireOpen()
    try options.viewport?.validate(at: "/viewport")
    do { try options.settings?.validate() } catch { throw error.within("/settings") }
    var options = options
    options.ephemeral = options.ephemeral ?? false
    let store: any EngineStore
    if options.ephemeral == true {
      store = try context.engine.makeEphemeralStore()
    } else {
      store = try await defaultStore(deadline)
    }
    try Task.checkCancellation()
    try requireOpen()
    let viewport = options.settings?.viewport ?? options.viewport ?? .standard
    let page = try context.engine.makePage(in: store, viewport: viewport)
    let controller = WebViewController(
      id: .random(node: node), node: node, options: options, page: page, store: store, context: context)
    do {
      if let settings = options.settings {
        _ = try await controller.setSettings(settings, deadline: deadline)
      }
      try Task.checkCancellation()
      try requireOpen()
    } catch {
      page.delegate = nil
      page.close()
      throw error
    }
    controllers[controller.id] = controller
    context.events.begin(controller.id)
    order.append(controller.id)
    register.withLock { $0.add(controller.id) }
    return controller
  }

  /// Oldest first.
  public func list(label: String?) -> [WebViewController] {
    order.compactMap { controllers[$0] }.filter { controller in
      label.map { controller.label?.isExactly($0) == true } ?? true
    }
  }

  /// Memory and processor time of each one's process, in the same order; nil for those that have none.
  public func processUsage(of controllers: [WebViewController], deadline: Deadline) async throws
    -> [ProcessUsage?]
  {
    let processes = controllers.map(\.processIdentifier)
    guard processes.contains(where: { $0 != nil }) else { return processes.map { _ in nil } }
    return try await withDeadline(deadline, timers: context.timers) { [context] in
      try await context.background.run { processes.map { $0.flatMap(ProcessUsage.read) } }
    }
  }

  /// Throws `notFound` or `disposed`.
  public func controller(_ id: ControllerID) throws(ServiceError) -> WebViewController {
    if let controller = controllers[id] { return controller }
    throw presence(of: id) == .disposed ? Self.disposed(id) : Self.unknown(id)
  }

  /// Throws `notFound` or `disposed`, without a hop to the actor: for answers before a channel opens.
  public nonisolated func requireLife(of id: ControllerID) throws(ServiceError) {
    switch presence(of: id) {
    case .live: break
    case .disposed: throw Self.disposed(id)
    case .unknown: throw Self.unknown(id)
    }
  }

  /// At once and without beforeunload. Succeeds again for a disposed one; unknown ids are `notFound`.
  public func dispose(_ id: ControllerID) throws(ServiceError) {
    guard let controller = controllers.removeValue(forKey: id) else {
      guard presence(of: id) == .disposed else { throw Self.unknown(id) }
      return
    }
    order.removeAll { $0 == id }
    register.withLock { $0.dispose(id) }
    controller.dispose()
  }

  /// Disposes all and refuses new ones.
  public func shutDown() async {
    isShutDown = true
    for id in order { try? dispose(id) }
  }

  public nonisolated func presence(of id: ControllerID) -> ControllerPresence {
    register.withLock { $0.presence(of: id) }
  }

  nonisolated static func disposed(_ id: ControllerID) -> ServiceError {
    ServiceError(.disposed, "The controller \(id) was disposed.")
  }

  private nonisolated static func unknown(_ id: ControllerID) -> ServiceError {
    ServiceError(.notFound, "There is no controller \(id).", details: ["kind": "controller"])
  }

  private func requireOpen() throws(ServiceError) {
    guard !isShutDown else {
      throw ServiceError(.unavailable, "The server is shutting down.", details: ["reason": "draining"])
    }
  }

  /// Made once; a failure is not kept.
  private func defaultStore(_ deadline: Deadline) async throws -> any EngineStore {
    let task =
      profileStore
      ?? Task { [context, stores] in
        let directory = try await stores.directory(ofProfile: "default")
        return try context.engine.makePersistentStore(directory: directory)
      }
    profileStore = task
    do {
      return try await withDeadline(deadline, timers: context.timers) { try await task.value }
    } catch {
      if !(error is CancellationError), (error as? ServiceError)?.code != .timeout { profileStore = nil }
      throw error
    }
  }
}

/// Which ids are, or lately were, of controllers.
struct ControllerRegister: Sendable {
  private let limit: Int
  private var live: Set<ControllerID> = []
  private var disposed: Set<ControllerID> = []
  private var order: [ControllerID] = []
  private var first = 0

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func add(_ id: ControllerID) { live.insert(id) }

  mutating func dispose(_ id: ControllerID) {
    guard live.remove(id) != nil else { return }
    disposed.insert(id)
    if order.count < limit {
      order.append(id)
    } else {
      disposed.remove(order[first])
      order[first] = id
      first = (first + 1) % limit
    }
  }

  func presence(of id: ControllerID) -> ControllerPresence {
    live.contains(id) ? .live : disposed.contains(id) ? .disposed : .unknown
  }
}

extension ServiceError {
  /// The same, with the pointer seen from further out.
  func within(_ prefix: String) -> ServiceError {
    guard case .string(let pointer)? = details["pointer"] else { return self }
    var error = self
    error.details["pointer"] = .string(prefix + pointer)
    return error
  }
}
