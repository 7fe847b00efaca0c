import CLua
import TideGraph
import TideValue

/// Makes arguments of what stands in a declaration's table, or in that of a request which a step makes.
struct ArgumentReader {
  /// Whose table it is: a step's holds values only.
  enum Reader {
    case declarer(Declarer)
    case step(Interpreter)
  }

  let stack: LuaStack
  let reader: Reader
  /// `request "detail"`, which begins every complaint.
  let title: String
  /// The tables that the current value lies in.
  private var around: [UnsafeRawPointer] = []
  /// The keys that lead to it.
  private(set) var keys: [Key] = []

  enum Key: Equatable {
    case index(Int)
    case field(String)
  }

  private static let maximumDepth = 200

  init(_ stack: LuaStack, _ declarer: Declarer, title: String) {
    self.stack = stack
    self.reader = .declarer(declarer)
    self.title = title
  }

  init(_ stack: LuaStack, stepOf interpreter: Interpreter, title: String) {
    self.stack = stack
    self.reader = .step(interpreter)
    self.title = title
  }

  /// The array part and the named part of a declaration's own table.
  mutating func readTable(at index: Int32) throws(ScriptFault) -> (inputs: [Argument], options: [Argument.Entry]) {
    try parts(ofTableAt: index)
  }

  /// The value on top.
  mutating func readValue() throws(ScriptFault) -> Argument { try read() }

  /// `json.items[2]`
  private var path: String {
    keys.reduce("") { path, key in
      switch key {
      case .index(let index): "\(path)[\(index)]"
      case .field(let name): path.isEmpty ? name : "\(path).\(name)"
      }
    }
  }

  func complain(_ what: String, help: String? = nil) -> ScriptFault {
    ScriptFault(.badValue, keys.isEmpty ? "\(title): \(what)" : "\(title): '\(path)' \(what)", help: help)
  }

  /// Reads the value on top.
  private mutating func read() throws(ScriptFault) -> Argument {
    switch stack.type(at: -1) {
    case LUA_TBOOLEAN: return .value(Value(lua_toboolean(stack.pointer, -1) != 0))
    case LUA_TNUMBER: return .value(try number())
    case LUA_TSTRING:
      if let text = stack.bytes(at: -1) {
        if let value = Value(text: Buffer(copying: text)) { return .value(value) }
        if case .step = reader, keys == [.field("body")] { return .value(Value(bytes: Buffer(copying: text))) }
      }
      throw complain("is a text that is not UTF-8", help: "tide.base64 makes a text of any bytes")
    case LUA_TFUNCTION:
      if case .declarer(let declarer) = reader { return .function(declarer.keep(stack)) }
      throw functionInStep()
    case LUA_TUSERDATA: return try userdata()
    case LUA_TTABLE:
      if let received = try receivedTable() { return received }
      return try table()
    default: throw complain("is \(stack.noun(at: -1)), which is no value")
    }
  }

  private func number() throws(ScriptFault) -> Value {
    if clua_is_integer(stack.pointer, -1) { return Value(Int64(clua_to_integer(stack.pointer, -1))) }
    let number = clua_to_double(stack.pointer, -1)
    if let value = Value(number) { return value }
    throw complain("is \(number.isNaN ? "NaN" : "infinite"), which no JSON number is")
  }

  private func userdata() throws(ScriptFault) -> Argument {
    if stack.isNull(at: -1) { return .value(.null) }
    if let text = stack.numberText(at: -1), let value = Value(numberText: text) { return .value(value) }
    guard let handle = stack.handle(at: -1) else { throw complain("is no value") }
    switch reader {
    case .declarer(let declarer): return try argument(of: handle, declarer)
    case .step(let interpreter): return try argumentInStep(of: handle, interpreter)
    }
  }

