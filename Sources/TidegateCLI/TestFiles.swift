import TideGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The test files under some paths: each once, in the order of their names, as the user would name them.
struct TestFiles {
  static let suffix = "_test.lua"
  private(set) var paths: [String] = []
  private var seen: Set<String> = []

  /// - Throws: a path that is not there, or a folder that can't be read.
  init(under roots: [String]) throws(Stop) {
    for root in roots.isEmpty ? ["."] : roots { try add(root, isRoot: true, depth: 0) }
    paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A file that the user names is one whatever its name. Links to folders are not followed, so that no walk is endless.
  private mutating func add(_ path: String, isRoot: Bool, depth: Int) throws(Stop) {
    var status = stat()
    guard (isRoot ? stat(path, &status) : lstat(path, &status)) == 0 else {
      if !isRoot { return }
      throw TestFiles.unreadable(path)
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      if depth < 64 { try addFolder(path, depth: depth) }
      return
    }
    guard isRoot || path.hasSuffix(TestFiles.suffix) else { return }
    guard let real = realpath(path, nil) else { return }
    defer { free(real) }
    if seen.insert(String(cString: real)).inserted { paths.append(path) }
  }

  private mutating func addFolder(_ path: String, depth: Int) throws(Stop) {
    guard let folder = opendir(path) else { throw TestFiles.unreadable(path) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // What is hidden is no test: .git, .build.
      if !name.hasPrefix(".") { names.append(name) }
    }
    closedir(folder)
    let front = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
    for name in names { try add(front + name, isRoot: false, depth: depth + 1) }
  }

  private static func unreadable(_ path: String) -> Stop {
    let problem = Diagnostic(.unreadable, "can't read the tests '\(path)': \(reason(errno))")
    return .diagnostics(Diagnostics([problem], sources: Sources()))
  }
}
