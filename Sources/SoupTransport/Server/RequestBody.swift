import CSoup
import Dispatch
import HTTPModel

/// A request's body as it comes in: bounded. What is compressed is inflated when all of it is there, away from
/// the transport's thread: a small piece may stand for a thousand times its size.
struct RequestBody {
  enum Encoding: Equatable {
    case identity
    case gzip
  }

  struct Problem: Error {
    let problem: HTTPBodyProblem
    init(_ problem: HTTPBodyProblem) { self.problem = problem }
  }

  private let limit: Int
  private let encoding: Encoding
  private var bytes: [UInt8] = []

  /// - Parameter limit: holds before and after inflating.
  init(encoding: Encoding, limit: Int) {
    self.limit = limit
    self.encoding = encoding
  }

  /// nil for one that is not taken.
  static func encoding(named name: String?) -> Encoding? {
    switch name?.lowercased() {
    case nil, "", "identity": .identity
    case "gzip", "x-gzip": .gzip
    default: nil
    }
  }

  mutating func append(_ chunk: UnsafeRawBufferPointer) throws(Problem) {
    guard chunk.count <= limit - bytes.count else { throw Problem(.tooLarge(limit: limit)) }
    bytes.append(contentsOf: chunk)
  }

  /// The whole body, as it was sent.
  mutating func finish() -> Received {
    defer { bytes = [] }
    return Received(bytes: bytes, limit: limit, encoding: encoding)
  }

  struct Received: Sendable {
    let bytes: [UInt8]
    let limit: Int
    let encoding: Encoding

    /// At once where nothing is to be inflated.
    func content() async throws(Problem) -> [UInt8] {
      if encoding == .identity || bytes.isEmpty { return bytes }
      let result = await withCheckedContinuation { continuation in
        Self.queue.async { continuation.resume(returning: inflated()) }
      }
      return try result.get()
    }

    /// One after the other: many bodies that grow keep others of their kind waiting, and nobody else.
    private static let queue = DispatchQueue(label: "inflate")

    private func inflated() -> Result<[UInt8], Problem> {
      let inflater = Inflater()
      var output: [UInt8] = []
      let problem: Problem? = bytes.withUnsafeBytes { input in
        do throws(Problem) { try inflater.inflate(input, limit: limit, into: &output) } catch { return error }
        return nil
      }
      if let problem { return .failure(problem) }
      return inflater.isComplete ? .success(output) : .failure(Problem(.malformedEncoding))
    }
  }
}

/// One gzip stream.
private final class Inflater {
  private enum State {
    case fresh, running, finished
  }
  private let decompressor = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP)!
  private var state = State.fresh

  /// Nothing at all, or a stream to its end.
  var isComplete: Bool { state != .running }

  deinit { g_object_unref(UnsafeMutableRawPointer(decompressor)) }

  func inflate(
    _ chunk: UnsafeRawBufferPointer, limit: Int, into output: inout [UInt8]
  ) throws(RequestBody.Problem) {
    var input = chunk[...]
    while !input.isEmpty {
      // Bytes after the end of the stream.
      guard state != .finished else { throw RequestBody.Problem(.malformedEncoding) }
      state = .running
      let step = convert(UnsafeRawBufferPointer(rebasing: input), into: &output)
      switch step.result {
      case G_CONVERTER_CONVERTED: break
      case G_CONVERTER_FINISHED: state = .finished
      default:
        if step.needsMore { return }
        throw RequestBody.Problem(.malformedEncoding)
      }
      guard output.count <= limit else { throw RequestBody.Problem(.tooLarge(limit: limit)) }
      input = input.dropFirst(step.read)
    }
  }

  private func convert(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) -> (result: GConverterResult, read: Int, needsMore: Bool) {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      var read: gsize = 0
      var written: gsize = 0
      var error: UnsafeMutablePointer<GError>?
      let result = g_converter_convert(
        decompressor, input.baseAddress, gsize(input.count), buffer.baseAddress,
        gsize(buffer.count), G_CONVERTER_NO_FLAGS, &read, &written, &error)
      var needsMore = false
      if let error {
        needsMore = error.pointee.code == Int32(G_IO_ERROR_PARTIAL_INPUT.rawValue)
        g_error_free(error)
      }
      output.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<Int(written)]))
      return (result, Int(read), needsMore)
    }
  }
}
