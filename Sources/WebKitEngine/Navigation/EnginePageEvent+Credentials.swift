import WebViewCore

extension EnginePageEvent {
  /// WebKit keeps the user name and password of an address in it; who hears of the page needs neither.
  var withoutCredentials: EnginePageEvent {
    switch self {
    case .willNavigate(let url, let isRedirect, let isUserInitiated):
      return .willNavigate(
        url: url.withoutCredentials, isRedirect: isRedirect, isUserInitiated: isUserInitiated)
    case .started(let url): return .started(url: url.withoutCredentials)
    case .redirected(let url, let status, let from):
      return .redirected(url: url.withoutCredentials, status: status, from: from.withoutCredentials)
    case .responded(var response):
      response.url = response.url.withoutCredentials
      return .responded(response)
    case .committed(let url): return .committed(url: url.withoutCredentials)
    case .finished(let url): return .finished(url: url.withoutCredentials)
    case .failed(let error, let url): return .failed(error, url: url.withoutCredentials)
    case .overtaken(let url, let isStubborn):
      return .overtaken(url: url.withoutCredentials, isStubborn: isStubborn)
    case .responseRefused(let error, let url): return .responseRefused(error, url: url.withoutCredentials)
    case .sameDocumentNavigation(let url): return .sameDocumentNavigation(url: url.withoutCredentials)
    default: return self
    }
  }
}
