import CGLib
import GLibBridge
import Testing

@Suite(.timeLimit(.minutes(1))) struct SignalTests {
  private let object = TestObject.make()

  @Test func argumentsOfEveryKindAreRead() throws {
    let other = TestObject.make()
    let bytes = g_bytes_new("abc", 3)
    let specification = g_param_spec_boolean("flag", nil, nil, 0, G_PARAM_READABLE)!
    let pointer = UnsafeMutableRawPointer(bitPattern: 0x10)!
    defer {
      g_object_unref(other)
      g_bytes_unref(bytes)
    }
    let seen = Journal<String>()
    onSignal(object, "everything") {
      (
        emitter: OpaquePointer, text: String, truth: Bool, signed: Int32, unsigned: UInt32, real: Double,
        enumeration: UInt32,
        flags: UInt32, raw: OpaquePointer, boxed: OpaquePointer, object: UnsafeMutablePointer<GObject>,
        specification: OpaquePointer
      ) in
      seen.add("\(text) \(truth) \(signed) \(unsigned) \(real) \(enumeration) \(flags)")
      #expect(emitter == OpaquePointer(self.object))
      #expect(raw.raw == pointer)
      #expect(boxed == bytes)
      #expect(object == other)
      #expect(String(cString: g_param_spec_get_name(specification.cast())) == "flag")
    }
    TestObject.emit(
      "everything", on: object,
      [
        TestObject.value(of: TestObject.fundamental(16)) { g_value_set_string($0, "é🙂") },
        TestObject.value(of: TestObject.fundamental(5)) { g_value_set_boolean($0, 1) },
        TestObject.value(of: TestObject.fundamental(6)) { g_value_set_int($0, -7) },
        TestObject.value(of: TestObject.fundamental(7)) { g_value_set_uint($0, .max) },
        TestObject.value(of: TestObject.fundamental(15)) { g_value_set_double($0, 0.5) },
        TestObject.value(of: g_socket_type_get_type()) {
          g_value_set_enum($0, Int32(G_SOCKET_TYPE_DATAGRAM.rawValue))
        },
        TestObject.value(of: g_tls_certificate_flags_get_type()) { g_value_set_flags($0, 9) },
        TestObject.value(of: TestObject.fundamental(17)) { g_value_set_pointer($0, pointer) },
        TestObject.value(of: g_bytes_get_type()) { g_value_set_boxed($0, UnsafeRawPointer(bytes)) },
        TestObject.value(of: g_object_get_type()) { g_value_set_object($0, other) },
        TestObject.value(of: TestObject.fundamental(19)) { g_value_take_param($0, specification) },
      ])
    #expect(seen.entries == ["é🙂 true -7 4294967295 0.5 2 9"])
    g_object_unref(object)
  }

  @Test func argumentsThatMayBeMissingAreOptional() {
    let seen = Journal<Bool>()
    onSignal(object, "perhaps") {
      (_: OpaquePointer, object: OptionalPointer, boxed: OptionalPointer, raw: OptionalPointer) in
      for argument in [object, boxed, raw] { seen.add(argument.pointer == nil) }
    }
    let types = [g_object_get_type(), g_bytes_get_type(), TestObject.fundamental(17)]
    TestObject.emit("perhaps", on: object, types.map { TestObject.value(of: $0) })
    #expect(seen.entries == [true, true, true])
    g_object_unref(object)
  }

  @Test func aStringThatIsMissingIsEmpty() {
    let seen = Journal<String>()
    onSignal(object, "question") { (_: OpaquePointer, text: String) -> Bool in
      seen.add("<\(text)>")
      return false
    }
    TestObject.emit(
      "question", on: object, [TestObject.value(of: TestObject.fundamental(16))],
      answer: TestObject.fundamental(5))
    #expect(seen.entries == ["<>"])
    g_object_unref(object)
  }

  @Test(arguments: [true, false])
  func aResultGoesBackToTheEmitter(answer: Bool) {
    onSignal(object, "question") { (_: OpaquePointer, text: String) -> Bool in text == "yes?" && answer }
    let question = TestObject.value(of: TestObject.fundamental(16)) { g_value_set_string($0, "yes?") }
    var result = TestObject.emit("question", on: object, [question], answer: TestObject.fundamental(5))
    #expect((g_value_get_boolean(&result) != 0) == answer)
    g_object_unref(object)
  }

  @Test(arguments: [true, false])
  func anObjectOrNoneGoesBackToTheEmitter(isThere: Bool) {
    let made = TestObject.make()
    onSignal(object, "maker") { () -> OpaquePointer? in isThere ? OpaquePointer(made) : nil }
    var result = TestObject.emit("maker", on: object, answer: g_object_get_type())
    #expect(g_value_get_object(&result) == (isThere ? UnsafeMutableRawPointer(made) : nil))
    g_value_unset(&result)
    g_object_unref(made)
    g_object_unref(object)
  }

  @Test func handlersRunInTheOrderTheyWereConnected() {
    let seen = Journal<Int>()
    for number in 0..<3 { onSignal(object, "ping") { seen.add(number) } }
    TestObject.emit("ping", on: object)
    #expect(seen.entries == [0, 1, 2])
    g_object_unref(object)
  }

  @Test func aDisconnectedHandlerIsFreedAndSilent() async throws {
    let (seen, gone) = (Journal<String>(), Arrival<Void>())
    let identifier: gulong
    do {
      let token = Token(gone)
      identifier = onSignal(object, "ping") {
        token.hold()
        seen.add("first")
      }
    }
    onSignal(object, "ping") { seen.add("second") }
    TestObject.emit("ping", on: object)
    g_signal_handler_disconnect(object, identifier)
    try await gone.value
    TestObject.emit("ping", on: object)
    #expect(seen.entries == ["first", "second", "second"])
    g_object_unref(object)
  }

  @Test func theHandlersOfAnObjectGoWithIt() async throws {
    let gone = Arrival<Void>()
    do {
      let token = Token(gone)
      onSignal(object, "ping") { token.hold() }
    }
    g_object_unref(object)
    try await gone.value
  }

  @Test func aHandlerMayDisconnectItselfFromWithin() async throws {
    final class Box {
      var identifier: gulong = 0
    }
    let (box, seen, gone) = (Box(), Journal<String>(), Arrival<Void>())
    do {
      let token = Token(gone)
      box.identifier = onSignal(object, "ping") { [object] in
        g_signal_handler_disconnect(object, box.identifier)
        // What the closure holds is still there.
        token.hold()
        seen.add("once")
      }
    }
    TestObject.emit("ping", on: object)
    try await gone.value
    TestObject.emit("ping", on: object)
    #expect(seen.entries == ["once"])
    g_object_unref(object)
  }

  @Test func aHookSeesTheEmissionsOfEveryObjectOfATypeInUse() {
    #expect(!EmissionHook.add(type: "NoSuchType", signal: "ping") { _, _ in })
    #expect(!EmissionHook.add(type: "WebviewBridgeTestObject", signal: "no-such-signal") { _, _ in })
    let seen = Journal<Bool>()
    let (argument, own) = (TestObject.make(), OpaquePointer(object))
    let expected = OpaquePointer(argument)
    // For the life of the process, so it also sees what other tests emit.
    #expect(
      EmissionHook.add(type: "WebviewBridgeTestObject", signal: "one") { emitter, argument in
        if emitter == own { seen.add(argument == expected) }
      })
    for _ in 0..<2 {
      TestObject.emit(
        "one", on: object, [TestObject.value(of: g_object_get_type()) { g_value_set_object($0, argument) }])
    }
    #expect(seen.entries == [true, true])
    g_object_unref(argument)
    g_object_unref(object)
  }

  @Test func aSignalIsEmittedByItsName() {
    let seen = Journal<Void>()
    onSignal(object, "ping") { seen.add(()) }
    EmissionHook.emit("ping", on: object)
    EmissionHook.emit("no-such-signal", on: object)
    #expect(seen.entries.count == 1)
    g_object_unref(object)
  }
}
