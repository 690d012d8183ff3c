extension WebViewController {
  /// The bytes of the document that is there. Throws `notFound` when there is none yet.
  public func source(deadline: Deadline) async throws -> DocumentSource {
    beginUse()
    defer { endUse() }
    while true {
      try requireProcess()
      guard hasDocument else {
        throw ServiceError(
          .notFound, "There is no document: nothing was loaded yet.", details: ["kind": "document"])
      }
      guard !isDocumentCut else {
        throw ServiceError(
          .notFound, "The document's load broke off; the engine keeps nothing of what came before.",
          details: ["kind": "document"])
      }
      do {
        return try await presentSource(deadline)
      } catch let error as ServiceError where error.code == .cancelled {
        // Another document took its place meanwhile: that one's is what the caller wants.
      }
    }
  }

  /// Its load ended before all of it was there.
  private var isDocumentCut: Bool {
    guard let navigation = documentNavigation.flatMap({ navigations[$0] }), let outcome = navigation.outcome
    else { return false }
    return !outcome.isLoaded && navigation.timings.domContentLoaded == nil
  }

  private func presentSource(_ deadline: Deadline) async throws -> DocumentSource {
    let source: DocumentSource
    if let given = documentContent?.source {
      source = given
    } else {
      // The engine gives the bytes all at once: what is too large is not asked for. Of what still comes less may be
      // there.
      if navigations.running != documentNavigation, let length = documentResponse?.announcedLength {
        try checkSize(length)
      }
      let contentType = documentResponse?.contentType ?? "text/html"
      let bytes: [UInt8] = try await engineCall(.document, deadline: deadline) { page, done in
        page.mainResourceData { done($0.mapError { $0 }) }
      }
      source = DocumentSource(bytes: bytes, contentType: contentType)
    }
    try checkSize(source.bytes.count)
    return source
  }

  private func checkSize(_ size: Int) throws(ServiceError) {
    guard size > context.limits.result else { return }
    throw ServiceError.tooLarge("The source", size: size, limit: context.limits.result)
  }
}
