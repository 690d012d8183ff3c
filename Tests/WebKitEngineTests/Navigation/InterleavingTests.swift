import Foundation
import Testing
import WebViewCore
import WebViewTesting

/// What happens when everything happens at once: random interleavings of loads, stops, steps, waits, ends of
/// processes and navigations of the page's own, against a slow and rude site, with the engine as it is.
@Suite(.serialized) struct InterleavingTests {
  /// `NAVIGATION_INTERLEAVINGS` in all, from the seed `NAVIGATION_SEED`; a few by default.
  @Test(.timeLimit(.minutes(60))) func everyCallSettlesAndEveryNavigationHasOneOutcome() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["NAVIGATION_INTERLEAVINGS"].flatMap { Int($0) } ?? 60
    let seed = environment["NAVIGATION_SEED"].flatMap { UInt64($0) } ?? 1
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
}
