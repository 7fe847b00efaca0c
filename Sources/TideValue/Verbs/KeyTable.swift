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
    var start: UnsafePointer<UInt8>?
    var length: UInt32
    var tag: UInt8
  }

  private(set) var count = 0
  /// In the upper half the hash, in the lower the number of the key plus 1; 0 is free.
  private var slots: UnsafeMutableBufferPointer<UInt64>
  private var entries: UnsafeMutableBufferPointer<Entry>
  private let arena = Arena()

  /// A table for about so many keys; it grows.
  init(expecting: Int) {
    let size = 1 << max(4, Int.bitWidth - (min(max(expecting, 8), 1 << 20) - 1).leadingZeroBitCount + 1)
    slots = .allocate(capacity: size)
    slots.initialize(repeating: 0)
    entries = .allocate(capacity: size / 2)
  }

  deinit {
    slots.deallocate()
    entries.deallocate()
  }

  /// The number of a key, which is added if it is new: then its number is the `count` from before.
  @inline(__always)
  func number(of key: Key) -> Int {
    let hash = KeyTable.hash(key)
    let mask = slots.count - 1
    var place = Int(hash) & mask
    while true {
      let slot = slots[place]
      if slot == 0 { return add(key, hash, at: place) }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let number = Int(slot & 0xFFFF_FFFF) - 1
        let entry = entries[number]
        if entry.tag == key.tag, Int(entry.length) == key.bytes.count,
          UnsafeBufferPointer(start: entry.start, count: key.bytes.count).isSame(as: key.bytes)
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
    hasher.combine(key.tag)
    hasher.combine(bytes: UnsafeRawBufferPointer(key.bytes))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  private func add(_ key: Key, _ hash: UInt32, at place: Int) -> Int {
    let bytes = key.isTransient ? arena.keep(key.bytes) : key.bytes
    entries.initializeElement(
      at: count, to: Entry(start: bytes.baseAddress, length: UInt32(clamping: bytes.count), tag: key.tag))
    count += 1
    slots[place] = UInt64(hash) << 32 | UInt64(count)
    if count == entries.count { grow() }
    return count - 1
  }

  private func grow() {
    let larger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: slots.count * 2)
    larger.initialize(repeating: 0)
    let mask = larger.count - 1
    for slot in slots where slot != 0 {
      var place = Int(slot >> 32) & mask
      while larger[place] != 0 { place = (place + 1) & mask }
      larger[place] = slot
    }
    let more = UnsafeMutableBufferPointer<Entry>.allocate(capacity: entries.count * 2)
    _ = more.moveInitialize(fromContentsOf: entries)
    slots.deallocate()
    entries.deallocate()
    slots = larger
    entries = more
  }
}
