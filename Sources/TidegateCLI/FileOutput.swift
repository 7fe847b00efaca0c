#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writes to a file descriptor until all of it is written, or it can't be.
final class FileOutput {
  /// Why nothing more can be written.
  enum Problem: Equatable {
    /// Whoever read it has gone away.
    case closed
    case system(Int32)
  }

  private let descriptor: Int32
  private(set) var problem: Problem?

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Blocks until everything is written; false if that can't be, now or earlier.
  @discardableResult
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while problem == nil, !rest.isEmpty {
      let count = write(some: UnsafeRawBufferPointer(rebasing: rest))
      if count >= 0 { rest = rest.dropFirst(count) } else { recover(from: errno) }
    }
    return problem == nil
  }

  @discardableResult
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  private func write(some bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  private func recover(from error: Int32) {
    switch error {
    case EINTR: break
    case EAGAIN, EWOULDBLOCK:
      // Somebody who shares the descriptor made it non-blocking.
      var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waited, 1, -1)
    case EPIPE: problem = .closed
    default: problem = .system(error)
    }
  }
}

/// What the system calls an error.
func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
