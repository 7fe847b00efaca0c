/// A number by its text: 0.d₁d₂d₃… × 10^exponent, of any length, never rounded.
///
/// It points into the text, which has to outlive it.
struct Decimal {
  typealias Pointer = UnsafePointer<UInt8>

  let isNegative: Bool
  /// From the first digit that is not 0 to the last such, with the point among them if it lies there. Empty for 0.
  private let first: Pointer
  private let last: Pointer
  /// The power of ten, unless the text's own is so long that it must be kept as text.
  private let exponent: Int
  private let hugeExponent: HugeExponent?

  /// The number that is all of `text`, which is known to be valid.
  init(_ text: TextSlice) { self.init(text.start, text.end) }

  init(_ start: Pointer, _ end: Pointer) {
    isNegative = start.pointee == UInt8(ascii: "-")
    let mantissa = isNegative ? start + 1 : start
    var p = mantissa
    var point: Pointer?
    var first: Pointer?
    var last = mantissa
    while p < end, p.pointee | 0x20 != UInt8(ascii: "e") {
      if p.pointee == UInt8(ascii: ".") {
        point = p
      } else if p.pointee != UInt8(ascii: "0") {
        if first == nil { first = p }
        last = p + 1
      }
      p += 1
    }
    self.first = first ?? mantissa
    self.last = last
    guard let first else {
      exponent = 0
      hugeExponent = nil
      return
    }
    let whole = (point ?? p) - first
    let scale = whole > 0 ? whole : whole + 1
    let written = WrittenExponent(p, end)
    exponent = (written.value ?? 0) + scale
    hugeExponent = written.value == nil ? HugeExponent(written, plus: scale) : nil
  }

  var isZero: Bool { first == last }

  /// The value if it is a 64-bit integer.
  var int64: Int64? {
    guard !isZero else { return 0 }
    guard hugeExponent == nil, exponent > 0, exponent <= 19 else { return nil }
    var value: Int64 = 0
    var left = exponent
    var p = first
    while left > 0 {
      if p < last, p.pointee == UInt8(ascii: ".") { p += 1 }
      let digit = p < last ? Int64(p.pointee & 0xF) : 0
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.subtractingReportingOverflow(digit)
      guard !overflow, !carry else { return nil }
      value = sum
      p += 1
      left -= 1
    }
    guard p >= last else { return nil }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// Exact order: -1, 0 or 1.
  func order(against other: Decimal) -> Int {
    if isZero || other.isZero {
      if isZero { return other.isZero ? 0 : other.isNegative ? 1 : -1 }
      return isNegative ? -1 : 1
    }
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    let order = orderOfSizes(other)
    return isNegative ? -order : order
  }

  private func orderOfSizes(_ other: Decimal) -> Int {
    if hugeExponent == nil && other.hugeExponent == nil {
      if exponent != other.exponent { return exponent < other.exponent ? -1 : 1 }
    } else {
      let mine = hugeExponent ?? HugeExponent(exponent)
      let order = mine.order(against: other.hugeExponent ?? HugeExponent(other.exponent))
      if order != 0 { return order }
    }
    var left = Digits(first, last)
    var right = Digits(other.first, other.last)
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let a?, let b?): if a != b { return a < b ? -1 : 1 }
      }
    }
  }

  /// The digits from the first to the last that is not 0.
  var digits: Digits { Digits(first, last) }

  /// The power of ten if it is within `limit` of 0; else `limit` or `-limit`, and false.
  func exponent(within limit: Int) -> (value: Int, isExact: Bool) {
    if let hugeExponent { return (hugeExponent.isNegative ? -limit : limit, false) }
    return abs(exponent) < limit ? (exponent, true) : (exponent < 0 ? -limit : limit, false)
  }

  /// The power of ten in decimal, whatever its size.
  var exponentText: String { hugeExponent?.description ?? String(exponent) }

  /// Digits one after the other, the point left out.
  struct Digits {
    private var p: Pointer
    private let end: Pointer

    init(_ start: Pointer, _ end: Pointer) {
      p = start
      self.end = end
    }

    mutating func next() -> UInt8? {
      if p < end, p.pointee == UInt8(ascii: ".") { p += 1 }
      guard p < end else { return nil }
      defer { p += 1 }
      return p.pointee & 0xF
    }
  }
}
