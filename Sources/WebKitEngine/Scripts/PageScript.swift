/// What WebKit is asked to run.
struct PageScript {
  enum Form {
    /// Its value is the answer.
    case program
    /// The body of an async function, whose value is awaited: dearer by about a quarter of a call.
    case asyncFunction(argument: String?)
  }

  /// The address of given code, like those that WebKit gives user scripts: stacks tell by it what is whose.
  static let givenCode = "user-script:0"

  var text: String
  var form: Form
  /// nil: what it imports is found from the document's base URL, not from the script's own address.
  var sourceURL: String?

  static func program(_ text: String) -> PageScript { PageScript(text: text, form: .program) }
}
