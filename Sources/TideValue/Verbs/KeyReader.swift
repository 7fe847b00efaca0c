/// Reads the keys of items for a `KeyTable`.
final class KeyReader {
  private let paths: PathSet
  private var encoder = KeyEncoder()
  /// What the paths lead to in the item that was read last.
  private(set) var found: [Found]

  /// Keys by these paths; without one the items themselves.
  init(_ paths: [Path]) {
    self.paths = PathSet(paths.isEmpty ? [.root] : paths)
    found = self.paths.places
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

  /// The paths as they read in a message.
  var description: String { paths.paths.map(\.description).joined(separator: ", ") }

  /// Whether the item that was read last has null, or nothing, at one of the paths.
  var hasNull: Bool { found.contains { $0.isNull } }

  /// Reads the key of an item. Its bytes are valid until the next one is read.
  @inline(__always)
  func read(_ item: Int, of list: ItemList) -> KeyTable.Key {
    paths.find(item, in: list, &found)
    if found.count == 1, case .text(let slice, _) = found[0] {
      // The common case: nothing is copied.
      switch slice.form {
      case .text, .plain: return KeyTable.Key(bytes: slice.content, tag: KeyEncoder.Tag.text, isTransient: false)
      case .number where CanonicalNumber.isCanonical(slice.all):
        return KeyTable.Key(bytes: slice.all, tag: KeyEncoder.Tag.number, isTransient: false)
      default: break
      }
    }
    return encoded()
  }

  private func encoded() -> KeyTable.Key {
    encoder.removeAll()
    for part in found { encoder.append(part) }
    var tag = KeyEncoder.Tag.several
    var skip = 0
    if found.count == 1 {
      // A text or a number is known by its tag, as one that is not copied.
      tag = encoder.bytes.first ?? KeyEncoder.Tag.null
      skip = tag == KeyEncoder.Tag.text || tag == KeyEncoder.Tag.number ? 9 : 1
    }
    return encoder.bytes.withUnsafeBufferPointer { bytes in
      KeyTable.Key(bytes: UnsafeBufferPointer(rebasing: bytes[skip...]), tag: tag, isTransient: true)
    }
  }
}
