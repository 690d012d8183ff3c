/// A consistent snapshot of what a controller shows.
public struct WebViewState: Sendable, Equatable {
  public var url: String?
  public var title: String?
  public var isLoading = false
  public var estimatedProgress: Double = 0
  public var canNavigateBack = false
  public var canNavigateForward = false
  public var hasOnlySecureContent = false
  public var isDisposed = false
  public var isAttached = false
  public var isPresented = false
  public init() {}
}
