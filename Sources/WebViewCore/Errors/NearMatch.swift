/// Which known name a mistyped one probably stands for.
public enum NearMatch {
  /// How many unknown names are looked at.
  public static let guesses = 32

  public static func best(for name: String, among candidates: [String]) -> String? {
    // A name of megabytes is no typing mistake, and the distance is quadratic.
    guard name.utf8.count <= 64 else { return nil }
    let allowed = name.count < 4 ? 1 : max(2, name.count / 3)
    return candidates.map { ($0, distance(name.lowercased(), $0.lowercased())) }
      .filter { $0.1 <= allowed }.min { $0.1 < $1.1 }?.0
  }

  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let substituted = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
