#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The files of a script's folder, and of no other place.
public struct FolderFiles: FileSource {
  let folder: String

  public init(folder: String) {
    self.folder = folder
  }

  public func read(_ path: String) throws(Failure) -> Buffer {
    let shown = folder == "." ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
    func failure(_ why: String, _ help: String? = nil) -> Failure {
      Failure(.missing, "'\(shown)': \(why)", help: help)
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("that is no file's name") }
    guard !path.hasPrefix("/") else {
      throw failure("is an absolute path", "a script sees the files of its own folder only")
    }
    guard let root = resolved(folder), let found = resolved(shown) else {
      throw failure(String(cString: strerror(errno)))
    }
    guard found.hasPrefix(root == "/" ? root : root + "/") else {
      throw failure("leads out of the script's folder", "a script sees the files of its own folder only")
    }
    let file = open(found, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("is no regular file") }
    guard status.st_size < UInt32.max else { throw failure("is larger than 4 GB, the most that one value holds") }
    return try contents(of: file, size: Int(status.st_size)) { failure($0) }
  }

  /// All bytes up to the end, or to the size that the file had when it was opened.
  private func contents(
    of file: Int32, size: Int, _ failure: (String) -> Failure
  ) throws(Failure) -> Buffer {
    guard let memory = Buffer.memory(size) else { throw failure("there is no memory for its \(size) bytes") }
    var count = 0
    while count < size {
      let more = Glibc.read(file, memory + count, size - count)
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else {
        let reason = String(cString: strerror(errno))
        free(memory)
        throw failure(reason)
      }
      if more == 0 { break }
      count += more
    }
    return Buffer(adopting: memory, count: count)
  }

  private func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}
