/// Bytes to be written: collected in memory, or handed to a sink 64 KB at a time.
public struct ByteWriter {
  /// Takes the next bytes, which are valid only during the call, and says whether it wants more.
  public typealias Sink = (UnsafeRawBufferPointer) -> Bool

  private static let chunk = 65_536

  /// What was written; with a sink, what it has not got yet.
  public private(set) var bytes: [UInt8]
  /// Whether the sink wants no more. What is written from then on is dropped.
  public private(set) var isStopped = false
  private let sink: Sink?

  /// Collects everything in `bytes`.
  public init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
    sink = nil
  }

  /// Hands everything to `sink`, in pieces of 64 KB or more. Call `flush` at the end.
  public init(sink: @escaping Sink) {
    bytes = []
    bytes.reserveCapacity(ByteWriter.chunk)
    self.sink = sink
  }

  public mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    if sink != nil, bytes.count >= ByteWriter.chunk { flush() }
  }

  public mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  public mutating func append(_ piece: UnsafeRawBufferPointer) {
    if sink != nil {
      if bytes.count + piece.count > ByteWriter.chunk { flush() }
      if piece.count >= ByteWriter.chunk { return give(piece) }
    }
    bytes.append(contentsOf: piece)
  }

  @inline(__always)
  mutating func append(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    append(UnsafeRawBufferPointer(start: start, count: end - start))
  }

  /// Hands what is left to the sink.
  public mutating func flush() {
    guard let sink, !bytes.isEmpty else { return }
    if !isStopped { isStopped = !bytes.withUnsafeBytes { sink($0) } }
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func give(_ piece: UnsafeRawBufferPointer) {
    guard let sink, !isStopped else { return }
    isStopped = !sink(piece)
  }
}
