/// What a controller is made from. nil members were not supplied: the engine's default is in force.
public struct ControllerOptions: Sendable, Equatable {
  public var ephemeral: Bool?
  public var label: String?
  public var viewport: Viewport?
  public var settings: SettingsPatch?
  public init() {}
}

/// CSS pixels, 1…10,000 each way.
public struct Viewport: Sendable, Equatable {
  public static let range = 1...10_000
  public static let standard = Viewport(width: 1280, height: 800)
  public var width: Int
  public var height: Int
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
