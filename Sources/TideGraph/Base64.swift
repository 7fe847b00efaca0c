/// RFC 4648 section 4, padded.
public func base64(_ bytes: some Sequence<UInt8>) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var encoded: [UInt8] = []
  var pending: [UInt8] = []
  func encode(_ group: [UInt8]) {
    let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      let digit = Int(bits >> UInt32(18 - 6 * place)) & 63
      encoded.append(place <= group.count ? alphabet[digit] : UInt8(ascii: "="))
    }
  }
  for byte in bytes {
    pending.append(byte)
    guard pending.count == 3 else { continue }
    encode(pending)
    pending.removeAll(keepingCapacity: true)
  }
  if !pending.isEmpty { encode(pending) }
  return String(decoding: encoded, as: UTF8.self)
}

/// The bytes of a base64 text (RFC 4648 sections 4 and 5), with padding or without; nil if it is none.
public func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
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
