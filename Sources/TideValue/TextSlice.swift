/// A slice of a buffer that somebody else keeps alive: a value without its reference.
struct TextSlice {
  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// The end of the buffer, up to which memory may be read.
  let limit: UnsafePointer<UInt8>
  let form: Form

  @inline(__always)
  init(start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>, form: Form) {
    self.start = start
    self.end = end
    self.limit = limit
    self.form = form
  }

  @inline(__always)
  init(in base: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, offset: UInt32, length: UInt32, form: Form) {
    start = base + Int(offset)
    self.end = length == .max ? end : start + Int(length)
    limit = end
    self.form = form
  }

  var count: Int { end - start }
  var all: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: end - start) }

  /// What lies between the quotes of a text, or all of a plain one.
  var content: UnsafeBufferPointer<UInt8> {
    form == .plain ? all : UnsafeBufferPointer(start: start + 1, count: end - start - 2)
  }

  /// Calls `body` with the bytes that a text stands for, decoding its escapes if it has any.
  @inline(__always)
  func withDecoded<R, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R {
    guard form == .escapedText else { return try body(content) }
    let decoded = Escapes.decoded(content)
    return try decoded.withUnsafeBufferPointer { (bytes) throws(E) -> R in try body(bytes) }
  }

  /// Whether a text stands for exactly these bytes.
  @inline(__always)
  func decodes(to key: UnsafeBufferPointer<UInt8>) -> Bool {
    form == .escapedText ? Escapes.decoded(content).elementsEqual(key) : content.isSame(as: key)
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inline(__always)
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return Word.same(left, right, count)
  }

  /// How many bytes both start with.
  @inline(__always)
  func shared(with other: UnsafeBufferPointer<UInt8>) -> Int {
    let most = Swift.min(count, other.count)
    guard let left = baseAddress, let right = other.baseAddress else { return 0 }
    var same = 0
    while same + 8 <= most, Word.load(left + same) == Word.load(right + same) { same += 8 }
    while same < most, left[same] == right[same] { same += 1 }
    return same
  }

  /// Order by unsigned bytes, which for UTF-8 is the order of code points.
  func order(against other: UnsafeBufferPointer<UInt8>) -> Int {
    let shared = Swift.min(count, other.count)
    var index = 0
    if let left = baseAddress, let right = other.baseAddress {
      while index + 8 <= shared {
        let a = Word.load(left + index).byteSwapped
        let b = Word.load(right + index).byteSwapped
        if a != b { return a < b ? -1 : 1 }
        index += 8
      }
      while index < shared {
        if left[index] != right[index] { return left[index] < right[index] ? -1 : 1 }
        index += 1
      }
    }
    return count == other.count ? 0 : count < other.count ? -1 : 1
  }
}
