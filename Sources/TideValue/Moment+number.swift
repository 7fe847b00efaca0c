extension Moment {
  /// Reads a number of seconds, milliseconds or microseconds since 1970, which of them by its size. Digits that have no
  /// place in `text` go to `arena`. Nil if it is 10¹⁷ or more in size.
  init?(epoch text: UnsafeBufferPointer<UInt8>, arena: Arena) {
    guard let start = text.baseAddress else { return nil }
    let number = Decimal(start, start + text.count)
    let none = UnsafeBufferPointer(start: start, count: 0)
    guard !number.isZero else {
      self.init(seconds: 0, fraction: none)
      return
    }
    let (exponent, isExact) = number.exponent(within: 1 << 20)
    guard exponent <= 17 else { return nil }
    // Below 10^-1048576: too close to 1970 to be told from it.
    guard isExact else {
      self.init(seconds: 0, fraction: none)
      return
    }
    let shift = exponent <= 11 ? 0 : exponent <= 14 ? 3 : 6
    var digits = number.digits
    var seconds: Int64 = 0
    var place = exponent - shift
    var fraction: [UInt8] = []
    while place < 0 {
      fraction.append(0)
      place += 1
    }
    while place > 0 {
      seconds = seconds * 10 + Int64(digits.next() ?? 0)
      place -= 1
    }
    while let digit = digits.next() { fraction.append(digit) }
    while fraction.last == 0 { fraction.removeLast() }
    if number.isNegative {
      seconds = -seconds
      if !fraction.isEmpty { seconds -= Moment.complement(&fraction) }
    }
    let kept = fraction.isEmpty ? none : arena.keep(fraction.map { $0 + 0x30 })
    self.init(seconds: seconds, fraction: kept)
  }

  /// 1 minus a fraction that is not 0, and has no zero at its end.
  private static func complement(_ fraction: inout [UInt8]) -> Int64 {
    for index in fraction.indices { fraction[index] = 9 - fraction[index] }
    fraction[fraction.count - 1] += 1
    return 1
  }
}

/// Bytes that were made during a sort, at addresses that stay.
final class Arena {
  private var blocks: [UnsafeMutablePointer<UInt8>] = []
  private var left = 0
  private var next: UnsafeMutablePointer<UInt8>?

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// A copy of `bytes` that lives as long as the arena.
  func keep(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
    bytes.withUnsafeBufferPointer { keep($0) }
  }

  func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    if bytes.count > left || next == nil {
      let size = max(65_536, bytes.count)
      let block = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
      blocks.append(block)
      next = block
      left = size
    }
    guard let start = next else { return UnsafeBufferPointer(start: nil, count: 0) }
    if let base = bytes.baseAddress { start.update(from: base, count: bytes.count) }
    next = start + bytes.count
    left -= bytes.count
    return UnsafeBufferPointer(start: start, count: bytes.count)
  }
}
