/// Different keys, numbered in the order in which they were seen first.
///
/// Open addressing over plain memory. Hashes are seeded in each process, so that nobody can choose keys that collide;
/// no result depends on them.
final class KeyTable {
  /// A key as bytes that are the same for all equal values, and its kind.
  struct Key {
    var bytes: UnsafeBufferPointer<UInt8>
    var tag: UInt8
    /// Whether the bytes lie where the next key will overwrite them.
    var isTransient: Bool
  }

  private struct Entry {
    /// The bytes of a short key, or where those of another lie.
    var word: UInt64
    var length: UInt32
    var tag: UInt8

    var start: UnsafePointer<UInt8>? { UnsafePointer(bitPattern: UInt(word)) }
    var isShort: Bool { length <= 8 }
  }

  private(set) var count = 0
  /// In the upper half the hash, in the lower the number of the key plus 1; 0 is free.
  private var slots: UnsafeMutableBufferPointer<UInt64>
  private var entries: UnsafeMutableBufferPointer<Entry>
  private let arena = Arena()
  private let hashes: UnsafeMutableBufferPointer<UInt32>
  private let touched: UnsafeMutableBufferPointer<UInt64>
  private let numbers: UnsafeMutableBufferPointer<Int>
  /// Keeps the reading of bytes ahead from being left out.
  private var seen: UInt8 = 0

  /// A table for about so many keys; it grows.
  init(expecting: Int) {
    let size = 1 << max(4, Int.bitWidth - (min(max(expecting, 8), 1 << 20) - 1).leadingZeroBitCount + 1)
    slots = .allocate(inLargePages: size)
    slots.initialize(repeating: 0)
    entries = .allocate(inLargePages: size / 2)
    hashes = .allocate(capacity: KeyReader.batch)
    touched = .allocate(capacity: KeyReader.batch)
    numbers = .allocate(capacity: KeyReader.batch)
  }

  deinit {
    slots.deallocate()
    entries.deallocate()
    hashes.deallocate()
    touched.deallocate()
    numbers.deallocate()
  }

  /// The number of a key, which is added if it is new: then its number is the `count` from before.
  func number(of key: Key) -> Int { number(of: key, KeyTable.hash(key)) }

  /// Calls `body` with each item, its place among those that `reader` has read last, and the number of its key; no
  /// number if one of its parts is null and `skippingNulls`. A key that is new has the `count` from before as its number.
  @inline(__always)
  func forEach(
    _ list: ItemList, _ reader: KeyReader, skippingNulls: Bool = false,
    _ body: (_ item: Int, _ place: Int, _ number: Int?) throws(DataError) -> Void
  ) throws(DataError) {
    var start = 0
    while start < list.count {
      let range = start..<min(start + KeyReader.batch, list.count)
      try reader.read(range, of: list)
      prepare(reader.keys, range.count)
      for (place, item) in range.enumerated() {
        if skippingNulls, reader.hasNull(at: place) {
          try body(item, place, nil)
        } else {
          try body(item, place, number(of: reader.keys[place], hashes[place]))
        }
      }
      start = range.upperBound
    }
  }

  /// Calls `body` for some items at a time, which `reader` has read, with the number of the key of each.
  @inline(__always)
  func forEachBatch(
    _ list: ItemList, _ reader: KeyReader,
    _ body: (_ range: Range<Int>, _ numbers: UnsafeMutableBufferPointer<Int>) throws(DataError) -> Void
  ) throws(DataError) {
    var start = 0
    while start < list.count {
      let range = start..<min(start + KeyReader.batch, list.count)
      try reader.read(range, of: list)
      prepare(reader.keys, range.count)
      for place in 0..<range.count { numbers[place] = number(of: reader.keys[place], hashes[place]) }
      try body(range, numbers)
      start = range.upperBound
    }
  }

  /// Hashes keys, and reads what looking them up will read, so that it is in the cache: first all slots, then all
  /// entries, then all bytes.
  private func prepare(_ keys: UnsafeMutableBufferPointer<Key>, _ count: Int) {
    let mask = slots.count - 1
    for place in 0..<count { hashes[place] = KeyTable.hash(keys[place]) }
    for place in 0..<count { touched[place] = slots[Int(hashes[place]) & mask] }
    for place in 0..<count where touched[place] != 0 {
      let entry = entries[Int(touched[place] & 0xFFFF_FFFF) - 1]
      touched[place] = entry.isShort ? 0 : entry.word
    }
    for place in 0..<count {
      guard let bytes = UnsafePointer<UInt8>(bitPattern: UInt(touched[place])) else { continue }
      seen &+= bytes.pointee
    }
  }

  @inline(__always)
  private func number(of key: Key, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    let isShort = key.bytes.count <= 8
    let word = isShort ? Word.short(key.bytes) : 0
    var place = Int(hash) & mask
    while true {
      let slot = slots[place]
      if slot == 0 { return add(key, hash, at: place) }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let number = Int(slot & 0xFFFF_FFFF) - 1
        let entry = entries[number]
        if entry.tag == key.tag, Int(entry.length) == key.bytes.count,
          isShort
            ? entry.word == word
            : UnsafeBufferPointer(start: entry.start, count: key.bytes.count).isSame(as: key.bytes)
        {
          return number
        }
      }
      place = (place + 1) & mask
    }
  }

  @inline(__always)
  private static func hash(_ key: Key) -> UInt32 {
    var hasher = Hasher()
    if key.bytes.count <= 8 {
      hasher.combine(Word.short(key.bytes))
      hasher.combine(UInt64(key.tag) << 8 | UInt64(key.bytes.count))
    } else {
      hasher.combine(key.tag)
      hasher.combine(bytes: UnsafeRawBufferPointer(key.bytes))
    }
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  private func add(_ key: Key, _ hash: UInt32, at place: Int) -> Int {
    var word = UInt64(0)
    if key.bytes.count <= 8 {
      word = Word.short(key.bytes)
    } else {
      let bytes = key.isTransient ? arena.keep(key.bytes) : key.bytes
      word = UInt64(UInt(bitPattern: bytes.baseAddress))
    }
    entries.initializeElement(
      at: count, to: Entry(word: word, length: UInt32(clamping: key.bytes.count), tag: key.tag))
    count += 1
    slots[place] = UInt64(hash) << 32 | UInt64(count)
    if count == entries.count { grow() }
    return count - 1
  }

  private func grow() {
    let larger = UnsafeMutableBufferPointer<UInt64>.allocate(inLargePages: slots.count * 2)
    larger.initialize(repeating: 0)
    let mask = larger.count - 1
    for slot in slots where slot != 0 {
      var place = Int(slot >> 32) & mask
      while larger[place] != 0 { place = (place + 1) & mask }
      larger[place] = slot
    }
    let more = UnsafeMutableBufferPointer<Entry>.allocate(inLargePages: entries.count * 2)
    _ = more.moveInitialize(fromContentsOf: entries)
    slots.deallocate()
    entries.deallocate()
    slots = larger
    entries = more
  }
}
