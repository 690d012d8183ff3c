/// What WebKit is asked to run.
enum PageScript {
  /// Its value is the answer.
  case program(String)
  /// The body of an async function, whose value is awaited: dearer by about a quarter of a call.
  case asyncFunction(String, argument: String?)

  /// The address of all such code, like those that WebKit gives user scripts.
  static let sourceURL = "user-script:0"
}
