import TideValue

/// A step into a JSON text.
enum JSONStep: Hashable, Sendable {
  case key(String)
  /// From 0.
  case item(Int)
}

/// Finds where in a text a value stands. The text is known to be JSON; only errors ask, so nothing is kept.
struct JSONPlace {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// The bytes of the value that a path leads to, or of the key that leads to it; nil if there is no such place.
  static func span(of path: [JSONStep], asKey: Bool, in buffer: Buffer) -> Range<Int>? {
    defer { withExtendedLifetime(buffer) {} }
    var place = JSONPlace(bytes: buffer.bytes)
    if buffer.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place.position = 3 }
    var key: Range<Int>?
    for step in path {
      switch step {
      case .item(let index):
        guard place.enter(item: index) else { return nil }
      case .key(let name):
        guard let found = place.enter(field: name) else { return nil }
        key = found
      }
    }
    return asKey ? key : place.value()
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func enter(item index: Int) -> Bool {
    guard take("[") else { return false }
    for _ in 0..<index {
      _ = value()
      guard take(",") else { return false }
    }
    skipSpace()
    return true
  }

  /// Goes to the last field of this name, the one that counts; gives where its key stands.
  private mutating func enter(field name: String) -> Range<Int>? {
    guard take("{") else { return nil }
    var found: (key: Range<Int>, value: Int)?
    repeat {
      guard let key = value(), take(":") else { break }
      skipSpace()
      let text = try? Value.parse(Buffer(copying: bytes[key])).string
      if text?.isIdentical(to: name) == true { found = (key, position) }
      _ = value()
    } while take(",")
    guard let found else { return nil }
    position = found.value
    return found.key
  }

  /// Goes over the value that comes next; gives where it stands.
  private mutating func value() -> Range<Int>? {
    skipSpace()
    let start = position
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      if depth == 0, position > start, ",:]} \t\r\n".utf8.contains(byte) { break }
      if depth == 0, position == start, ",:]}".utf8.contains(byte) { break }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): skipText()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: continue
      }
      if depth == 0 { break }
    }
    return start < position ? start..<position : nil
  }

  private mutating func skipText() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }
}
