import HTTPModel
import WebViewCore

/// Every operation, one row each, grouped by feature.
public enum OperationTable {
  public static let all: [Operation] =
    ServerRoutes.all + AccessRoutes.all + ControllerRoutes.all + SettingsRoutes.all + LoadRoutes.all
    + NavigationRoutes.all + NavigationLookupRoutes.all + HistoryRoutes.all + SourceRoutes.all
    + ScriptRoutes.all + MessageRoutes.all
    + CallbackRoutes.all + CookieRoutes.all
    + EventRoutes.all + CaptureRoutes.all + ChannelRoutes.all

  static let byID: [String: Operation] = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
