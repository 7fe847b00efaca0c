/// Texts in the order of `SortKind.natural`, as bytes whose plain order is that order.
enum NaturalText {
  /// Each run of digits becomes '0', its length without leading zeros, and its digits: a longer run comes later, and any
  /// run stays between '/' and ':'. The text itself follows, for what differs in leading zeros only.
  static func encoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count * 2 + 16)
    var place = 0
    while place < text.count {
      let byte = text[place]
      if NumberText.isDigit(byte) {
        append(run: text, from: &place, to: &output)
      } else {
        output.append(byte)
        // No text goes on with 0xFF, so an embedded 0 is told from the one at the end.
        if byte == 0 { output.append(0xFF) }
        place += 1
      }
    }
    output.append(0)
    output.append(contentsOf: text)
    return output
  }

  private static func append(run text: UnsafeBufferPointer<UInt8>, from place: inout Int, to output: inout [UInt8]) {
    while place < text.count, text[place] == UInt8(ascii: "0") { place += 1 }
    let start = place
    while place < text.count, NumberText.isDigit(text[place]) { place += 1 }
    let count = place - start
    output.append(UInt8(ascii: "0"))
    if count < 0xFF {
      output.append(UInt8(count))
    } else {
      output.append(0xFF)
      for shift in stride(from: 56, through: 0, by: -8) { output.append(UInt8(truncatingIfNeeded: count >> shift)) }
    }
    output.append(contentsOf: text[start..<place])
  }
}
