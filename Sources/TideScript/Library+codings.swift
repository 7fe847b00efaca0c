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

/// The bytes of a base64 text (RFC 4648 sections 4 and 5), with padding or without; nil if it is none.
func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
  let body = text.suffix(2).last == 0x3D ? text.dropLast(text.suffix(2).first == 0x3D ? 2 : 1) : text[...]
  if body.count < text.count, text.count % 4 != 0 { return nil }
  guard body.count % 4 != 1 else { return nil }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(body.count / 4 * 3 + 2)
  var bits: UInt32 = 0
  var count = 0
  for byte in body {
    guard let digit = base64Digit(byte) else { return nil }
    bits = bits << 6 | digit
    count += 6
    guard count >= 8 else { continue }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
  }
  // What is left over stands for nothing, and must be zero.
  return bits & ((1 << UInt32(count)) - 1) == 0 ? bytes : nil
}

private func base64Digit(_ byte: UInt8) -> UInt32? {
  switch byte {
  case 0x41...0x5A: UInt32(byte) - 0x41
  case 0x61...0x7A: UInt32(byte) - 0x61 + 26
  case 0x30...0x39: UInt32(byte) - 0x30 + 52
  case 0x2B, 0x2D: 62
  case 0x2F, 0x5F: 63
  default: nil
  }
}
