import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  func mainResourceData(completion: @escaping @PageActor (Result<[UInt8], EvaluationFailure>) -> Void) {
    guard canRunScripts else { return completion(.failure(.processTerminated)) }
    // After a load that came to nothing this is that load's resource. Its data are those of the document that is
    // there all the same: WebKit asks the main frame for them.
    guard let resource = webkit_web_view_get_main_resource(view) else { return completion(.success([])) }
    let document = documentNumber
    let process = processGeneration
    let limit = engine.options.resultLimit
    let owned = OwnedObject(retaining: resource)
    webkit_web_resource_get_data(
      resource, nil, Completion.callback,
      Completion.data { [weak self] result in
        var length: gsize = 0
        var error: GErrorPointer = nil
        let data = webkit_web_resource_get_data_finish(owned.pointer, result, &length, &error)
        defer { g_free(data) }
        let failure = error.map { GLibError(consuming: $0) }
        guard let self, self.canRunScripts, self.processGeneration == process else {
          return completion(.failure(.processTerminated))
        }
        guard self.documentNumber == document else { return completion(.failure(.documentReplaced)) }
        // A document that was made of no bytes is told as one that has none, or as one that has a NUL.
        guard failure == nil || failure?.isNotFound == true else {
          return completion(.failure(.processTerminated))
        }
        guard length <= limit else {
          return completion(.failure(.tooLarge(size: Int(length), limit: limit)))
        }
        let bytes = UnsafeBufferPointer(start: data, count: Int(length))
        completion(.success(bytes.elementsEqual([0]) ? [] : Array(bytes)))
      })
  }
}

extension GLibError {
  fileprivate var isNotFound: Bool { domain == "g-io-error-quark" && code == 1 }
}
