/// The ends of the large lists and objects of a text, found while it was parsed, so that a path does not have to walk over
/// them to reach what lies behind.
struct LargeTexts: Sendable {
  /// From how many bytes on a list or an object is large.
  static let threshold = 65_536

  /// By their starts.
  private let ranges: ContiguousArray<(start: UInt32, end: UInt32)>

  init(_ found: [(start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>)], from base: UnsafePointer<UInt8>) {
    ranges = ContiguousArray(
      found.map { (UInt32(truncatingIfNeeded: $0.start - base), UInt32(truncatingIfNeeded: $0.end - base)) }
        .sorted { $0.0 < $1.0 })
  }

  /// The end of the list or object that starts at this offset, if it is large.
  func end(of offset: Int) -> Int? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(ranges[middle].start) < offset { low = middle + 1 } else { high = middle }
    }
    guard low < ranges.count, Int(ranges[low].start) == offset else { return nil }
    return Int(ranges[low].end)
  }
}
