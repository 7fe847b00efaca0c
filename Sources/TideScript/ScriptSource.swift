import Glibc
import TideGraph

/// A script's text, and where it came from.
public struct ScriptSource: Sendable {
  /// As the user wrote it.
  public let name: String
  public let text: String
  /// Where `require` looks for the script's other files; nil for a text that has no folder.
  public let folder: String?

  public init(name: String, text: String, folder: String?) {
    self.name = name
    self.text = text
    self.folder = folder
  }

  /// Reads a file.
  ///
  /// - Throws: a diagnostic (T0404) that says why it can't be read.
  public init(path: String) throws(Diagnostic) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    self.init(
      name: path, text: try readScript(at: path, shownAs: path), folder: slash.map { String(path[...$0]) } ?? ".")
  }
}

/// The text of a file.
///
/// - Throws: T0404, at the file as `name` calls it.
func readScript(at path: String, shownAs name: String) throws(Diagnostic) -> String {
  func unreadable(_ why: String, help: String? = nil) -> Diagnostic {
    Diagnostic(.unreadable, "\(name): \(why)", help: help)
  }
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { throw unreadable(String(cString: strerror(errno))) }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0 else { throw unreadable(String(cString: strerror(errno))) }
  let kind = status.st_mode & S_IFMT
  if kind == S_IFDIR { throw unreadable("is a folder") }
  guard kind == S_IFREG || kind == S_IFIFO || kind == S_IFCHR else { throw unreadable("is no file") }
  if kind != S_IFREG { _ = fcntl(file, F_SETFL, 0) }
  var bytes: [UInt8] = []
  while true {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = read(file, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw unreadable(String(cString: strerror(errno))) }
    if count == 0 { break }
    bytes += chunk[..<count]
    if bytes.count > maximumScriptBytes { throw unreadable("is larger than 16 MB, which no script is") }
  }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw unreadable("is not UTF-8", help: "a script is a text; save it as UTF-8")
  }
  return text
}

private let maximumScriptBytes = 16 << 20
