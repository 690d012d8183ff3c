import Foundation
import WebViewCore

/// The script that runs in each content world that is used: it calls given code and carries values, both ways,
/// as text. Taken at document start, its copies of the built-in functions are the real ones whatever the page
/// does to them later; it never looks anything up on a prototype that the page can reach.
enum PageRuntime {
  /// The runtime's name on each world's global object: not enumerable, not writable, not to be guessed.
  static let key = "w" + RandomID.make().filter { $0 != "-" && $0 != "_" }

  private static let text = core + json + typed + local + messages + bridge
  private static let tokenPlace = "TOKEN-OF-THE-WORLD"

  /// - Parameter token: known to this world's runtime only.
  static func source(token: String) -> String {
    var source = text
    if let place = source.range(of: tokenPlace) { source.replaceSubrange(place, with: token) }
    return source
  }

  /// Shared names and failures. Results are one string, whose first letter tells its kind:
  /// `u` undefined, `d` discarded, `j` JSON, `t` typed, `e` exception, `s` not serializable, `l` too large.
  private static let core = """
    (function () {
    "use strict";
    const G = globalThis, KEY = "\(key)", TOKEN = "\(tokenPlace)";
    if (Object.getOwnPropertyDescriptor(G, KEY)) return;
    const uncurry = Function.prototype.bind.bind(Function.prototype.call);
    const apply = Reflect.apply, construct = Reflect.construct, getProto = Object.getPrototypeOf;
    const setProto = Object.setPrototypeOf, descriptor = Object.getOwnPropertyDescriptor;
    const define = Object.defineProperty, freeze = Object.freeze, keys = Object.keys, isArray = Array.isArray;
    const stringify = JSON.stringify, parse = JSON.parse, tagOf = uncurry(Object.prototype.toString);
    const ObjectProto = Object.prototype, P = Promise, then = uncurry(P.prototype.then), E = Error, T = TypeError;
    const wellFormed = uncurry(String.prototype.toWellFormed), charCode = uncurry(String.prototype.charCodeAt);
    const slice = uncurry(String.prototype.slice), indexOf = uncurry(String.prototype.indexOf);
    const S = String, N = Number, B = BigInt, fromCharCode = String.fromCharCode, create = Object.create;
    const getter = (o, n) => uncurry(descriptor(o, n).get);
    const LIMIT = { __proto__: null }, BAD = { __proto__: null };

    class Refusal { constructor(path, reason) { this.path = path; this.reason = reason; } }
    class TooLarge { constructor(size) { this.size = size; } }
    setProto(Refusal.prototype, null); setProto(TooLarge.prototype, null);
    /* undefined where a proxy refuses to tell. */
    const protoOf = o => { try { return getProto(o); } catch { return undefined; } };
    const isRefusal = e => typeof e === "object" && e !== null && protoOf(e) === Refusal.prototype;
    const isTooLarge = e => typeof e === "object" && e !== null && protoOf(e) === TooLarge.prototype;

    function escapePointer(name) {
      let out = "";
      for (let i = 0; i < name.length; i++) {
        const c = name[i];
        out += c === "~" ? "~0" : c === "/" ? "~1" : c;
      }
      return out;
    }
    /* `link` is the container: {v value, k key in its own container, p that container, d depth}. */
    function refuse(link, key, reason) {
      let path = "";
      for (let l = link, k = key; l; k = l.k, l = l.p) path = "/" + escapePointer(S(k)) + path;
      throw new Refusal(path, reason);
    }
    const MAX_DEPTH = 1000;
    function enter(v, link, key) {
      const d = link ? link.d + 1 : 1;
      if (d > MAX_DEPTH) refuse(link, key, "nested deeper than 1000 levels");
      return { __proto__: null, v, k: key, p: link, d };
    }

    const encoder = new TextEncoder(), encodeText = uncurry(TextEncoder.prototype.encode);
    const encodedLength = getter(getProto(Uint8Array.prototype), "length");
    const byteLength = text => encodedLength(encodeText(encoder, text));
    function checkSize(text, limit) {
      if (text.length * 3 <= limit) return text;
      const size = text.length > limit ? text.length : byteLength(text);
      if (size > limit) throw new TooLarge(size);
      return text;
    }

    function read(o, n) { try { return o[n]; } catch { return undefined; } }
    function safeString(v) {
      try { return typeof v === "symbol" ? apply(symbolText, v, []) : "" + v; }
      catch { return "(a value without text)"; }
    }
    const symbolText = Symbol.prototype.toString;
    /* What a page throws may be of any size; what is told of it is not. */
    const TEXT_LIMIT = 65536;
    const told = text => stringify(wellFormed(text.length > TEXT_LIMIT ? slice(text, 0, TEXT_LIMIT) + "…" : text));
    function failure(e) {
      if (isRefusal(e)) return 's{"path":' + told(e.path) + ',"reason":' + stringify(e.reason) + "}";
      if (isTooLarge(e)) return "l" + e.size;
      const isObject = typeof e === "object" && e !== null;
      const name = isObject ? read(e, "name") : undefined, message = isObject ? read(e, "message") : undefined;
      let out = 'e{"name":' + told(typeof name === "string" ? name : "Error");
      out += ',"message":' + told(typeof message === "string" ? message : safeString(e));
      if (isObject) {
        const line = read(e, "line"), column = read(e, "column"), url = read(e, "sourceURL"), stack = read(e, "stack");
        if (typeof line === "number" && line - line === 0) out += ',"line":' + (line | 0);
        if (typeof column === "number" && column - column === 0) out += ',"column":' + (column | 0);
        if (typeof url === "string" && url) out += ',"sourceURL":' + told(url);
        if (typeof stack === "string" && stack) out += ',"stack":' + told(stack);
      }
      return out + "}";
    }

    /* mode: j, t, d or b */
    function encode(v, mode, limit) {
      if (mode === "d") return "d";
      if (mode === "b") return v ? "jtrue" : "jfalse";
      if (mode === "t") return "t" + checkSize(typedText(v, limit), limit);
      const text = jsonText(v, null, null, limit);
      return text === undefined ? "u" : "j" + checkSize(text, limit);
    }
    /* Calls that did not settle yet. What a page's own code forgot would be collected, and its caller told of
       a failure at the collector's whim; held here it waits as long as its caller does. */
    const held = { __proto__: null };
    let calls = 0;
    async function call(f, mode, limit, args, id) {
      try { return encode(await apply(f, undefined, args), mode, limit); } catch (e) { return failure(e); }
      finally { delete held[id]; }
    }
    /* A call whose code has no `await`: its value is told at once; that of an object is made when WebKit reads
       it, after the jobs that the code queued, as an async function's value is. What turns out to be a promise is
       held under a name of this document's, for `take`. */
    const DOCUMENT = S(Math.random()), PromiseProto = P.prototype;
    function isPromise(v) {
      for (let o = protoOf(v); o; o = protoOf(o)) if (o === PromiseProto) return true;
      return false;
    }
    function now(f, mode, limit, text, isTyped) {
      try {
        const v = apply(f, undefined, text === undefined ? [] : decode(text, isTyped));
        if ((typeof v !== "object" || v === null) && typeof v !== "function") return encode(v, mode, limit);
        const isNative = isPromise(v), then = isNative ? undefined : v.then;
        if (!isNative && typeof then !== "function")
          return { __proto__: null, get r() { try { return encode(v, mode, limit); } catch (e) { return failure(e); } } };
        const id = DOCUMENT + calls++;
        held[id] = awaited(v, then, mode, limit);
        return "p" + id;
      } catch (e) { return failure(e); }
    }
    async function awaited(v, then, mode, limit) {
      try {
        await undefined;
        return encode(await (then ? new P((yes, no) => apply(then, v, [yes, no])) : v), mode, limit);
      } catch (e) { return failure(e); }
    }
    async function take(id) {
      try { return await held[id]; } finally { delete held[id]; }
    }
    /* Arguments in a text: an array, so that its order is that of the function's parameters. */
    function decode(text, isTyped) {
      const list = setProto(parse(text), null);
      if (isTyped) for (let i = 0; i < list.length; i++) list[i] = localValue(list[i]);
      return list;
    }
    function run(f, mode, limit, text, isTyped) {
      let args = [];
      try { if (text !== undefined) args = decode(text, isTyped); } catch (e) { return failure(e); }
      const id = calls++;
      return held[id] = call(f, mode, limit, args, id);
    }

    """

