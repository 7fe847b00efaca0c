#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Memory in pages of 2 MB, where the system has them and the memory is large. Taking it from the system then costs a
/// fifth, and looking all over it waits less.
enum LargePages {
  private static let size = 2 << 20

  /// As `malloc`: to be given back with `free`, and nil if there is none.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count >= 2 * size else { return malloc(max(count, 1)) }
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, size, count) == 0 else { return nil }
    use(in: memory, count)
    return memory
  }

  /// Asks for large pages in memory that nobody has written to yet.
  static func use(in start: UnsafeRawPointer?, _ count: Int) {
    #if os(Linux)
      guard let start, count >= 2 * size else { return }
      let first = (UInt(bitPattern: start) + UInt(size) - 1) & ~UInt(size - 1)
      let end = (UInt(bitPattern: start) + UInt(count)) & ~UInt(size - 1)
      // It is a wish: whoever has no such pages goes on with small ones.
      if end > first { madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE) }
    #endif
  }
}

extension ContiguousArray {
  /// Makes room for so many elements in all, in large pages if they are many.
  mutating func reserveInLargePages(_ count: Int) {
    reserveCapacity(count)
    let size = count * MemoryLayout<Element>.stride
    withUnsafeMutableBufferPointer { LargePages.use(in: $0.baseAddress, size) }
  }
}

extension UnsafeMutableBufferPointer {
  /// As `allocate(capacity:)`, in large pages if the elements are many.
  static func allocate(inLargePages count: Int) -> Self {
    let memory = Self.allocate(capacity: count)
    LargePages.use(in: memory.baseAddress, count * MemoryLayout<Element>.stride)
    return memory
  }
}
