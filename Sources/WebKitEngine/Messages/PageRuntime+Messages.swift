extension PageRuntime {
  /// Bytes of a message's body.
  static let messageLimit = 16 << 20
  /// Present in a world's message handlers while one of them takes typed bodies.
  static let typedFlag = key + ":typed"

  /// Wraps the engine's postMessage, once it is there: bodies go as text, and what the engine would wait for
  /// without end (functions, symbols, nodes, promises) rejects at once.
  ///
  /// A message is `KEY`, the world's token, a colon, the JSON form's length, a colon, the JSON form and the
  /// typed one.
  static let messages = """
    let isInstalled = false;
    function install() {
      if (isInstalled) return;
      const space = descriptor(G, "webkit");
      if (!space || typeof space.value !== "object" || space.value === null) return;
      const handlersOf = descriptor(getProto(space.value), "messageHandlers");
      if (!handlersOf) return;
      const handlers = apply(handlersOf.get, space.value, []);
      const probe = handlers["\(probeName)"];
      if (!probe) return;
      const proto = getProto(probe), original = descriptor(proto, "postMessage");
      const post = uncurry(original.value);
      const postMessage = { postMessage(body) {
        let text;
        try {
          text = attempt(body, "j");
          text = KEY + TOKEN + ":" + text.length + ":" + text;
          if (handlers["\(typedFlag)"]) text += attempt(body, "t");
        } catch (e) { return rejected(e); }
        return settled(post(this, text));
      } }.postMessage;
      define(proto, "postMessage", { __proto__: null, value: postMessage, writable: true, enumerable: true, configurable: true });
      isInstalled = true;
    }
    const MESSAGE_LIMIT = \(messageLimit);
    function attempt(body, mode) {
      try { return encode(body, mode, MESSAGE_LIMIT); }
      catch (e) { if (isRefusal(e) || isTooLarge(e)) return failure(e); throw e; }
    }
    const rejected = e => new P((_, no) => no(e));
    function settled(promise) {
      return new P((yes, no) => {
        then(promise, reply => {
          try {
            if (typeof reply !== "string" || slice(reply, 0, KEY.length) !== KEY) return yes(reply);
            const kind = reply[KEY.length], text = slice(reply, KEY.length + 1);
            yes(kind === "j" ? parse(text) : kind === "t" ? localValue(parse(text)) : undefined);
          } catch (e) { no(e); }
        }, error => {
          const message = S(read(error, "message")), colon = indexOf(message, ": ");
          const failed = new E(message);
          if (colon > 0) define(failed, "code", value(slice(message, 0, colon)));
          no(failed);
        });
      });
    }

    """

  /// A handler by which the runtime finds the engine's prototype; it takes no messages.
  static let probeName = key + ":probe"
}
