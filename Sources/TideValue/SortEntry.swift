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
    if range.count <= 48 { insert(range) } else { radixSort(range, scratch: scratch) }
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

  /// By one byte after the other, the lowest first, leaving out those in which all entries agree.
  private func radixSort(_ range: Range<Int>, scratch: UnsafeMutableBufferPointer<SortEntry>) {
    let first = self[range.lowerBound]
    var prefixes: UInt64 = 0
    var ranks: UInt8 = 0
    for place in range {
      prefixes |= self[place].prefix ^ first.prefix
      ranks |= self[place].rank ^ first.rank
    }
    let count = range.count
    var from = UnsafeMutableBufferPointer(rebasing: self[range])
    var to = UnsafeMutableBufferPointer(rebasing: scratch[0..<count])
    for digit in 0..<9 {
      let shift = UInt64(digit * 8)
      if digit < 8 ? UInt8(truncatingIfNeeded: prefixes >> shift) == 0 : ranks == 0 { continue }
      from.scatter(into: to) { digit < 8 ? Int($0.prefix >> shift & 0xFF) : Int($0.rank) }
      swap(&from, &to)
    }
    if to.baseAddress == self.baseAddress.map({ $0 + range.lowerBound }) { _ = to.update(from: from) }
  }

  /// Moves all entries to `target` in the order of one digit.
  @inline(__always)
  private func scatter(into target: UnsafeMutableBufferPointer<SortEntry>, digit: (SortEntry) -> Int) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      places.initialize(repeating: 0)
      for entry in self { places[digit(entry)] += 1 }
      var sum = 0
      for value in 0..<256 {
        let count = places[value]
        places[value] = sum
        sum += count
      }
      for entry in self {
        let value = digit(entry)
        target[places[value]] = entry
        places[value] += 1
      }
    }
  }
}
