/// A picture of the viewport, or of a rectangle in it.
public struct SnapshotRequest: Sendable, Equatable {
  /// CSS pixels relative to the viewport; fractions are allowed, beyond it is refused.
  public struct Rectangle: Sendable, Equatable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }
  /// Of the picture.
  public static let widths = 1...30_000
  public var rectangle: Rectangle?
  /// Output pixels; the height follows, rounded to nearest.
  public var snapshotWidth: Int?
  public var afterScreenUpdates = true
  public var allowTransparentBackground = false
  public init() {}
}
