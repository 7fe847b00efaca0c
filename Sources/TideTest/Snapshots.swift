import TideScript
import TideValue

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The values that the tests of one file have had before: `snapshots/FILE.NAME.json` beside the file, one each.
struct Snapshots {
  private let folder: String
  private let file: String
  private let isUpdating: Bool
  /// What has been compared in this session: a name is one value's.
  private var seen: [String: Value] = [:]
  private(set) var written = 0

  /// - Parameter path: of the test file.
  init(besideFile path: String, isUpdating: Bool) {
    let slash = path.lastIndex(of: "/")
    folder = joined(slash.map { String(path[...$0]) } ?? ".", "snapshots")
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    file = String(name.hasSuffix(".lua") ? name.dropLast(4) : name)
    self.isUpdating = isUpdating
  }

  /// Nil, or in what a value differs from what is stored.
  mutating func check(_ value: Value, name: String) throws(TestComplaint) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      byte == 0x2D || byte == 0x2E || byte == 0x5F || (0x30...0x39).contains(byte)
        || (0x61...0x7A).contains(byte | 0x20)
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix(".") else {
      throw TestComplaint(
        "the snapshot's name \(Value(name).shortened) can't be one of a file",
        help: "letters, digits, '-', '_' and '.', at most 100 of them")
    }
    if let other = seen[name], other != value {
      throw TestComplaint(
        "there are two snapshots '\(name)' in this file, of different values", help: "name one of them otherwise")
    }
    seen[name] = value
    let path = "\(folder)/\(file).\(name).json"
    let text = value.json(.pretty) + [UInt8(ascii: "\n")]
    let stored = try read(path)
    if stored == text { return nil }
    if isUpdating {
      try write(text, path)
      written += 1
      return nil
    }
    guard let stored else {
      throw TestComplaint("there is no snapshot \(path)", help: "tidegate test --update writes it")
    }
    let help = "if it is right as it is now: tidegate test --update"
    guard let before = try? Value.parse(Buffer(copying: stored)) else {
      throw TestComplaint("the snapshot \(path) is no JSON", help: help)
    }
    let difference = before.firstDifference(from: value)?.description ?? "the texts differ where the values do not"
    throw TestComplaint("another value than the snapshot \(path)\n\(difference)", help: help)
  }

  /// Nil if there is none.
  private func read(_ path: String) throws(TestComplaint) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Whole or not at all.
  private func write(_ bytes: [UInt8], _ path: String) throws(TestComplaint) {
    if mkdir(folder, 0o777) != 0, errno != EEXIST { throw failure("write", path) }
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("write", path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    let isWritten = rest.isEmpty
    guard close(descriptor) == 0, isWritten, rename(temporary, path) == 0 else {
      let complaint = failure("write", path)
      unlink(temporary)
      throw complaint
    }
  }

  private func failure(_ what: String, _ path: String) -> TestComplaint {
    TestComplaint("can't \(what) the snapshot \(path): \(String(cString: strerror(errno)))")
  }
}
