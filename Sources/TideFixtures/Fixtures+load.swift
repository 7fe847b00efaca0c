import TideGraph
import TideValue

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Fixtures {
  /// A file may have so many bytes: 1 GB.
  public static let maximumFileSize = 1 << 30

  /// Reads exchanges from a file, blocking the calling thread.
  ///
  /// - Throws: why the file can't be read (`unreadable`), or what is wrong with it.
  public static func load(path: String) throws(Diagnostics) -> Fixtures {
    try parse(file: path, bytes: read(path))
  }

  private static func read(_ path: String) throws(Diagnostics) -> Buffer {
    guard !path.utf8.contains(0) else { throw unreadable(path, "its name holds a zero byte") }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(path, reason(errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(path, reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw unreadable(path, "it is a directory") }
    let size = Int(clamping: Int64(status.st_size))
    if size > maximumFileSize { throw unreadable(path, "it has \(size) bytes: 1 GB is the limit") }
    return try read(file, path, expected: size)
  }

  /// A pipe tells no size, so the size is only a guess.
  private static func read(_ file: Int32, _ path: String, expected: Int) throws(Diagnostics) -> Buffer {
    var capacity = expected + 1
    guard var memory = malloc(capacity) else { throw unreadable(path, "there is no memory for it") }
    var count = 0
    while true {
      let got = Platform.read(file, memory + count, capacity - count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        let reason = reason(errno)
        free(memory)
        throw unreadable(path, reason)
      }
      if got == 0 { return Buffer(adopting: memory, count: count) }
      count += got
      guard count == capacity else { continue }
      guard capacity <= maximumFileSize, let larger = realloc(memory, capacity * 2) else {
        free(memory)
        throw unreadable(path, "it has more than 1 GB, which is the limit")
      }
      memory = larger
      capacity *= 2
    }
  }

  private static func unreadable(_ path: String, _ reason: String) -> Diagnostics {
    Diagnostics([Diagnostic(.unreadable, "can't read the fixtures '\(path)': \(reason)")], sources: Sources())
  }

  private static func reason(_ number: Int32) -> String {
    String(cString: strerror(number))
  }
}

/// `Fixtures.read` hides the C function of the name.
private enum Platform {
  static func read(_ file: Int32, _ memory: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.read(file, memory, count)
    #elseif canImport(Musl)
      Musl.read(file, memory, count)
    #else
      Darwin.read(file, memory, count)
    #endif
  }
}
