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
  /// - Throws: what can't be a value, with its path.
  func value(at index: Int32) throws(ConversionError) -> Value {
    switch type(at: index) {
    case LUA_TNONE, LUA_TNIL: return .null
    case LUA_TBOOLEAN: return Value(lua_toboolean(pointer, index) != 0)
    case LUA_TNUMBER where clua_is_integer(pointer, index): return Value(Int64(clua_to_integer(pointer, index)))
    default: break
    }
    guard reserve(4) else { throw ConversionError(message: "the value is nested too deep") }
    var json = clua_bytes()
    guard clua_write_json(pointer, index, &json) == LUA_OK, let bytes = json.bytes else {
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
    case .number, .array, .object: try pushJSON(value)
    }
  }

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
