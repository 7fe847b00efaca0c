import CLua
import TideValue

extension Interpreter {
  /// How deep values that were put together are taken apart, so that their parts need not be copied.
  private static let composedDepth = 32

  /// Pushes an input of a step: of a list or an object only what is asked for is read.
  func lend(_ value: Value, to stack: LuaStack, depth: Int = 0) throws(ConversionError) {
    if let place = value.place {
      guard stack.reserve(4) else { throw ConversionError(message: "the value is nested too deep") }
      let number = lent.number(of: place.buffer, value, state)
      clua_push_lazy(stack.pointer, number, UInt32(truncatingIfNeeded: place.range.lowerBound))
      return
    }
    guard value.kind == .array || value.kind == .object, depth < Interpreter.composedDepth else {
      return try stack.push(value)
    }
    guard stack.reserve(8) else { throw ConversionError(message: "the value is nested too deep") }
    let base = stack.top
    do throws(ConversionError) {
      try lendMembers(of: value, to: stack, depth: depth)
    } catch {
      stack.top = base
      throw error
    }
  }

  private func lendMembers(of value: Value, to stack: LuaStack, depth: Int) throws(ConversionError) {
    let table = stack.top + 1
    let count = value.count
    if value.kind == .array {
      lua_createtable(stack.pointer, Int32(clamping: min(count, 1 << 20)), 0)
      if count == 0 { clua_mark(stack.pointer, table, Int32(CLUA_MT_ARRAY)) }
      var index: lua_Integer = 0
      try value.forEachItem { (item) throws(ConversionError) in
        try lend(item, to: stack, depth: depth + 1)
        index += 1
        lua_rawseti(stack.pointer, table, index)
      }
    } else {
      lua_createtable(stack.pointer, 0, Int32(clamping: min(count, 1 << 20)))
      clua_mark(stack.pointer, table, Int32(CLUA_MT_OBJECT))
      try value.forEachField { (key, field) throws(ConversionError) in
        stack.push(key)
        try lend(field, to: stack, depth: depth + 1)
        lua_rawset(stack.pointer, table)
      }
    }
  }
}
