import CGLib
import GLibBridge
import Testing

@Suite struct GLibErrorTests {
  @Test func aFailedCallThrowsItsErrorByDomainAndCode() {
    var contents: UnsafeMutablePointer<gchar>?
    let error = #expect(throws: GLibError.self) {
      try throwing { g_file_get_contents("/no/such/file", &contents, nil, &$0) }
    }
    #expect(error?.domain == "g-file-error-quark")
    #expect(error?.code == Int(G_FILE_ERROR_NOENT.rawValue))
    #expect(error?.message.contains("/no/such/file") == true)
    #expect(error?.description == "g-file-error-quark 4: \(error?.message ?? "")")
  }

  @Test func aCallThatSucceedsGivesItsResult() throws {
    var length: gsize = 0
    var contents: UnsafeMutablePointer<gchar>?
    let result = try throwing { g_file_get_contents("/proc/self/comm", &contents, &length, &$0) }
    defer { g_free(contents) }
    #expect(result != 0)
    #expect(length > 0)
  }

  @Test func aCopyLeavesTheOriginalToItsOwner() throws {
    let original = try #require(g_error_new_literal(g_io_error_quark(), 3, "first"))
    let copy = GLibError(copying: original)
    #expect(String(cString: original.pointee.message) == "first")
    g_error_free(original)
    #expect(copy == GLibError(domain: "g-io-error-quark", code: 3, message: "first"))
  }
}
