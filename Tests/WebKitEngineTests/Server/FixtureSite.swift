import Foundation
import Glibc
import Synchronization

/// A small site on a loopback port, on plain sockets and threads.
final class FixtureSite: Sendable {
  static let shared = Result { try FixtureSite() }

  private let bound = Mutex<UInt16>(0)
  /// Connections of `/held…` that wait until the test lets them go.
  private let held = Mutex<[String: DispatchSemaphore]>([:])
  private let requests = Mutex<[String]>([])

  var port: UInt16 { bound.withLock { $0 } }
  var origin: String { "http://127.0.0.1:\(port)" }
  func url(_ path: String) -> String { origin + path }
  func requestLines() -> [String] { requests.withLock { $0 } }

  private init() throws {
    let listener = try LoopbackListener { [weak self] in self?.serve($0) }
    bound.withLock { $0 = listener.port }
  }

  /// Lets the answer of a `/held…` path go.
  func release(_ path: String) { semaphore(path).signal() }

  private func semaphore(_ path: String) -> DispatchSemaphore {
    held.withLock { held in
      if let known = held[path] { return known }
      let made = DispatchSemaphore(value: 0)
      held[path] = made
      return made
    }
  }

  private func serve(_ connection: Int32) {
    var received: [UInt8] = []
    while let head = LoopbackListener.head(from: connection, &received) {
      requests.withLock { $0.append(head) }
      guard answer(LoopbackListener.path(of: head), head, on: connection) else { return }
    }
  }

  private func answer(_ path: String, _ head: String, on connection: Int32) -> Bool {
    func html(_ body: String, status: String = "200 OK", type: String = "text/html", _ headers: [String] = [])
      -> Bool
    {
      let bytes = Array(body.utf8)
      let lines = ["HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(bytes.count)"] + headers
      return write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes, to: connection)
    }
    let query = path.drop { $0 != "?" }.dropFirst()
    // A proxy is asked for whole URLs.
    let start = path.hasPrefix("http://") ? path.dropFirst(7).drop { $0 != "/" } : path[...]
    switch start.prefix(while: { $0 != "?" }) {
    case "/redirect-to":
      return html(
        "", status: "\(query.prefix(3)) Redirect", ["Location: \(query.dropFirst(4))"])
    case "/asks-for-itself": return html("<iframe src='?\(query)'></iframe><img src='?\(query)'>")
    case "/redirect": return html("", status: "302 Found", ["Location: /a"])
    case "/loop": return html("", status: "302 Found", ["Location: /loop"])
    case "/204": return write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8), to: connection)
    case "/404": return html("<p>not here", status: "404 Not Found")
    case "/401":
      return html("<p>who are you", status: "401 Unauthorized", ["WWW-Authenticate: Basic realm=x"])
    case "/bin": return html("x", type: "application/octet-stream")
    case "/attachment": return html("<p>x", ["Content-Disposition: attachment; filename=x.html"])
    case "/latin1":
      return write(
        Array(
          "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Length: 4\r\n\r\n".utf8)
          + [0x3c, 0x70, 0x3e, 0xe9],
        to: connection)
    case "/meta": return html("<meta http-equiv=refresh content='0;url=/a'>meta")
    case "/script-redirect": return html("<script>location='/a'</script>")
    case "/frames":
      return html("<title>frames</title><iframe src=/a></iframe><iframe src=/script-redirect></iframe>")
    case "/blocked-link": return html("<a id=l href='http://127.0.0.1:9/'>x</a>")
    case "/cookie": return html("<p>c", ["Set-Cookie: a=b; Max-Age=3600; HttpOnly", "Set-Cookie: s=t"])
    case "/modules/m.js": return html("export const x = import.meta.url", type: "text/javascript")
    case "/csp": return html("<title>csp</title><p>csp", ["Content-Security-Policy: default-src 'none'"])
    case "/hostile": return html(Self.hostile)
    case "/asks-for-storage":
      return html(
        """
        <body style=margin:0><button style='width:200px;height:40px' onclick="document.requestStorageAccess()
          .then(() => { document.cookie = 'other=site'; return 'granted' }, e => 'rejected')
          .then(told => parent.postMessage([told, document.cookie], '*'))">x</button>
        """)
    case "/close": return false
    case "/held":
      semaphore(path).wait()
      return html("<title>\(path)</title>held")
    case "/held-body":
      _ = write(
        Array("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3000\r\n\r\n<p>first".utf8)
          + [UInt8](repeating: 32, count: 1500), to: connection)
      semaphore(path).wait()
      return false
    case "/echo": return html(head, type: "text/plain")
    default:
      return html(
        "<!DOCTYPE html><html><head><title>\(path)</title></head><body>page \(path) <a id=l href='/b'>l</a></body></html>"
      )
    }
  }

  /// A page that breaks what scripts usually rely on.
  private static let hostile = """
    <title>hostile</title><script>
    JSON.stringify = () => '"spoofed"'; JSON.parse = () => 'spoofed';
    Object.prototype.toJSON = function () { return 'spoofed' };
    Array.prototype.toJSON = function () { return 'spoofed' };
    Object.keys = () => []; Array.isArray = () => false; Reflect.apply = () => 'spoofed';
    Function.prototype.call = Function.prototype.apply = () => 'spoofed';
    Object.defineProperty(Array.prototype, '0', { set() {}, get() { return 'spoofed' }, configurable: true });
    </script>
    """

  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    LoopbackListener.write(bytes, to: connection)
  }
}
