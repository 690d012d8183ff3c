import Foundation
import WebViewCore

/// Making, finding and ending controllers.
enum ControllerRoutes {
  static let all = [
    Operation.page(
      "createController", .post, "/v1/controllers", statuses: [201], isServerWide: true,
      decode: { input, _ in try input.controllerOptions() },
      run: { options, context in
        ControllerSummary(
          try await context.services.controllers.create(options, deadline: context.deadline))
      },
      encode: { summary, _ in
        .created(ControllerJSON.resource(summary), location: "/v1/controllers/\(summary.id)")
      }),
    Operation.page(
      "listControllers", .get, "/v1/controllers", isServerWide: true,
      decode: { input, _ in try input.string("label") },
      run: { label, context in
        let controllers = context.services.controllers.list(label: label)
        // Before the wait: what is listed is of one moment.
        let summaries = controllers.map { ControllerSummary($0) }
        let usages = try await context.services.controllers.processUsage(
          of: controllers, deadline: context.deadline)
        return Array(zip(summaries, usages))
      },
      encode: { list, _ in .json(["controllers": .array(list.map { .object(listed($0.0, $0.1)) })]) }),
    Operation.controller(
      "getController", .get, "", decode: { _, _ in },
      run: { _, controller, _ in ControllerSummary(controller) },
      encode: { summary, _ in .json(ControllerJSON.resource(summary)) }),
    Operation.page(
      "disposeController", .delete, "/v1/controllers/{controllerId}", statuses: [204], never: [.disposed],
      isAlwaysOffered: true,
      decode: { input, _ in try input.controllerID() },
      run: { id, context in try context.services.controllers.dispose(id) }, encode: { _, _ in .nothing }),
    Operation.controller(
      "getState", .get, "/state", decode: { _, _ in }, run: { _, controller, _ in controller.state },
      encode: { state, _ in .json(ControllerJSON.state(state)) }),
  ]

  private static func listed(_ summary: ControllerSummary, _ usage: ProcessUsage?) -> JSONObject {
    var object = ControllerJSON.resource(summary)
    object["age"] = JSONValue(max(0, Date().timeIntervalSince(summary.createdAt)))
    object["idleTime"] = JSONValue(summary.idleTime)
    object["memory"] = JSONValue(usage?.residentMemory)
    object["cpuTime"] = JSONValue(usage?.cpuTime)
    return object
  }
}

extension OperationInput {
  mutating func controllerOptions() throws(ServiceError) -> ControllerOptions {
    var options = ControllerOptions()
    options.ephemeral = try bool("ephemeral")
    options.label = try string("label")
    if let label = options.label, !Text.isName(label) {
      throw ServiceError(
        .invalidArgument, "`\(pointer(to: "label"))` must be 1 to 128 characters without control characters.",
        details: ["pointer": .string(pointer(to: "label"))])
    }
    options.viewport = try viewport("viewport")
    if var members = try object("settings") {
      options.settings = try members.settingsPatch()
      try members.finish()
    }
    return options
  }
}
