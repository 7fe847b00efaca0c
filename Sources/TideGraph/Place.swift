/// A line in one of a plan's source files. Small, since every node has one.
public struct Place: Hashable, Sendable {
  /// An index in `Sources.files`.
  public let file: UInt32
  /// 1-based; 0 where there is no line (a plan that was built in Swift).
  public let line: UInt32

  public init(file: Int, line: Int) {
    self.file = UInt32(clamping: file)
    self.line = UInt32(clamping: line)
  }

  public static let none = Place(file: 0, line: 0)
}

/// A place that is told to people: it carries its file's name, and the columns where they are known.
public struct Location: Hashable, Sendable {
  /// As the user named it.
  public var file: String
  /// 1-based.
  public var line: Int
  /// 1-based columns, in bytes, of what is meant.
  public var columns: Range<Int>?

  public init(file: String, line: Int, columns: Range<Int>? = nil) {
    self.file = file
    self.line = line
    self.columns = columns
  }
}

/// The texts that a plan was read from: what an error shows an excerpt of.
public struct Sources: Sendable {
  public struct File: Sendable {
    public let name: String
    public let text: String

    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  public private(set) var files: [File] = []

  public init() {}

  /// Takes a file in, once a name, and gives its index.
  public mutating func add(name: String, text: String) -> Int {
    if let known = files.firstIndex(where: { $0.name == name }) { return known }
    files.append(File(name: name, text: text))
    return files.count - 1
  }

  public func location(_ place: Place) -> Location? {
    guard place.line > 0, files.indices.contains(Int(place.file)) else { return nil }
    return Location(file: files[Int(place.file)].name, line: Int(place.line))
  }

  /// The text of a line, without its end; nil where the file or the line is not known.
  public func line(at location: Location) -> Substring? {
    guard location.line > 0, let file = files.first(where: { $0.name == location.file }) else { return nil }
    // Bytes, not characters: a carriage return and the line feed behind it are one character.
    var rest = file.text.utf8[...]
    for _ in 1..<location.line {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      rest = rest[rest.index(after: end)...]
    }
    let line = rest.prefix { $0 != 0x0A }
    return Substring(line.last == 0x0D ? line.dropLast() : line)
  }
}