  /// Strict JSON: what JSON cannot hold is refused, with a pointer to it.
  private static let json = """
    const numberValue = uncurry(Number.prototype.valueOf), stringValue = uncurry(String.prototype.valueOf);
    const booleanValue = uncurry(Boolean.prototype.valueOf);
    /* A toJSON that some library put on all objects or arrays says nothing about this value. */
    const ArrayProto = Array.prototype;
    function converter(v) {
      const t = v.toJSON;
      return typeof t === "function" && t !== ObjectProto.toJSON && t !== ArrayProto.toJSON ? t : null;
    }

    /* undefined for undefined at the top and in members, which are left out. */
    function jsonText(v, link, key, limit) {
      switch (typeof v) {
      case "string": return stringify(v);
      case "number":
        if (v - v !== 0) refuse(link, key, v !== v ? "NaN" : v > 0 ? "Infinity" : "-Infinity");
        return "" + v;
      case "boolean": return v ? "true" : "false";
      case "undefined": return undefined;
      case "bigint": return refuse(link, key, "a BigInt");
      case "symbol": return refuse(link, key, "a symbol");
      case "function": return refuse(link, key, "a function");
      }
      if (v === null) return "null";
      for (let l = link; l; l = l.p) if (l.v === v) refuse(link, key, "a cycle");
      const own = enter(v, link, key);
      const convert = converter(v);
      if (isArray(v)) {
        if (convert) return converted(v, convert, link, key, limit);
        const n = v.length;
        let out = "[";
        for (let i = 0; i < n; i++) {
          const item = jsonText(v[i], own, i, limit);
          if (item === undefined) refuse(own, i, "undefined in an array");
          out += i ? "," + item : item;
          if (out.length > limit) throw new TooLarge(out.length);
        }
        return out + "]";
      }
      if (convert) return converted(v, convert, link, key, limit);
      const tag = tagOf(v);
      switch (tag) {
      case "[object Object]": break;
      case "[object Number]": return jsonText(numberValue(v), link, key, limit);
      case "[object String]": return stringify(stringValue(v));
      case "[object Boolean]": return booleanValue(v) ? "true" : "false";
      default: refuse(link, key, "of type " + slice(tag, 8, -1));
      }
      const names = keys(v);
      let out = "{", isFirst = true;
      for (let i = 0; i < names.length; i++) {
        const name = names[i], item = jsonText(v[name], own, name, limit);
        if (item === undefined) continue;
        out += (isFirst ? "" : ",") + stringify(name) + ":" + item;
        isFirst = false;
        if (out.length > limit) throw new TooLarge(out.length);
      }
      return out + "}";
    }
    function converted(v, convert, link, key, limit) {
      const r = apply(convert, v, [key === null ? "" : S(key)]);
      if (r === v) refuse(link, key, "an object whose toJSON returns itself");
      if (typeof r !== "object" || r === null) return jsonText(r, link, key, limit);
      /* As JSON.stringify: the toJSON of what toJSON gave is not called. */
      const own = enter(v, link, key);
      return jsonText(isArray(r) ? plainArray(r) : plainObject(r), own.p, key, limit);
    }
    function plainArray(r) { const a = []; for (let i = 0; i < r.length; i++) define(a, i, value(r[i])); return setProto(a, null); }
    function plainObject(r) {
      const o = create(null), names = keys(r);
      for (let i = 0; i < names.length; i++) if (names[i] !== "toJSON") define(o, names[i], value(r[names[i]]));
      return o;
    }
    const value = v => ({ __proto__: null, value: v, enumerable: true, writable: true, configurable: true });

    """

  /// Installs the runtime, and takes the engine's message handlers in its hands.
  private static let bridge = """
    define(G, KEY, { __proto__: null, value: freeze({ __proto__: null, run, now, take, install }) });
    install();
    })();
    """
}
