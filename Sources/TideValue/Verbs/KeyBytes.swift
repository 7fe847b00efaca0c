/// Bytes that are being put together, at an address that stays until more are added.
struct KeyBytes: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity = 256

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    start[count] = byte
    count += 1
  }

  /// A size in eight bytes.
  @inline(__always)
  mutating func append(size: Int) {
    if capacity - count < 8 { grow(8) }
    set(size, at: count)
    count += 8
  }

  @inline(__always)
  func set(_ size: Int, at place: Int) {
    UnsafeMutableRawPointer(start + place).storeBytes(of: UInt64(size).littleEndian, as: UInt64.self)
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(bytes.count) }
    (start + count).update(from: base, count: bytes.count)
    count += bytes.count
  }

  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
