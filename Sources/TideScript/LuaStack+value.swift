import CLua
import Glibc
import TideValue

/// A value that can't become JSON, or back: what the message says, after the value's path.
struct ConversionError: Error {
  let message: String
  var isOutOfMemory = false
}

extension LuaStack {
  /// The value at `index`, as JSON: keys in byte order, numbers exactly.
  ///
  /// - Parameter isVerbatim: whether lists and objects that a step received and did not touch are as they came. (Else
  ///   nobody can tell what was touched.)
  /// - Throws: what can't be a value, with its path.
  func value(at index: Int32, isVerbatim: Bool = false) throws(ConversionError) -> Value {
    switch type(at: index) {
    case LUA_TNONE, LUA_TNIL: return .null
    case LUA_TBOOLEAN: return Value(lua_toboolean(pointer, index) != 0)
    case LUA_TNUMBER where clua_is_integer(pointer, index): return Value(Int64(clua_to_integer(pointer, index)))
    case LUA_TSTRING:
      if let text = bytes(at: index).flatMap({ Value(text: Buffer(copying: $0)) }) { return text }
    default: break
    }
    if isVerbatim, let untouched = Interpreter.of(pointer)?.lent.untouched(self, at: index) { return untouched }
    guard reserve(4) else { throw ConversionError(message: "the value is nested too deep") }
    var json = clua_bytes()
    guard clua_write_json(pointer, index, isVerbatim, &json) == LUA_OK, let bytes = json.bytes else {
      let message = shownString(at: -1) ?? ""
      pop()
      throw ConversionError(message: message)
    }
    let buffer = Buffer(adopting: bytes, count: json.count)
    do {
      return try Value.parse(buffer)
    } catch {
      throw ConversionError(message: error.message)
    }
  }

  /// Pushes a value.
  ///
  /// - Throws: if there is not enough memory for it, or it is nested too deep; then nothing is pushed.
  func push(_ value: Value) throws(ConversionError) {
    switch value.kind {
    case .null: clua_push_null(pointer)
    case .boolean: lua_pushboolean(pointer, value.bool == true ? 1 : 0)
    case .string: push(value.utf8Text ?? [])
    case .bytes: push(value.rawBytes ?? [])
    case .number: try pushJSON(value)
    case .array, .object: value.holdsBytes ? try pushMembers(value, depth: 0) : try pushJSON(value)
    }
  }

  /// A list or an object with bytes in it, of which JSON would make something else.
  private func pushMembers(_ value: Value, depth: Int) throws(ConversionError) {
    let base = top
    guard depth < LuaStack.maximumDepth, reserve(8) else {
      throw ConversionError(message: "the value is nested deeper than \(LuaStack.maximumDepth) levels")
    }
    lua_createtable(pointer, 0, 0)
    do throws(ConversionError) {
      if value.kind == .array {
        var index: lua_Integer = 0
        try value.forEachItem { (item) throws(ConversionError) in
          try pushMember(item, depth: depth)
          index += 1
          lua_rawseti(pointer, base + 1, index)
        }
      } else {
        clua_mark(pointer, -1, Int32(CLUA_MT_OBJECT))
        try value.forEachField { (key, field) throws(ConversionError) in
          push(key)
          try pushMember(field, depth: depth)
          lua_rawset(pointer, base + 1)
        }
      }
    } catch {
      top = base
      throw error
    }
  }

  private func pushMember(_ value: Value, depth: Int) throws(ConversionError) {
    value.kind == .array || value.kind == .object ? try pushMembers(value, depth: depth + 1) : try push(value)
  }

  private static let maximumDepth = 200

  private func pushJSON(_ value: Value) throws(ConversionError) {
    guard reserve(6) else { throw ConversionError(message: "the value is nested too deep") }
    let text = value.json(.verbatim)
    let status = text.withUnsafeBytes { bytes in
      clua_push_json(pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard status == LUA_OK else {
      let message = shownString(at: -1) ?? ""
      pop()
      throw ConversionError(message: message, isOutOfMemory: status == LUA_ERRMEM)
    }
  }
}
