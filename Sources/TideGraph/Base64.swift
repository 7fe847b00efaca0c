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
