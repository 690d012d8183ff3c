import Foundation
import Testing
import WebViewCore
import WebViewTesting

/// What happens when everything happens at once: random interleavings of loads, stops, steps, waits, ends of
/// processes and navigations of the page's own, against a slow and rude site, with the engine as it is.
@Suite(.serialized) struct InterleavingTests {
  /// In a few milliseconds WebKit itself loses track of what it shows.
  @Test(.timeLimit(.minutes(60))) func afterLoadsAndStopsWhatIsToldIsWhatIsThere() async throws {
    let site = try SlowSite()
    try await InterleavedController.run(count(of: 15), of: .loadsAndStops, seed: seed, site: site)
  }

  /// `NAVIGATION_INTERLEAVINGS` in all, from the seed `NAVIGATION_SEED`; a few by default.
  @Test(.timeLimit(.minutes(60))) func everyCallSettlesAndEveryNavigationHasOneOutcome() async throws {
    let (count, seed) = (count(of: 60), seed)
    let lanes = min(3, count)
    let site = try SlowSite()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<lanes {
        let share = count / lanes + (lane < count % lanes ? 1 : 0)
        group.addTask {
          let seed = seed &* 1_000 &+ UInt64(lane)
          try await InterleavedController.run(share, seed: seed, site: site)
        }
      }
      try await group.waitForAll()
    }
  }

  private func count(of usual: Int) -> Int {
    ProcessInfo.processInfo.environment["NAVIGATION_INTERLEAVINGS"].flatMap { Int($0) } ?? usual
  }

  private var seed: UInt64 {
    ProcessInfo.processInfo.environment["NAVIGATION_SEED"].flatMap { UInt64($0) } ?? 1
  }
}
