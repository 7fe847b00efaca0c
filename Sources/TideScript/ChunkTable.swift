import CLua
import TideGraph

/// The files that a state has loaded, and how Lua calls them.
struct ChunkTable {
  private struct Chunk {
    let id: UnsafeRawPointer
    let shortName: String
    let file: Int
    /// The chunk's function: kept, so that the id stays its own.
    let kept: Int32
  }

  private var chunks: [Chunk] = []
  private(set) var names: [String] = []

  /// Takes in the chunk whose function is on top of the stack.
  mutating func add(_ stack: LuaStack, file: Int, name: String) {
    var first: Int32 = 0
    var last: Int32 = 0
    guard let id = clua_chunk(stack.pointer, -1, &first, &last) else { return }
    var short = [CChar](repeating: 0, count: 64)
    clua_short_name(stack.pointer, -1, &short)
    let shortName = String(decoding: short.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    chunks.append(Chunk(id: id, shortName: shortName, file: file, kept: clua_keep(stack.pointer, -1)))
    while names.count <= file { names.append("") }
    names[file] = name
  }

  /// The file of a chunk.
  func file(of chunk: UnsafeRawPointer?) -> Int? { chunks.first { $0.id == chunk }?.file }

  var keptFunctions: [Int32] { chunks.map(\.kept) }

  func place(_ place: clua_place) -> Place {
    guard place.line > 0, let file = file(of: place.chunk) else { return .none }
    return Place(file: file, line: Int(place.line))
  }

  func location(_ place: clua_place) -> Location? {
    guard place.line > 0, let file = file(of: place.chunk) else { return nil }
    return Location(file: names[file], line: Int(place.line))
  }

  /// Takes the `file:line: ` off a message of Lua's.
  func split(_ message: String) -> (location: Location?, message: Substring) {
    for chunk in chunks where message.hasPrefix(chunk.shortName) {
      let rest = message.utf8.dropFirst(chunk.shortName.utf8.count)
      guard rest.first == UInt8(ascii: ":") else { continue }
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      let tail = rest.dropFirst(1 + digits.count)
      guard let line = Int(Substring(digits)), tail.starts(with: ": ".utf8) else { continue }
      return (Location(file: names[chunk.file], line: line), Substring(tail.dropFirst(2)))
    }
    return (nil, message[...])
  }

  /// The name under which Lua loads a file: short enough to stay whole in messages.
  static func chunkName(for name: String) -> String {
    let limit = 56
    guard name.utf8.count > limit else { return "@\(name)" }
    var tail = Substring(name)
    while tail.utf8.count > limit - 3 { tail.removeFirst() }
    return "@...\(tail)"
  }
}
