import Testing
import WebViewTesting

@testable import WebViewCore

@PageActor
@Suite struct SnapshotTests {
  private let soon = Deadline(seconds: 60)

  private func request(_ rectangle: SnapshotRequest.Rectangle?, width: Int? = nil) -> SnapshotRequest {
    var request = SnapshotRequest()
    request.rectangle = rectangle
    request.snapshotWidth = width
    return request
  }

  @Test func aPictureIsEncodedAndGivenBack() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.image = .success(FakeImage(width: 3, height: 2))
    #expect(try await controller.snapshot(SnapshotRequest(), deadline: soon) == Array("PNG 3x2".utf8))
  }

  @Test func aPictureThatNeverComesEndsAtTheDeadline() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.image = nil
    let picture = Task { try await controller.snapshot(SnapshotRequest(), deadline: Deadline(seconds: 3)) }
    await page.gets { if case .snapshot = $0 { true } else { false } }
    bench.clock.advance(by: .seconds(3))
    let error = await #expect(throws: ServiceError.self) { try await picture.value }
    #expect(error?.code == .timeout)
    await page.gets { $0 == .probe }
  }

  @Test(arguments: [
    SnapshotRequest.Rectangle(x: 0, y: 0, width: 1280, height: 800),
    SnapshotRequest.Rectangle(x: 0.5, y: 0.25, width: 1279.5, height: 10.5),
  ])
  func rectanglesWithinTheViewportAreTaken(rectangle: SnapshotRequest.Rectangle) throws {
    try request(rectangle, width: 100).validate(viewport: .standard, limits: Limits())
  }

  @Test(arguments: [
    (SnapshotRequest.Rectangle(x: -1, y: 0, width: 1, height: 1), "x"),
    (SnapshotRequest.Rectangle(x: 0, y: 0, width: 0, height: 1), "width"),
    (SnapshotRequest.Rectangle(x: 1, y: 0, width: 1280, height: 1), "width"),
    (SnapshotRequest.Rectangle(x: 0, y: 799.5, width: 1, height: 1), "height"),
    (SnapshotRequest.Rectangle(x: .nan, y: 0, width: 1, height: 1), "x"),
  ])
  func rectanglesBeyondItAreNamed(rectangle: SnapshotRequest.Rectangle, parameter: String) {
    let error = #expect(throws: ServiceError.self) {
      try request(rectangle).validate(viewport: .standard, limits: Limits())
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["parameter"] == .string(parameter))
  }

  @Test func aZoomedPageShowsMoreOrFewerPixels() throws {
    let whole = SnapshotRequest.Rectangle(x: 0, y: 0, width: 2560, height: 1600)
    try request(whole).validate(viewport: .standard, zoom: 0.5, limits: Limits())
    let error = #expect(throws: ServiceError.self) {
      try request(.init(x: 0, y: 0, width: 641, height: 1)).validate(
        viewport: .standard, zoom: 2, limits: Limits())
    }
    #expect(error?.details["parameter"] == "width")
    #expect(error?.details["viewport"] == ["width": 640, "height": 400])
  }

  @Test func widthsAndPixelsHaveLimits() {
    for width in [0, 30_001] {
      let error = #expect(throws: ServiceError.self) {
        try request(nil, width: width).validate(viewport: .standard, limits: Limits())
      }
      #expect(error?.details["maximum"] == 30_000)
    }
    let error = #expect(throws: ServiceError.self) {
      try request(nil, width: 30_000).validate(viewport: .standard, limits: Limits())
    }
    #expect(error?.details["maximumPixels"] == 400_000_000)
  }
}
