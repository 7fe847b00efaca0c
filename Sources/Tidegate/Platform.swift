#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The cores of this machine.
func availableCores() -> Int {
  Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

/// The value of an environment variable; nil where there is none, or what it holds is no UTF-8.
func environmentVariable(_ name: String) -> String? {
  getenv(name).flatMap { String(validatingCString: $0) }
}

/// Nanoseconds since 1970.
func wallClock() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// Writes a line on stderr, from any thread. A line that can't be written is lost.
@Sendable public func printError(_ line: String) {
  var text = line + "\n"
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(2, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