  private func argument(of handle: clua_handle, _ declarer: Declarer) throws(ScriptFault) -> Argument {
    if let expression = declarer.expression(of: handle) { return .expression(expression) }
    if handle.kind == HandleKind.queue.rawValue { return .queue(QueueID(Int(handle.index))) }
    if case .queue(let queue)? = declarer.declared(Int(handle.index)) { return .queue(queue) }
    let opening = declarer.openings[Int(handle.index)]
    throw ScriptFault(
      .incomplete,
      "\(title): \(keys.isEmpty ? "" : "'\(path)' is ")\(opening.verb) \"\(opening.name)\" without its table",
      help: "write tide.\(opening.verb) \"\(opening.name)\" { ... }")
  }

  private mutating func table() throws(ScriptFault) -> Argument {
    let marked = clua_marked(stack.pointer, -1)
    let (items, entries) = try parts(ofTableAt: -1)
    if items.isEmpty, entries.isEmpty {
      if marked == CLUA_MT_OBJECT { return .value(.object([])) }
      return marked == CLUA_MT_ARRAY ? .value(.array([])) : .list([])
    }
    guard items.isEmpty || entries.isEmpty else {
      throw complain(
        "has items and named fields: it is neither a list nor an object",
        help: "a table of a value is a list (1...n) or an object (texts as keys)")
    }
    return items.isEmpty ? .table(entries) : .list(items)
  }

  /// The keys 1...n and the texts, in byte order.
  private mutating func parts(ofTableAt index: Int32) throws(ScriptFault) -> ([Argument], [Argument.Entry]) {
    guard stack.reserve(8), around.count < ArgumentReader.maximumDepth else {
      throw complain("is nested deeper than \(ArgumentReader.maximumDepth) levels")
    }
    clua_push_content(stack.pointer, index)
    let table = stack.top
    defer { stack.top = table - 1 }
    guard let identity = lua_topointer(stack.pointer, table) else { return ([], []) }
    if around.contains(identity) { throw complain("is a table that it lies in itself: a cycle") }
    around.append(identity)
    defer { around.removeLast() }
    let items = try list(table)
    return (items, try fields(table, listed: items.count))
  }

  private mutating func list(_ table: Int32) throws(ScriptFault) -> [Argument] {
    let count = Int(lua_rawlen(stack.pointer, table))
    guard count > 0 else { return [] }
    var items: [Argument] = []
    items.reserveCapacity(count)
    for index in 1...count {
      keys.append(.index(index))
      guard lua_rawgeti(stack.pointer, table, lua_Integer(index)) != LUA_TNIL else { throw hole() }
      items.append(try read())
      stack.pop()
      keys.removeLast()
    }
    return items
  }

  private func hole() -> ScriptFault {
    complain("is nil: a list has no holes", help: "tide.null stands for a value that is nothing")
  }

  private mutating func fields(_ table: Int32, listed: Int) throws(ScriptFault) -> [Argument.Entry] {
    var entries: [Argument.Entry] = []
    stack.pushNil()
    while lua_next(stack.pointer, table) != 0 {
      switch stack.type(at: -2) {
      case LUA_TSTRING:
        guard let key = stack.string(at: -2) else { throw complain("has a key that is not UTF-8") }
        keys.append(.field(key))
        entries.append(Argument.Entry(key: key, value: try read()))
        keys.removeLast()
      case LUA_TNUMBER:
        let key = clua_is_integer(stack.pointer, -2) ? Int(clua_to_integer(stack.pointer, -2)) : nil
        if let key, (1...max(1, listed)).contains(key), listed > 0 { break }
        if let key, key > listed {
          keys.append(.index(listed + 1))
          throw hole()
        }
        throw complain("has a key that is a number outside of 1...n")
      default:
        throw complain(
          "has a key that is \(stack.noun(at: -2)): a key is a text",
          help: "a key without quotes or brackets is a text: { name = value }")
      }
      stack.pop()
    }
    if entries.count > 1 { entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
    return entries
  }
}
