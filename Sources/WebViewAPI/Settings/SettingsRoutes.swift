import WebViewCore

/// The live settings of a controller.
enum SettingsRoutes {
  static let all = [
    Operation.controller(
      "getSettings", .get, "/settings", decode: { _, _ in },
      run: { _, controller, _ in try controller.settings() },
      encode: { settings, _ in .json(SettingsJSON.settings(settings)) }),
    Operation.controller(
      "setSettings", .patch, "/settings", errors: [.webContentProcessTerminated],
      decode: { input, _ in try input.settingsPatch() },
      run: { patch, controller, context in try await controller.setSettings(patch, deadline: context.deadline)
      },
      encode: { settings, _ in .json(SettingsJSON.settings(settings)) }),
  ]
}
