#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

import TideValue

/// A file that is there as a whole or not at all: it is written beside its place and then moved there.
struct AtomicFile {
  /// Why it can't be written.
  struct Problem: Error {
    let reason: String
  }

  /// Links followed, so that what a link points at is replaced, and not the link.
  private let path: String
  /// A device or a pipe can't be replaced: it is written into.
  private let isSpecial: Bool

  /// - Throws: if it is already clear that the file can't be written.
  init(_ path: String) throws(Problem) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Problem(reason: "that is no file's name") }
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw Problem(reason: "it is a directory") }
    isSpecial = exists && kind != S_IFREG
    let real = realpath(path, nil)
    self.path = real.map { String(cString: $0) } ?? path
    free(real)
    let writable = isSpecial ? self.path : folder
    guard access(writable, W_OK) == 0 else {
      throw Problem(reason: isSpecial ? reason(errno) : "\(writable): \(reason(errno))")
    }
  }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes what `body` writes, piece by piece.
  ///
  /// - Throws: what `body` throws, or why the file can't be written; what was there before is there still.
  func write(_ body: (inout ByteWriter) throws -> Void) throws {
    if isSpecial { return try fill(open(path, O_WRONLY | O_CLOEXEC), body) }
    var name = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    do {
      if descriptor >= 0 { fchmod(descriptor, 0o666 & ~currentMask()) }
      try fill(descriptor, body)
      guard rename(name, path) == 0 else { throw Problem(reason: reason(errno)) }
    } catch {
      if descriptor >= 0 { unlink(name) }
      throw error
    }
  }

  private func fill(_ descriptor: Int32, _ body: (inout ByteWriter) throws -> Void) throws {
    guard descriptor >= 0 else { throw Problem(reason: reason(errno)) }
    let output = FileOutput(descriptor)
    let written = Result {
      var writer = ByteWriter { output.write($0) }
      try body(&writer)
      writer.flush()
    }
    // Some file systems say only now that they are full.
    let isClosed = close(descriptor) == 0
    try written.get()
    if let problem = output.problem ?? (isClosed ? nil : .system(errno)) { throw Problem(reason: problem.reason) }
  }

  /// The only way to ask for it is to set it.
  private func currentMask() -> mode_t {
    let mask = umask(0)
    umask(mask)
    return mask
  }
}

extension FileOutput.Problem {
  var reason: String {
    switch self {
    case .closed: TidegateCLI.reason(EPIPE)
    case .system(let error): TidegateCLI.reason(error)
    }
  }
}
