import Foundation
import GLibBridge
import HTTPModel
import SQLiteStore
import SoupTransport
import WebKitEngine
import WebViewAPI
import WebViewCore

/// What one start of the program has to know, with everything on disk and in the environment looked up.
struct ServerSetup: Sendable {
  var configuration: ServerConfiguration
  var environment: [String: String]
  var token: String?
  var dataDirectory: String
  var filesDirectory: String?
  var log: Log
  var loop: LoopExecutor
  /// nil: the system allowed none.
  var guardian: Guardian?
}

/// The parts of a server, wired together. The one place that knows all of them.
@PageActor
final class RunningServer {
  /// Where it can be reached, for the ready lines.
  private(set) var addresses: [BoundAddress] = []
  private let readiness = Readiness()
  private let display: DisplayConnection
  private let engine: WebKitEngine
  private let controllers: ControllerService
  private let events: EventService
  private let callbacks: CallbackBroker
  private let handler: APIHandler
  private let transport: SoupHTTPServer
  /// Holds the data directory's lock.
  private let store: SQLiteStore
  private let setup: ServerSetup

  /// Throws errors whose text is one line for the person who starts the server.
  init(_ setup: ServerSetup) async throws {
    self.setup = setup
    let configuration = setup.configuration
    let limits = Limits()
    // Whatever can be missing is looked for before anything is started.
    let documents = try APIDocumentFiles.read()
    let files = try setup.filesDirectory.map { try FilesDirectory(root: $0) }
    store = try await SQLiteStore.open(directory: setup.dataDirectory)
    display = try DisplayConnection.open(
      configuration.display, environment: setup.environment, reapedBy: setup.loop, log: setup.log)
    var options = WebKitEngine.Options()
    options.sandbox = configuration.sandbox != .off
    options.usesPrivateDisplay = display.xvfb != nil
    options.resultLimit = limits.result
    // Not in the temporary directory: a killed server could not remove it, and its next start would not know it.
    options.ruleDirectory = setup.dataDirectory + "/file-rules"
    engine = try WebKitEngine.start(loop: setup.loop, options: options)
    let information = engine.information
    if information.sandbox == .off, configuration.sandbox != .off {
      let reason = information.sandboxReason ?? "unknown reason"
      guard configuration.sandbox == .on else {
        await engine.shutDown()
        throw ServiceError(.unavailable, "--sandbox require: the sandbox cannot be used here: \(reason).")
      }
      setup.log.write(.warning, "pages run without a sandbox", ("reason", .text(reason)))
    }

    events = EventService(limits: limits)
    callbacks = CallbackBroker(limits: limits)
    controllers = ControllerService(
      engine: engine, stores: store.profiles, events: events, callbacks: callbacks, limits: limits, node: nil,
      files: files)
    let services = ServerServices(
      controllers: controllers, events: events, callbacks: callbacks, tickets: TicketOffice(),
      server: ServerInformation(
        version: Program.version, node: nil, startedAt: Date(), isTokenRequired: setup.token != nil,
        engine: information),
      readiness: readiness, limits: limits)
    let log = setup.log
    handler = APIHandler(
      services: services,
      access: AccessPolicy(
        token: setup.token, allowedHosts: configuration.allowedHosts,
        allowedOrigins: configuration.allowedOrigins),
      documents: documents, log: APILog(call: { log.call($0) }, fault: { log.fault($0) }))
    var transportOptions = TransportOptions()
    transportOptions.tls = configuration.tls
    transportOptions.onFinished = { log.access($0) }
    transport = SoupHTTPServer(handler: handler, options: transportOptions)
  }

  /// From here on requests are answered.
  func listen() async throws {
    for address in setup.configuration.listen {
      addresses.append(try await transport.listen(on: address))
    }
    readiness.become(.ready)
  }

  /// Lets what is under way finish within `drain`, has the rest told that its controller is gone, then ends
  /// everything down to the last child; socket files and compiled rules are removed. Begins to refuse also when the
  /// pages' thread is stuck.
  nonisolated func stop(drain: Duration) async {
    readiness.become(.draining)
    handler.closeChannels()
    Task { @PageActor in
      events.endPolls()
      callbacks.endPolls()
    }
    await transport.stop(drain: drain) { [controllers] in await controllers.shutDown() }
    await engine.shutDown()
    let spared = [display.xvfb?.process.pid, setup.guardian?.pid].compactMap(\.self)
    await ChildProcesses.end(except: Set(spared), grace: .seconds(2))
  }

  /// The last thing before the exit: GTK ends the program with an error as soon as its loop sees that the
  /// display is gone.
  func closeDisplay() {
    if let xvfb = display.xvfb { ChildProcesses.endBlocking(xvfb.process.pid, grace: .seconds(2)) }
  }
}
