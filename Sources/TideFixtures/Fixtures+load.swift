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

  /// Reads exchanges from a file in any of the formats, or from a folder of WireMock's mappings; blocks the calling
  /// thread.
  ///
  /// A body that a mapping names (`bodyFileName`) is read from the folder of the mappings, or `__files` in it.
  ///
  /// - Throws: why the file can't be read (`unreadable`), or what is wrong with it.
  public static func load(path: String) throws(Diagnostics) -> Fixtures {
    if !path.utf8.contains(0), FixtureFolder.isFolder(path) { return try load(folder: path) }
    let folder = FixtureFolder(of: path)
    return try parse(file: path, bytes: content(of: path)) { $0.bodies = folder.body }
  }

  /// Of all that is wrong, twenty are told.
  private static func load(folder path: String) throws(Diagnostics) -> Fixtures {
    let folder = FixtureFolder(path)
    let files: [String]
    do {
      files = try folder.files()
    } catch {
      throw unreadable(path, error.reason)
    }
    guard !files.isEmpty else {
      throw unreadable(path, "it is a directory without a file of WireMock's mappings (.json)")
    }
    var exchanges: [PrioritisedExchange] = []
    var problems = Diagnostics([], sources: Sources())
    for file in files where problems.all.count < 20 {
      do throws(Diagnostics) {
        exchanges += try mappings(in: file, of: folder, after: exchanges.count)
      } catch {
        problems.all += error.all
        for source in error.sources.files { _ = problems.sources.add(name: source.name, text: source.text) }
      }
    }
    guard problems.all.isEmpty else { throw problems }
    return Fixtures(PrioritisedExchange.inOrder(exchanges))
  }

  private static func mappings(
    in file: String, of folder: FixtureFolder, after count: Int
  ) throws(Diagnostics) -> [PrioritisedExchange] {
    let bytes = try content(of: file)
    let root = try root(of: bytes, name: file)
    var reader = ExchangeReader()
    reader.bodies = folder.body
    reader.offset = count
    var mappings: [PrioritisedExchange] = []
    if root.kind == .object, root["mappings"] != nil || root["request"] != nil {
      mappings = reader.readPrioritised(root)
    } else {
      reader.complain([], "the file is no mapping of WireMock's, which a folder of fixtures is made of")
    }
    try reader.conclude(file: file, bytes: bytes)
    return mappings
  }

  private static func content(of path: String) throws(Diagnostics) -> Buffer {
    do {
      return try read(path)
    } catch {
      throw unreadable(path, error.reason)
    }
  }

  static func read(_ path: String) throws(ExchangeReader.Unreadable) -> Buffer {
    guard !path.utf8.contains(0) else { throw ExchangeReader.Unreadable(reason: "its name holds a zero byte") }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ExchangeReader.Unreadable(reason: reason(errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw ExchangeReader.Unreadable(reason: reason(errno)) }
    if status.st_mode & S_IFMT == S_IFDIR { throw ExchangeReader.Unreadable(reason: "it is a directory") }
    let size = Int(clamping: Int64(status.st_size))
    if size > maximumFileSize {
      throw ExchangeReader.Unreadable(reason: "it has \(size) bytes: 1 GB is the limit")
    }
    return try read(file, expected: size)
  }

  /// A pipe tells no size, so the size is only a guess.
  private static func read(_ file: Int32, expected: Int) throws(ExchangeReader.Unreadable) -> Buffer {
    var capacity = expected + 1
    guard var memory = malloc(capacity) else {
      throw ExchangeReader.Unreadable(reason: "there is no memory for it")
    }
    var count = 0
    while true {
      let got = Platform.read(file, memory + count, capacity - count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        let reason = reason(errno)
        free(memory)
        throw ExchangeReader.Unreadable(reason: reason)
      }
      if got == 0 { return Buffer(adopting: memory, count: count) }
      count += got
      guard count == capacity else { continue }
      guard capacity <= maximumFileSize, let larger = realloc(memory, capacity * 2) else {
        free(memory)
        throw ExchangeReader.Unreadable(reason: "it has more than 1 GB, which is the limit")
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
