import HTTPModel
import WebViewCore

/// Where a page has been, and going there again.
enum HistoryRoutes {
  static let all = [
    Operation.controller(
      "getBackForwardList", .get, "/history", decode: { _, _ in },
      run: { _, controller, _ in try controller.backForwardList() },
      size: { $0.roughSize }, encode: { list, _ in .json(HistoryJSON.list(list)) }),
    NavigationRoutes.step("goBack", "/history/back") { _ in .back },
    NavigationRoutes.step("goForward", "/history/forward") { _ in .forward },
    Operation.controller(
      "goToHistoryItem", .post, "/history/{itemId}/load", statuses: [200, 202], errors: .ofWaiting,
      decode: { input, context in
        let item = try input.pathString("itemId", "the id of an entry, as getBackForwardList tells it")
        return (item: HistoryItemID(text: item), wait: try input.pageWait(context))
      },
      run: { call, controller, context in
        let result = try await controller.goToHistoryItem(
          call.item, wait: call.wait, deadline: context.deadline, started: context.started(when: call.wait))
        return (result, call.wait)
      }, encode: { answer, _ in LoadRoutes.answer(answer.0, wait: answer.1) }),
  ]
}

enum HistoryJSON {
  static func list(_ list: BackForwardList) -> JSONObject {
    [
      "backList": .array(list.backList.map { .object(item($0)) }),
      "currentItem": list.currentItem.map { .object(item($0)) } ?? .null,
      "forwardList": .array(list.forwardList.map { .object(item($0)) }),
    ]
  }

  private static func item(_ item: HistoryItem) -> JSONObject {
    [
      "id": .string(item.id.text), "url": .string(item.url), "initialURL": .string(item.initialURL),
      "title": JSONValue(item.title),
    ]
  }
}

extension BackForwardList {
  fileprivate var roughSize: Int {
    (backList + forwardList).reduce(0) { $0 + $1.url.utf8.count + $1.initialURL.utf8.count }
  }
}
