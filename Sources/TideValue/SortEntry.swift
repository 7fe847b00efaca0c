/// What a sort moves about: an item's place among the items, and as much of its key as fits beside it.
struct SortEntry {
  /// The first part of the key, so that the order of prefixes is the order of keys as far as it goes.
  var prefix: UInt64
  /// The item.
  var index: UInt32
  /// What comes first whatever the prefix: the kind of the key, and where nulls go.
  var rank: UInt8

  @inline(__always)
  func precedes(_ other: SortEntry) -> Bool {
    rank != other.rank ? rank < other.rank : prefix < other.prefix
  }

  @inline(__always)
  func ties(with other: SortEntry) -> Bool { rank == other.rank && prefix == other.prefix }
}

extension UnsafeMutableBufferPointer<SortEntry> {
  /// Sorts a range, stably: entries that tie keep their order.
  func sortStably(_ range: Range<Int>, scratch: UnsafeMutableBufferPointer<SortEntry>) {
    let isSorted = range.dropFirst().allSatisfy { !self[$0].precedes(self[$0 - 1]) }
    if isSorted { return }
    if range.count <= 32 { return insert(range) }
    mergeSort(range, scratch: scratch)
  }

  private func insert(_ range: Range<Int>) {
    for place in range.dropFirst() {
      let entry = self[place]
      var hole = place
      while hole > range.lowerBound, entry.precedes(self[hole - 1]) {
        self[hole] = self[hole - 1]
        hole -= 1
      }
      self[hole] = entry
    }
  }

  /// Runs of 16, merged two at a time.
  private func mergeSort(_ range: Range<Int>, scratch: UnsafeMutableBufferPointer<SortEntry>) {
    var width = 16
    for start in stride(from: range.lowerBound, to: range.upperBound, by: width) {
      insert(start..<Swift.min(start + width, range.upperBound))
    }
    while width < range.count {
      for start in stride(from: range.lowerBound, to: range.upperBound - width, by: width * 2) {
        merge(start, start + width, Swift.min(start + width * 2, range.upperBound), scratch)
      }
      width *= 2
    }
  }

  private func merge(_ start: Int, _ middle: Int, _ end: Int, _ scratch: UnsafeMutableBufferPointer<SortEntry>) {
    if !self[middle].precedes(self[middle - 1]) { return }
    for place in start..<middle { scratch[place] = self[place] }
    var left = start
    var right = middle
    var place = start
    while left < middle, right < end {
      if self[right].precedes(scratch[left]) {
        self[place] = self[right]
        right += 1
      } else {
        self[place] = scratch[left]
        left += 1
      }
      place += 1
    }
    while left < middle {
      self[place] = scratch[left]
      left += 1
      place += 1
    }
  }
}
