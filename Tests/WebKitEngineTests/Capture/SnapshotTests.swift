import CWebKit
import Foundation
import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct SnapshotTests {
  struct Picture {
    var width: Int
    var height: Int
    var hasAlpha: Bool
    private var pixels: [UInt8]
    private var stride: Int

    /// Decoded by another library than the one that encoded it.
    init?(png: [UInt8]) {
      guard let loader = gdk_pixbuf_loader_new() else { return nil }
      defer { g_object_unref(loader) }
      guard gdk_pixbuf_loader_write(loader, png, gsize(png.count), nil) != 0,
        gdk_pixbuf_loader_close(loader, nil) != 0,
        let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader)
      else { return nil }
      width = Int(gdk_pixbuf_get_width(pixbuf))
      height = Int(gdk_pixbuf_get_height(pixbuf))
      hasAlpha = gdk_pixbuf_get_has_alpha(pixbuf) != 0
      stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
      pixels = Array(
        UnsafeBufferPointer(
          start: gdk_pixbuf_get_pixels(pixbuf), count: Int(gdk_pixbuf_get_byte_length(pixbuf))))
    }
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      let channels = hasAlpha ? 4 : 3
      return Array(pixels[(y * stride + x * channels)..<(y * stride + x * channels + channels)])
    }
  }

  private static let quarters = """
    <style>html, body { margin: 0; height: 100%; background: #fff } div { position: absolute; width: 50%; height: 50% }</style>
    <div style='background: #f00; left: 0; top: 0'></div><div style='background: #0f0; left: 50%; top: 0'></div>
    <div style='background: #00f; left: 0; top: 50%'></div><div style='background: #123456; left: 50%; top: 50%'></div>
    """

  private func snapshot(_ page: TestPage, _ change: (inout SnapshotRequest) -> Void = { _ in }) async throws
    -> Picture
  {
    var request = SnapshotRequest()
    change(&request)
    let asked = request
    let image = await withCheckedContinuation { done in
      page.page.snapshot(asked) { done.resume(returning: $0) }
    }
    return try #require(Picture(png: try image.get().encodePNG()))
  }

  @Test func viewportIsTakenAsItIs() async throws {
    let page = try EngineHarness.page()
    let blank = try await snapshot(page)
    #expect(blank.width == 1280 && blank.height == 800 && blank.color(5, 5) == [255, 255, 255])
    _ = try await page.after { $0.load(.html(Self.quarters, baseURL: nil)) }
    let picture = try await snapshot(page)
    #expect(picture.width == 1280 && picture.height == 800 && !picture.hasAlpha)
    #expect(picture.color(10, 10) == [255, 0, 0] && picture.color(1270, 10) == [0, 255, 0])
    #expect(picture.color(10, 790) == [0, 0, 255] && picture.color(1270, 790) == [0x12, 0x34, 0x56])
    _ = await page.json("document.querySelector('div').style.background = '#abcdef'")
    #expect(try await snapshot(page).color(10, 10) == [0xab, 0xcd, 0xef])
  }

  @Test func rectanglesAndWidthsCutAndScale() async throws {
    let page = try EngineHarness.page()
    _ = try await page.after { $0.load(.html(Self.quarters, baseURL: nil)) }
    let cut = try await snapshot(page) { $0.rectangle = .init(x: 630, y: 390, width: 20, height: 20) }
    #expect(cut.width == 20 && cut.height == 20)
    #expect(
      cut.color(0, 0) == [255, 0, 0] && cut.color(19, 0) == [0, 255, 0]
        && cut.color(19, 19) == [0x12, 0x34, 0x56])
    let small = try await snapshot(page) { $0.snapshotWidth = 333 }
    #expect(
      small.width == 333 && small.height == 208 && small.color(3, 3) == [255, 0, 0]
        && small.color(332, 207) == [0x12, 0x34, 0x56])
    let large = try await snapshot(page) {
      $0.rectangle = .init(x: 0, y: 0, width: 10, height: 5)
      $0.snapshotWidth = 100
    }
    #expect(large.width == 100 && large.height == 50 && large.color(99, 49) == [255, 0, 0])
    let tiny = try await snapshot(page) {
      $0.rectangle = .init(x: 3, y: 3, width: .leastNonzeroMagnitude, height: .leastNonzeroMagnitude)
    }
    #expect(tiny.width == 1 && tiny.height == 1 && tiny.color(0, 0) == [255, 0, 0])
    var patch = SettingsPatch()
    patch.pageZoom = 2
    await page.page.apply(patch)
    let zoomed = try await snapshot(page) { $0.rectangle = .init(x: 310, y: 190, width: 20, height: 20) }
    #expect(
      zoomed.width == 40 && zoomed.color(0, 0) == [255, 0, 0] && zoomed.color(39, 39) == [0x12, 0x34, 0x56])
  }

  @Test func transparencyIsKeptOnlyWhenItIsAsked() async throws {
    let page = try EngineHarness.page()
    _ = try await page.after {
      $0.load(
        .html(
          "<style>body { margin: 0 } div { width: 100px; height: 100px; background: rgba(255, 0, 0, .5) }</style><div></div>",
          baseURL: nil))
    }
    let transparent = try await snapshot(page) { $0.allowTransparentBackground = true }
    #expect(transparent.hasAlpha && transparent.color(500, 500)[3] == 0)
    let half = transparent.color(50, 50)
    #expect(half[0] == 255 && half[1] == 0 && (127...128).contains(half[3]))
    let opaque = try await snapshot(page)
    #expect(!opaque.hasAlpha && opaque.color(500, 500) == [255, 255, 255])
  }

  @Test func sizesBeyondTheScreenArePainted() async throws {
    let page = try EngineHarness.page(viewport: Viewport(width: 3000, height: 2000))
    _ = try await page.after { $0.load(.html(Self.quarters, baseURL: nil)) }
    let picture = try await snapshot(page)
    #expect(
      picture.width == 3000 && picture.height == 2000 && picture.color(2999, 1999) == [0x12, 0x34, 0x56])
  }

  @Test(arguments: [
    (1.0, 100.0, 400), (Double.leastNonzeroMagnitude, 1, 400),
    (Double.leastNonzeroMagnitude, Double.leastNonzeroMagnitude, 400), (1, 1, 40_000),
  ])
  func picturesLargerThanAnImageCanBeAreRefused(width: Double, height: Double, snapshotWidth: Int)
    async throws
  {
    let page = try EngineHarness.page()
    var request = SnapshotRequest()
    request.rectangle = .init(x: 0, y: 0, width: width, height: height)
    request.snapshotWidth = snapshotWidth
    let asked = request
    let result = await withCheckedContinuation { done in
      page.page.snapshot(asked) { done.resume(returning: $0) }
    }
    guard case .failure(let error) = result else {
      Issue.record("there was a picture")
      return
    }
    #expect(error.code == .invalidArgument)
  }

  @Test func aGonePageHasNoPicture() async throws {
    let page = try EngineHarness.page()
    page.page.terminateWebProcess()
    let result = await withCheckedContinuation { done in
      page.page.snapshot(SnapshotRequest()) { done.resume(returning: $0) }
    }
    guard case .failure(let error) = result else {
      Issue.record("there was a picture")
      return
    }
    #expect(error.code == .webContentProcessTerminated)
  }
}
