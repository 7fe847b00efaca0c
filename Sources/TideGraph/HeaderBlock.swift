/// The headers of a response: a list, or the bytes that a server sent, which are read only if somebody looks.
public struct HeaderBlock: Sendable {
  private enum Storage {
    case list([NamedText])
    case raw([UInt8])
  }

  private let storage: Storage

  public init(_ list: [NamedText]) {
    storage = .list(list)
  }

  /// The lines of a message's head as they came (RFC 9112 sections 2 and 5), each with its line break. The status line
  /// and the empty line may be among them; a line that is no header is left out.
  public init(raw: [UInt8]) {
    storage = .raw(raw)
  }

  /// All of them in the order in which they came, repeats kept, folded lines joined by a space.
  public var list: [NamedText] {
    switch storage {
    case .list(let list): return list
    case .raw(let bytes):
      var list: [NamedText] = []
      var lines = HeaderLines(bytes)
      while let line = lines.next() { list.append(NamedText(text(of: line.name), text(of: line.value))) }
      return list
    }
  }

  /// The first value under this name, ASCII case aside (RFC 9110 section 5.1).
  public func first(named name: String) -> String? {
    switch storage {
    case .list(let list): return list.first(named: name)
    case .raw(let bytes):
      var lines = HeaderLines(bytes)
      guard let value = lines.first(named: Array(name.utf8)) else { return nil }
      return text(of: value)
    }
  }

  /// RFC 9110 section 5.5: what is not UTF-8 is read as Latin-1, as such fields once were.
  private func text(of bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

/// Reads the fields of a head one after the other.
private struct HeaderLines {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    while let line = takeLine() {
      guard let colon = colon(in: line) else { continue }
      return (bytes[line.lowerBound..<colon], unfolded(trimmed(colon + 1..<line.upperBound)))
    }
    return nil
  }

  /// The value of the first field of this name.
  mutating func first(named name: [UInt8]) -> ArraySlice<UInt8>? {
    while let line = takeLine() {
      let end = line.lowerBound + name.count
      guard end < line.upperBound, bytes[end] == 0x3A, begins(at: line.lowerBound, name) else { continue }
      return unfolded(trimmed(end + 1..<line.upperBound))
    }
    return nil
  }

  private func begins(at start: Int, _ name: [UInt8]) -> Bool {
    for index in name.indices where bytes[start + index].lowercasedASCII != name[index].lowercasedASCII { return false }
    return !name.isEmpty
  }

  /// A name has no blank in it (RFC 9112 section 5.1), so a status line, an empty and a folded one have none of it.
  private func colon(in line: Range<Int>) -> Int? {
    var index = line.lowerBound
    while index < line.upperBound, bytes[index] != 0x3A {
      if bytes[index].isBlank { return nil }
      index += 1
    }
    return index < line.upperBound && index > line.lowerBound ? index : nil
  }

  /// RFC 9112 section 5.2: a line that begins with a blank goes on with the one before.
  private mutating func unfolded(_ value: Range<Int>) -> ArraySlice<UInt8> {
    guard position < bytes.count, bytes[position].isBlank else { return bytes[value] }
    var whole = Array(bytes[value])
    while position < bytes.count, bytes[position].isBlank, let line = takeLine() {
      let more = bytes[trimmed(line)]
      if !whole.isEmpty, !more.isEmpty { whole.append(0x20) }
      whole += more
    }
    return whole[...]
  }

  /// The next line without its break.
  private mutating func takeLine() -> Range<Int>? {
    let start = position
    guard start < bytes.count else { return nil }
    while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    var end = position
    position += 1
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isBlank { start += 1 }
    while start < end, bytes[end - 1].isBlank { end -= 1 }
    return start..<end
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
