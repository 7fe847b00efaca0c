#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Bytes that never change, shared by every value that is a slice of them.
///
/// Any thread may read a buffer; nothing writes to it after `init`.
public final class Buffer: @unchecked Sendable {
  let start: UnsafePointer<UInt8>
  /// How many bytes there are.
  public let count: Int
  /// The lists and objects whose ends are known.
  let large: LargeTexts?
  /// The buffer whose bytes these are, if they are another's.
  private let owner: Buffer?

  /// A buffer with a copy of `bytes`.
  public init(copying bytes: some Collection<UInt8>) {
    let count = bytes.count
    let memory = Buffer.allocate(count)
    var end = 0
    let copied: Void? = bytes.withContiguousStorageIfAvailable { source in
      if let base = source.baseAddress { memory.update(from: base, count: source.count) }
      end = source.count
    }
    if copied == nil {
      for byte in bytes.prefix(count) {
        memory[end] = byte
        end += 1
      }
    }
    self.start = UnsafePointer(memory)
    self.count = end
    large = nil
    owner = nil
  }

  /// Takes over memory that `malloc` gave: nobody else may write to it or free it from now on. It ends with `free`.
  public init(adopting pointer: UnsafeMutableRawPointer, count: Int) {
    self.start = UnsafePointer(pointer.assumingMemoryBound(to: UInt8.self))
    self.count = count
    large = nil
    owner = nil
  }

  /// The bytes of another buffer, and what is known about them.
  init(sharing other: Buffer, large: LargeTexts) {
    start = other.start
    count = other.count
    self.large = large
    owner = other
  }

  /// A buffer of exactly `count` bytes that `fill` writes.
  convenience init(count: Int, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    let memory = Buffer.allocate(count)
    fill(memory)
    self.init(adopting: memory, count: count)
  }

  deinit {
    if owner == nil { free(UnsafeMutableRawPointer(mutating: start)) }
  }

  /// The bytes, valid while the buffer lives.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// One past the last byte.
  var end: UnsafePointer<UInt8> { start + count }

  /// Memory for so many bytes that `init(adopting:count:)` may take over; else give it back with `free`. Nil if there is
  /// none.
  public static func memory(_ count: Int) -> UnsafeMutableRawPointer? { LargePages.allocate(count) }

  /// Fails only when the process is out of memory: nothing could go on then.
  private static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    guard let memory = LargePages.allocate(count) else { fatalError("out of memory: \(count) bytes") }
    return memory.bindMemory(to: UInt8.self, capacity: max(count, 1))
  }
}

extension UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>> {
  /// So many texts that start nowhere. Memory that nobody writes to is not taken from the system.
  static func zeroed(_ count: Int) -> Self {
    let size = MemoryLayout<Element>.stride
    guard let memory = calloc(Swift.max(count, 1), size) else { fatalError("out of memory: \(count * size) bytes") }
    return Self(start: memory.bindMemory(to: Element.self, capacity: count), count: count)
  }

  /// Gives back what `zeroed` took.
  func free() {
    #if canImport(Darwin)
      Darwin.free(baseAddress)
    #elseif canImport(Glibc)
      Glibc.free(baseAddress)
    #else
      Musl.free(baseAddress)
    #endif
  }
}
