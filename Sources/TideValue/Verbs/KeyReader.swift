/// Reads the keys of items for a `KeyTable`, some at a time: what a table looks up lies all over memory, and only many
/// waits at once are short.
final class KeyReader {
  static let batch = 32

  private let paths: PathSet
  private var encoder = KeyEncoder()
  /// What the paths lead to in the items that were read last, item by item.
  private(set) var found: [Found]
  /// Their keys, valid until the next are read.
  let keys: UnsafeMutableBufferPointer<KeyTable.Key>
  /// By key: where its bytes begin in the encoder, or -1 if they are the item's own.
  private let encoded: UnsafeMutableBufferPointer<Int>

  /// How many paths make a key.
  let width: Int
  /// How many are looked for in an item.
  var stride: Int { paths.count }

  /// Keys by these paths; without one the items themselves. What `others` lead to is found with them.
  init(_ paths: [Path], and others: [Path] = []) {
    self.paths = PathSet((paths.isEmpty ? [.root] : paths) + others)
    width = max(1, paths.count)
    found = Array(repeating: .nothing, count: self.paths.count * KeyReader.batch)
    keys = .allocate(capacity: KeyReader.batch)
    encoded = .allocate(capacity: KeyReader.batch)
  }

  deinit {
    keys.deallocate()
    encoded.deallocate()
  }

  /// A reader for each of so many inputs: without keys of whole items, with the keys of one input of those for all.
  ///
  /// - Throws: that there are keys for another number of inputs, or of different numbers of paths.
  static func readers(_ keys: [[Path]], for inputs: Int) throws(DataError) -> [KeyReader] {
    guard keys.count <= 1 || keys.count == inputs else {
      throw DataError(.lengths, "\(keys.count) keys for \(inputs) inputs: one for each is expected, or one for all")
    }
    guard let width = keys.first?.count else { return (0..<inputs).map { _ in KeyReader([]) } }
    guard width > 0, keys.allSatisfy({ $0.count == width }) else {
      throw DataError(.lengths, "the keys have different numbers of paths, or none")
    }
    return (0..<inputs).map { KeyReader(keys.count == 1 ? keys[0] : keys[$0]) }
  }

  /// The paths of the key as they read in a message.
  var description: String { paths.paths.prefix(width).map(\.description).joined(separator: ", ") }

  /// Whether the item at this place among those that were read last has null, or nothing, at one of the paths.
  @inline(__always)
  func hasNull(at place: Int) -> Bool {
    for index in place * stride..<place * stride + width where found[index].isNull { return true }
    return false
  }

  /// Reads the keys of up to `batch` items.
  ///
  /// - Throws: that the search for what a path leads to was given up.
  func read(_ range: Range<Int>, of list: ItemList) throws(DataError) {
    encoder.removeAll()
    for (place, item) in range.enumerated() {
      try paths.find(item, in: list, &found, at: place * stride)
      keys[place] = key(at: place)
    }
    if encoder.bytes.count == 0 { return }
    for place in 0..<range.count where encoded[place] >= 0 {
      let start = UnsafePointer(encoder.bytes.start) + encoded[place]
      keys[place].bytes = UnsafeBufferPointer(start: start, count: keys[place].bytes.count)
    }
  }

  @inline(__always)
  private func key(at place: Int) -> KeyTable.Key {
    if width == 1, case .text(let slice, _) = found[place * stride] {
      // The common case: nothing is copied.
      switch slice.form {
      case .text, .plain:
        encoded[place] = -1
        return KeyTable.Key(bytes: slice.content, tag: KeyEncoder.Tag.text, isTransient: false)
      case .number where CanonicalNumber.isCanonical(slice.all):
        encoded[place] = -1
        return KeyTable.Key(bytes: slice.all, tag: KeyEncoder.Tag.number, isTransient: false)
      default: break
      }
    }
    return encode(place)
  }

  /// A key whose bytes are put down in the encoder, and are found there only when all keys are.
  private func encode(_ place: Int) -> KeyTable.Key {
    var start = encoder.bytes.count
    for index in place * stride..<place * stride + width { encoder.append(found[index]) }
    var tag = KeyEncoder.Tag.several
    if width == 1 {
      // A text or a number is known by its tag, as one that is not copied.
      tag = encoder.bytes.start[start]
      start += tag == KeyEncoder.Tag.text || tag == KeyEncoder.Tag.number ? 9 : 1
    }
    encoded[place] = start
    return KeyTable.Key(
      bytes: UnsafeBufferPointer(start: encoder.bytes.start, count: encoder.bytes.count - start), tag: tag,
      isTransient: true)
  }
}
