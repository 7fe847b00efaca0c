import CLua
import TideGraph
import TideValue

// What can be called and has a `decode`: the table itself is the first argument of the call.

/// `tide.json(v)`: compact, keys in byte order.
let encodeJSON: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.json")
    do throws(ConversionError) {
      stack.push(try stack.value(at: 2).json())
    } catch {
      throw ScriptFault(.badValue, "tide.json: \(error.message)")
    }
    return 1
  }
}

/// `tide.json.decode(text)`.
let decodeJSON: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.json.decode")
    guard let text = stack.bytes(at: 1) else {
      throw ScriptFault(.scriptError, "tide.json.decode takes a text, and has \(stack.noun(at: 1))")
    }
    let value: Value
    do throws(JSONError) {
      value = try Value.parse(Buffer(copying: text))
    } catch {
      throw ScriptFault(.badValue, "tide.json.decode: \(error)")
    }
    do throws(ConversionError) {
      try stack.push(value)
    } catch {
      throw ScriptFault(.scriptError, "tide.json.decode: \(error.message)")
    }
    return 1
  }
}

/// `tide.base64(text)`.
let encodeBase64: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.base64")
    stack.push(base64(try stack.textArgument(2, of: "tide.base64")))
    return 1
  }
}

/// `tide.base64.decode(text)`: any bytes.
let decodeBase64: clua_function = { pointer in
  perform(pointer) { (interpreter, stack) throws(ScriptFault) in
    try interpreter.refuseHandles(stack, "tide.base64.decode")
    let text = try stack.textArgument(1, of: "tide.base64.decode")
    guard let bytes = base64Decoded(text) else { throw ScriptFault(.badValue, "tide.base64.decode: not base64") }
    stack.push(bytes)
    return 1
  }
}
