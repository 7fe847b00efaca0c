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
      while let line = lines.next() {
        guard line.name.count == name.utf8.count else { continue }
        if zip(line.name, name.utf8).allSatisfy({ $0.lowercasedASCII == $1.lowercasedASCII }) {
          return text(of: line.value)
        }
      }
      return nil
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
    while position < bytes.count {
      let line = takeLine()
      guard let first = line.first, !first.isBlank, let colon = line.firstIndex(of: 0x3A) else { continue }
      let name = line[..<colon].trimmed
      // A status line has a space before any colon; a name has none (RFC 9112 section 5.1).
      guard !name.isEmpty, !name.contains(where: \.isBlank) else { continue }
      return (name, unfolded(line[(colon + 1)...].trimmed))
    }
    return nil
  }

  /// RFC 9112 section 5.2: a line that begins with a blank goes on with the one before.
  private mutating func unfolded(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard position < bytes.count, bytes[position].isBlank else { return value }
    var whole = Array(value)
    while position < bytes.count, bytes[position].isBlank {
      let more = takeLine().trimmed
      if !whole.isEmpty, !more.isEmpty { whole.append(0x20) }
      whole += more
    }
    return whole[...]
  }

  /// Without its line break.
  private mutating func takeLine() -> ArraySlice<UInt8> {
    let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
    defer { position = end + 1 }
    let line = bytes[position..<end]
    return line.last == 0x0D ? line.dropLast() : line
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else { return [] }
    return self[first...last]
  }
}
