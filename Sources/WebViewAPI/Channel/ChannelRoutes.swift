/// The upgrades.
enum ChannelRoutes {
  static let all = [
    Operation.upgrade(
      "openControllerChannel", "/v1/controllers/{controllerId}/channel", errors: [.notFound, .disposed]),
    Operation.upgrade("openServerChannel", "/v1/channel", errors: []),
  ]
}
