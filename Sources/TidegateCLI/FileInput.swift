import TideGraph
import TideValue

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that the command line names, or stdin.
struct FileInput {
  /// A file may have so many bytes: 1 GB.
  static let maximumSize = 1 << 30

  let path: String
  /// What it is for, as in "can't read the inputs".
  let noun: String

  var name: String { path == "-" ? "stdin" : path }

  /// All of it, blocking the calling thread.
  ///
  /// - Throws: why it can't be read.
  func read() throws(Diagnostic) -> Buffer {
    guard !path.utf8.contains(0) else { throw unreadable("its name holds a zero byte") }
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(reason(errno)) }
    defer { if descriptor > 0 { close(descriptor) } }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw unreadable("it is a directory") }
    return try read(descriptor, expected: min(Int(clamping: Int64(status.st_size)), FileInput.maximumSize))
  }

  /// A pipe tells no size, so that the size is only a guess.
  private func read(_ descriptor: Int32, expected: Int) throws(Diagnostic) -> Buffer {
    var capacity = max(4096, expected + 1)
    var count = 0
    var memory = malloc(capacity)
    while let place = memory {
      let got = readSome(descriptor, place + count, capacity - count)
      if got == 0 { return Buffer(adopting: place, count: count) }
      if got > 0 {
        count += got
      } else if let problem = wait(descriptor, errno) {
        free(place)
        throw unreadable(reason(problem))
      }
      guard count == capacity else { continue }
      guard capacity <= FileInput.maximumSize else {
        free(place)
        throw unreadable("it has more than 1 GB, which is the limit")
      }
      capacity *= 2
      memory = realloc(place, capacity)
      if memory == nil { free(place) }
    }
    throw unreadable("there is no memory for it")
  }

  /// Nil if reading may go on.
  private func wait(_ descriptor: Int32, _ error: Int32) -> Int32? {
    switch error {
    case EINTR: return nil
    case EAGAIN, EWOULDBLOCK:
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waited, 1, -1)
      return nil
    default: return error
    }
  }

  private func unreadable(_ why: String) -> Diagnostic {
    Diagnostic(.unreadable, "can't read the \(noun) '\(name)': \(why)")
  }
}

/// The C function whose name `FileInput.read` hides.
private func readSome(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, memory, count)
}
