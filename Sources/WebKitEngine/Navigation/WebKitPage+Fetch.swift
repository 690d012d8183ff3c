import CWebKit
import GLibBridge
import WebViewCore

/// Requests that WebKitGTK has no way to send: fetched, and their response shown under its URL.
extension WebKitPage {
  func beginFetch(_ request: LoadRequest) {
    // What runs ends now; WebKit hears of the new load when there is something to show.
    _ = tracker.stop()
    if isReady { giveUpLoading() } else { dropHeldLoad() }
    announce(foretold.begin(url: request.url))
    whenReady { page in page.prepare { await $0.fetch(request) } }
  }

  private func fetch(_ request: LoadRequest) async {
    let fetch = DocumentFetch(store: store, userAgent: userAgent, limit: engine.options.resultLimit)
    do {
      for cookie in request.cookies { try await store.add(cookie) }
      var request = request
      request.headers = request.headers.without("Cookie")
      for _ in 0...LoadRequest.maximumRedirects {
        let answer = try await fetch.send(request)
        guard !Task.isCancelled else { return }
        guard let next = try answer.redirected(request) else { return try await take(answer, of: request) }
        announce(foretold.redirected(to: next.url, status: answer.status))
        if next.method == "GET", !isPlaceInDocument(next.url) { return follow(next) }
        request = next
      }
      throw LoadError(.tooManyRedirects, "There are more than \(LoadRequest.maximumRedirects) redirects.")
    } catch {
      guard !Task.isCancelled else { return }
      announce(foretold.failed(LoadError(fetching: error)))
    }
  }

  /// A redirect made it a request that WebKit sends.
  private func follow(_ request: LoadRequest) {
    guard handsOver(.request(request)) else { return }
    tracker.askLoad(url: request.url)
    get(request)
  }

  private func take(_ answer: DocumentFetch.Answer, of request: LoadRequest) async throws {
    var document = GivenDocument(
      response: answer.response, bytes: [], serverTrust: answer.serverTrust)
    announce([.responded(document.response)])
    if request.method == "HEAD" {
      // There is no body, of whatever type it would be.
      document.response.mimeType = "text/html"
    }
    if let refusal = refusal(of: document) {
      foretold.forget()
      return announce([refusal])
    }
    document.bytes = try await answer.body()
    guard !Task.isCancelled else { return }
    if handsOver(document.kept) { show(document) }
  }

  /// False: while that was told, something else took its place.
  private func handsOver(_ content: LoadContent) -> Bool {
    announce([.handedOver(content)])
    guard foretold.isFetching, !isClosed else { return false }
    foretold.forget()
    return true
  }

  /// What becomes of a connection to where a request failed that is not to be sent again.
  func reasonOfFailure(of url: String) async -> LoadError {
    let fetch = DocumentFetch(store: store, userAgent: userAgent, limit: 0)
    do {
      try await fetch.connect(to: url)
      return LoadError(.connectionLost, "The connection ended before there was a response.")
    } catch {
      return LoadError(fetching: error)
    }
  }

  private var userAgent: String { string(webkit_settings_get_user_agent(engineSettings)) ?? "" }
}

extension LoadError {
  fileprivate init(fetching error: any Error) {
    switch error {
    case let error as LoadError: self = error
    case let error as GLibError: self.init(error)
    case let error as ServiceError: self.init(.other, error.message)
    default: self.init(.other, "The request failed.")
    }
  }
}
