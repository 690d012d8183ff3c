extension PageRuntime {
  /// Values as WebDriver BiDi RemoteValues, with buffers' bytes in `valueBase64` and errors' parts in `value`.
  static let typed = """
    const brand = (g) => (v) => { try { g(v); return true; } catch { return false; } };
    const isMap = brand(getter(Map.prototype, "size")), isSet = brand(getter(Set.prototype, "size"));
    const eachMap = uncurry(Map.prototype.forEach), eachSet = uncurry(Set.prototype.forEach);
    const mapGet = uncurry(Map.prototype.get), mapSet = uncurry(Map.prototype.set), M = Map;
    const setAdd = uncurry(Set.prototype.add), ST = Set, D = Date, R = RegExp;
    const dateValue = uncurry(Date.prototype.getTime), isDate = brand(dateValue), isoDate = uncurry(Date.prototype.toISOString);
    const source = getter(RegExp.prototype, "source"), flags = getter(RegExp.prototype, "flags");
    const isRegExp = v => { try { const k = hasIndices(v); return k !== undefined && v !== R.prototype; } catch { return false; } };
    const hasIndices = getter(RegExp.prototype, "global");
    const bufferLength = getter(ArrayBuffer.prototype, "byteLength"), isBuffer = brand(bufferLength);
    const TA = getProto(Uint8Array), isView = ArrayBuffer.isView, U8 = Uint8Array;
    const viewBuffer = getter(TA.prototype, "buffer"), viewOffset = getter(TA.prototype, "byteOffset");
    const viewLength = getter(TA.prototype, "byteLength"), viewTag = getter(TA.prototype, Symbol.toStringTag);
    const dataBuffer = getter(DataView.prototype, "buffer"), dataOffset = getter(DataView.prototype, "byteOffset");
    const dataLength = getter(DataView.prototype, "byteLength");
    const isWeakMap = brand(v => weakMapHas(v, v)), isWeakSet = brand(v => weakSetHas(v, v));
    const weakMapHas = uncurry(WeakMap.prototype.has), weakSetHas = uncurry(WeakSet.prototype.has);
    const hasDOM = typeof Node === "function";
    const nodeType = hasDOM ? getter(Node.prototype, "nodeType") : null;
    const nodeValue = hasDOM ? getter(Node.prototype, "nodeValue") : null;
    const childNodes = hasDOM ? getter(Node.prototype, "childNodes") : null;
    const listLength = hasDOM ? getter(NodeList.prototype, "length") : null;
    const listItem = hasDOM ? uncurry(NodeList.prototype.item) : null;
    const collectionLength = hasDOM ? getter(HTMLCollection.prototype, "length") : null;
    const collectionItem = hasDOM ? uncurry(HTMLCollection.prototype.item) : null;
    const localName = hasDOM ? getter(Element.prototype, "localName") : null;
    const namespaceURI = hasDOM ? getter(Element.prototype, "namespaceURI") : null;
    const attributeNames = hasDOM ? uncurry(Element.prototype.getAttributeNames) : null;
    const attribute = hasDOM ? uncurry(Element.prototype.getAttribute) : null;
    const isNode = hasDOM ? brand(nodeType) : () => false;
    const isNodeList = hasDOM ? brand(listLength) : () => false;
    const isCollection = hasDOM ? brand(collectionLength) : () => false;
    const isWindow = v => { try { return v.window === v && v.self === v; } catch { return false; } };

    const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    function base64(bytes) {
      const n = bytes.length, rest = n % 3;
      let out = "", i = 0;
      for (; i < n - rest; i += 3) {
        const b = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
        out += DIGITS[b >> 18] + DIGITS[b >> 12 & 63] + DIGITS[b >> 6 & 63] + DIGITS[b & 63];
      }
      if (rest === 1) out += DIGITS[bytes[i] >> 2] + DIGITS[(bytes[i] & 3) << 4] + "==";
      if (rest === 2) out += DIGITS[bytes[i] >> 2] + DIGITS[(bytes[i] & 3) << 4 | bytes[i + 1] >> 4] + DIGITS[(bytes[i + 1] & 15) << 2] + "=";
      return out;
    }

    function typedText(root, limit) {
      const parts = setProto([], null), seen = new M();
      let n = 0, size = 0, ids = 0;
      const emit = s => { parts[n++] = s; size += s.length; if (size > limit) throw new TooLarge(size); };
      const open = (v, type) => {
        const known = mapGet(seen, v);
        if (known) {
          if (!known.id) { known.id = ++ids; parts[known.at] = ',"internalId":"' + known.id + '"'; }
          emit('{"type":"' + type + '","internalId":"' + known.id + '"}');
          return false;
        }
        emit('{"type":"' + type + '"');
        mapSet(seen, v, { __proto__: null, at: n, id: 0 });
        emit("");
        return true;
      };
      const simple = (v, type, rest) => { if (open(v, type)) emit((rest || "") + "}"); };
      const view = (buffer, offset, length) => base64(construct(U8, [buffer, offset, length]));
      const list = (v, type, length, item, link, key) => {
        if (!open(v, type)) return;
        const own = enter(v, link, key), count = length(v);
        emit(',"value":[');
        for (let i = 0; i < count; i++) { if (i) emit(","); walk(item(v, i), own, i); }
        emit("]}");
      };
      function walk(v, link, key) {
        switch (typeof v) {
        case "undefined": return emit('{"type":"undefined"}');
        case "string": return emit('{"type":"string","value":' + stringify(v) + "}");
        case "boolean": return emit('{"type":"boolean","value":' + v + "}");
        case "bigint": return emit('{"type":"bigint","value":"' + v + '"}');
        case "number":
          if (v !== v) return emit('{"type":"number","value":"NaN"}');
          if (v - v !== 0) return emit('{"type":"number","value":"' + (v > 0 ? "" : "-") + 'Infinity"}');
          return emit('{"type":"number","value":' + (v === 0 && 1 / v < 0 ? '"-0"' : v) + "}");
        case "symbol": return emit('{"type":"symbol"}');
        case "function": return simple(v, "function");
        }
        if (v === null) return emit('{"type":"null"}');
        if (isArray(v)) return list(v, "array", a => a.length, (a, i) => a[i], link, key);
        const proto = read0(v);
        if (proto !== ObjectProto && proto !== null) {
          if (isMap(v)) {
            if (!open(v, "map")) return;
            const own = enter(v, link, key);
            let i = 0;
            emit(',"value":[');
            eachMap(v, (item, k) => {
              emit(i ? ",[" : "[");
              if (typeof k === "string") emit(stringify(k)); else walk(k, own, i);
              emit(",");
              walk(item, own, i++);
              emit("]");
            });
            return emit("]}");
          }
          if (isSet(v)) {
            if (!open(v, "set")) return;
            const own = enter(v, link, key);
            let i = 0;
            emit(',"value":[');
            eachSet(v, item => { if (i) emit(","); walk(item, own, i++); });
            return emit("]}");
          }
          if (isDate(v)) {
            const time = dateValue(v);
            return simple(v, "date", ',"value":' + (time === time ? '"' + isoDate(v) + '"' : '"Invalid Date"'));
          }
          if (isRegExp(v)) return simple(v, "regexp", ',"value":{"pattern":' + stringify(source(v)) + ',"flags":"' + flags(v) + '"}');
          if (isView(v)) {
            const tag = viewTag(v);
            const bytes = tag ? view(viewBuffer(v), viewOffset(v), viewLength(v)) : view(dataBuffer(v), dataOffset(v), dataLength(v));
            return simple(v, "typedarray", ',"arrayType":"' + (tag || "DataView") + '","valueBase64":"' + bytes + '"');
          }
          if (isBuffer(v)) return simple(v, "arraybuffer", ',"valueBase64":"' + view(v, 0, bufferLength(v)) + '"');
          if (isNode(v)) return node(v);
          if (isNodeList(v)) return list(v, "nodelist", listLength, listItem, link, key);
          if (isCollection(v)) return list(v, "htmlcollection", collectionLength, collectionItem, link, key);
          if (isWindow(v)) return simple(v, "window", ',"value":{}');
          if (isWeakMap(v)) return simple(v, "weakmap");
          if (isWeakSet(v)) return simple(v, "weakset");
          const tag = tagOf(v);
          if (tag === "[object Error]" || tag === "[object DOMException]") {
            const part = name => { const t = read(v, name); return stringify(typeof t === "string" ? wellFormed(t) : ""); };
            return simple(v, "error", ',"value":{"name":' + part("name") + ',"message":' + part("message") + ',"stack":' + part("stack") + "}");
          }
          if (tag === "[object Promise]") return simple(v, "promise");
          if (tag === "[object Generator]" || tag === "[object AsyncGenerator]") return simple(v, "generator");
        }
        if (!open(v, "object")) return;
        const own = enter(v, link, key), names = keys(v);
        emit(',"value":[');
        for (let i = 0; i < names.length; i++) {
          emit((i ? ",[" : "[") + stringify(names[i]) + ",");
          walk(v[names[i]], own, names[i]);
          emit("]");
        }
        emit("]}");
      }
      const read0 = v => { try { return getProto(v); } catch { return null; } };
      function node(v) {
        const type = nodeType(v);
        let rest = ',"value":{"nodeType":' + type + ',"childNodeCount":' + listLength(childNodes(v));
        const text = nodeValue(v);
        if (typeof text === "string") rest += ',"nodeValue":' + stringify(text);
        if (type === 1) {
          rest += ',"localName":' + stringify(localName(v)) + ',"namespaceURI":' + stringify(namespaceURI(v)) + ',"attributes":{';
          const names = attributeNames(v);
          for (let i = 0; i < names.length; i++) rest += (i ? "," : "") + stringify(names[i]) + ":" + stringify(attribute(v, names[i]));
          rest += "}";
        }
        simple(v, "node", rest + "}");
      }
      walk(root, null, null);
      let out = "";
      for (let i = 0; i < n; i++) out += parts[i];
      return out;
    }

    """

  /// WebDriver BiDi LocalValues to JavaScript values: typed arguments and replies.
  static let local = """
    const has = uncurry(Object.prototype.hasOwnProperty);
    function bytesOf(text) {
      let n = text.length;
      while (n && text[n - 1] === "=") n--;
      const bytes = construct(U8, [n * 6 >> 3]);
      let bits = 0, held = 0, at = 0;
      for (let i = 0; i < n; i++) {
        const d = indexOf(DIGITS, text[i]);
        if (d < 0) throw new T("valueBase64 is not base64");
        held = held << 6 | d; bits += 6;
        if (bits >= 8) { bits -= 8; bytes[at++] = held >> bits & 255; held &= (1 << bits) - 1; }
      }
      return bytes;
    }
    const arrays = { __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
      Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView };
    function localValue(v) {
      if (typeof v !== "object" || v === null || !has(v, "type")) throw new T("a typed value is an object with a type");
      const type = v.type, value0 = has(v, "value") ? v.value : undefined;
      const items = () => { if (!isArray(value0)) throw new T("a typed " + S(type) + " has an array as its value"); return setProto(value0, null); };
      const pair = (p) => { if (!isArray(p) || p.length !== 2) throw new T("a typed " + S(type) + " holds pairs"); return setProto(p, null); };
      const text = () => { if (typeof value0 !== "string") throw new T("a typed " + S(type) + " has a string as its value"); return value0; };
      switch (type) {
      case "undefined": return undefined;
      case "null": return null;
      case "string": return text();
      case "boolean": if (typeof value0 !== "boolean") throw new T("a typed boolean has true or false as its value"); return value0;
      case "number":
        if (typeof value0 === "number") return value0;
        if (value0 === "NaN") return NaN;
        if (value0 === "-0") return -0;
        if (value0 === "Infinity") return Infinity;
        if (value0 === "-Infinity") return -Infinity;
        throw new T('a typed number has a number, or "NaN", "-0", "Infinity", "-Infinity", as its value');
      case "bigint": return B(text());
      case "array": {
        const list = items(), out = [];
        for (let i = 0; i < list.length; i++) define(out, i, value(localValue(list[i])));
        return out;
      }
      case "object": {
        const list = items(), out = {};
        for (let i = 0; i < list.length; i++) {
          const p = pair(list[i]);
          define(out, typeof p[0] === "string" ? p[0] : S(localValue(p[0])), value(localValue(p[1])));
        }
        return out;
      }
      case "map": {
        const list = items(), out = new M();
        for (let i = 0; i < list.length; i++) {
          const p = pair(list[i]);
          mapSet(out, typeof p[0] === "string" ? p[0] : localValue(p[0]), localValue(p[1]));
        }
        return out;
      }
      case "set": {
        const list = items(), out = new ST();
        for (let i = 0; i < list.length; i++) setAdd(out, localValue(list[i]));
        return out;
      }
      case "date": return new D(text());
      case "regexp": {
        if (typeof value0 !== "object" || value0 === null || !has(value0, "pattern")) throw new T("a typed regexp has {pattern, flags} as its value");
        return new R(value0.pattern, has(value0, "flags") ? value0.flags : "");
      }
      case "arraybuffer": case "typedarray": {
        if (!has(v, "valueBase64") || typeof v.valueBase64 !== "string") throw new T("a typed buffer has valueBase64");
        const bytes = bytesOf(v.valueBase64);
        if (type === "arraybuffer") return viewBuffer(bytes);
        const name = has(v, "arrayType") ? v.arrayType : "Uint8Array";
        if (!arrays[name]) throw new T("arrayType is the name of a typed array");
        return construct(arrays[name], [viewBuffer(bytes)]);
      }
      }
      throw new T("unknown type of a typed value: " + S(type));
    }

    """
}
