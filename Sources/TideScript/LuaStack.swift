import CLua
import TideGraph
import TideValue

/// The stack of a Lua coroutine: what Swift may do with it. Nothing here can raise a Lua error.
struct LuaStack {
  let pointer: OpaquePointer

  /// How many values there are.
  var top: Int32 {
    get { lua_gettop(pointer) }
    nonmutating set { lua_settop(pointer, newValue) }
  }

  func type(at index: Int32) -> Int32 { lua_type(pointer, index) }
  func typeName(at index: Int32) -> String { String(cString: lua_typename(pointer, lua_type(pointer, index))) }
  func isNone(at index: Int32) -> Bool { lua_type(pointer, index) <= LUA_TNIL }
  func pop(_ count: Int32 = 1) { lua_settop(pointer, -count - 1) }
  func absolute(_ index: Int32) -> Int32 { lua_absindex(pointer, index) }
  /// False if the stack can't grow by so much.
  func reserve(_ count: Int32) -> Bool { lua_checkstack(pointer, count) != 0 }
  func pushCopy(of index: Int32) { lua_pushvalue(pointer, index) }
  func pushNil() { lua_pushnil(pointer) }

  func push(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = lua_pushlstring(pointer, $0.baseAddress, $0.count) }
    }
  }

  func push(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      _ = lua_pushlstring(pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
  }

  /// The bytes of a text, valid while it is on the stack; nil for everything else.
  func bytes(at index: Int32) -> UnsafeRawBufferPointer? {
    guard lua_type(pointer, index) == LUA_TSTRING else { return nil }
    var count = 0
    let start = clua_to_bytes(pointer, index, &count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// A text, if it is UTF-8.
  func string(at index: Int32) -> String? {
    guard let bytes = bytes(at: index) else { return nil }
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A text for people: what is no UTF-8 in it is replaced.
  func shownString(at index: Int32) -> String? {
    bytes(at: index).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A text or a number as a text, as `..` takes it; nil for everything else.
  func joinable(at index: Int32) -> [UInt8]? {
    switch type(at: index) {
    case LUA_TSTRING: return bytes(at: index).map(Array.init)
    case LUA_TNUMBER:
      pushCopy(of: index)
      defer { pop() }
      var count = 0
      return clua_to_bytes(pointer, -1, &count).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) }
    case LUA_TUSERDATA: return numberText(at: index).map { Array($0.utf8) }
    default: return nil
    }
  }

  /// A boolean or what can be joined, as a text for people.
  func scalarText(at index: Int32) -> String? {
    if type(at: index) == LUA_TBOOLEAN { return lua_toboolean(pointer, index) != 0 ? "true" : "false" }
    return joinable(at: index).map { String(decoding: $0, as: UTF8.self) }
  }

  func isNull(at index: Int32) -> Bool { clua_tag(pointer, index) == CLUA_NULL }

  func handle(at index: Int32) -> clua_handle? { clua_to_handle(pointer, index)?.pointee }

  /// A number that no Lua number holds, as it was written.
  func numberText(at index: Int32) -> String? {
    var count = 0
    guard let text = clua_to_number_text(pointer, index, &count) else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
  }

  func pushFunction(_ function: clua_function, tag: Int = 0) { clua_push_function(pointer, function, lua_Integer(tag)) }

  /// Pops a value and puts it into the table at `index`, past its metamethods.
  func setRaw(_ name: String, in index: Int32) {
    let table = absolute(index)
    push(name)
    clua_insert(pointer, -2)
    lua_rawset(pointer, table)
  }
}
