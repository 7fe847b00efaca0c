import TideGraph
import TideValue

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A folder of WireMock's mappings, or the folder that a file of them lies in: what of it may be read.
struct FixtureFolder: Sendable {
  /// Mappings there may be so many of, in files of their own.
  static let maximumFiles = 10_000

  /// Where the files are that `bodyFileName` names, the first one that has it; WireMock's own place is `__files`.
  private let bodyFolders: [String]
  private let mappings: String
  /// Only WireMock's own layout has folders within.
  private let isDeep: Bool

  /// As WireMock lays its folder out: `mappings` and `__files` side by side; or all of it in one place.
  init(_ path: String) {
    isDeep = FixtureFolder.isFolder(path + "/mappings")
    mappings = isDeep ? path + "/mappings" : path
    bodyFolders = [path + "/__files", path]
  }

  /// The folder of a file.
  init(of file: String) {
    let slash = file.lastIndex(of: "/")
    let folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    mappings = folder
    isDeep = false
    let isMappings = folder.hasSuffix("/mappings") || folder == "mappings"
    bodyFolders = (isMappings ? [folder + "/../__files"] : [folder + "/__files"]) + [folder]
  }

  /// A body, never one from outside the folder, by whatever way.
  func body(_ name: String) throws(ExchangeReader.Unreadable) -> Buffer {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, !name.hasPrefix("/"), !parts.contains(".."), !name.utf8.contains(0) else {
      throw ExchangeReader.Unreadable(reason: "it must lie in the folder of the mappings")
    }
    for folder in bodyFolders {
      guard let inner = realpath(folder + "/" + name, nil) else { continue }
      defer { free(inner) }
      guard let outer = realpath(folder, nil) else { continue }
      defer { free(outer) }
      guard String(cString: inner).hasPrefix(String(cString: outer) + "/") else {
        throw ExchangeReader.Unreadable(reason: "it leads out of the folder of the mappings")
      }
      return try Fixtures.read(String(cString: inner))
    }
    throw ExchangeReader.Unreadable(reason: String(cString: strerror(ENOENT)))
  }

  /// Every `.json` file, in the order of their paths. A link to a folder is not followed.
  func files() throws(ExchangeReader.Unreadable) -> [String] {
    var files: [String] = []
    var pending = [mappings]
    while let folder = pending.popLast() {
      for name in try FixtureFolder.names(in: folder) where !name.hasPrefix(".") && name != "__files" {
        let path = folder + "/" + name
        if FixtureFolder.isFolder(path, followsLinks: false) {
          if isDeep { pending.append(path) }
        } else if name.hasSuffix(".json") {
          files.append(path)
        }
        guard files.count <= FixtureFolder.maximumFiles else {
          throw ExchangeReader.Unreadable(reason: "it has more than \(FixtureFolder.maximumFiles) files of mappings")
        }
      }
    }
    return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func names(in folder: String) throws(ExchangeReader.Unreadable) -> [String] {
    guard let stream = opendir(folder) else {
      throw ExchangeReader.Unreadable(reason: String(cString: strerror(errno)))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }

  static func isFolder(_ path: String, followsLinks: Bool = true) -> Bool {
    var status = stat()
    let found = followsLinks ? stat(path, &status) : lstat(path, &status)
    return found == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
