import CGLib
import GLibBridge
import Testing

/// As a library logs.
private func logAsLibrary(_ level: GLogLevelFlags, _ message: String, length: Int = -1) {
  "GLIB_DOMAIN".withCString { domainKey in
    "library".withCString { domain in
      "MESSAGE".withCString { messageKey in
        message.withCString { text in
          let fields = [
            GLogField(key: domainKey, value: domain, length: -1),
            GLogField(key: messageKey, value: text, length: length),
          ]
          g_log_structured_array(level, fields, gsize(fields.count))
        }
      }
    }
  }
}

/// GLib takes one writer a process: each test has a process of its own.
@Suite(.timeLimit(.minutes(1))) struct StructuredLogTests {
  @Test func messagesComeWithTheirLevelAndLibrary() async {
    await #expect(processExitsWith: .success) {
      let seen = Journal<String>()
      StructuredLog.install(verbosity: .debug) { seen.add("\($0.level) \($0.domain): \($0.message)") }
      for level in [
        G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING, G_LOG_LEVEL_MESSAGE, G_LOG_LEVEL_INFO, G_LOG_LEVEL_DEBUG,
      ] {
        logAsLibrary(level, "é🙂")
      }
      let expected = ["critical", "warning", "message", "info", "debug"].map { "\($0) library: é🙂" }
      #expect(seen.entries == expected)
    }
  }

  @Test func whatALibraryComplainsOfItselfIsSeen() async {
    await #expect(processExitsWith: .success) {
      let seen = Journal<StructuredLog.Entry>()
      StructuredLog.install { seen.add($0) }
      g_object_unref(nil)
      #expect(seen.entries.map(\.level) == [.critical])
      #expect(seen.entries.map(\.domain) == ["GLib-GObject"])
      #expect(seen.entries.first?.message.contains("g_object_unref") == true)
    }
  }

  @Test func whatIsBelowTheVerbosityIsLeftOut() async {
    await #expect(processExitsWith: .success) {
      let seen = Journal<StructuredLog.Level>()
      StructuredLog.install { seen.add($0.level) }
      for level in [G_LOG_LEVEL_DEBUG, G_LOG_LEVEL_INFO, G_LOG_LEVEL_MESSAGE, G_LOG_LEVEL_WARNING] {
        logAsLibrary(level, "text")
      }
      #expect(seen.entries == [.message, .warning])
    }
  }

  @Test func aSecondInstallationReplacesTheFirst() async {
    await #expect(processExitsWith: .success) {
      let (first, second) = (Journal<String>(), Journal<String>())
      StructuredLog.install { first.add($0.message) }
      logAsLibrary(G_LOG_LEVEL_WARNING, "one")
      StructuredLog.install { second.add($0.message) }
      logAsLibrary(G_LOG_LEVEL_WARNING, "two")
      #expect(first.entries == ["one"])
      #expect(second.entries == ["two"])
    }
  }

  @Test func aFieldWithALengthEndsThere() async {
    await #expect(processExitsWith: .success) {
      let seen = Journal<String>()
      StructuredLog.install { seen.add($0.message) }
      logAsLibrary(G_LOG_LEVEL_WARNING, "shortened", length: 5)
      #expect(seen.entries == ["short"])
    }
  }
}
