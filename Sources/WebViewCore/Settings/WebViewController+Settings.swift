extension WebViewController {
  /// What the engine really uses now.
  public func settings() throws(ServiceError) -> WebViewSettings {
    try requireLife()
    return page.settings
  }

  /// All or nothing: one bad value changes none. Answers when the change is in force.
  public func setSettings(_ patch: SettingsPatch, deadline: Deadline) async throws -> WebViewSettings {
    try requireLife()
    try patch.validate()
    try await call(.independent, deadline: deadline) { [page] in await page.apply(patch) }
    return try settings()
  }
}
