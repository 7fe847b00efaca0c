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

extension UnsafeMutableBufferPointer<SortEntry> {
  /// Moves to the front of a range what may be among its first `count` entries: all that don't come after the last of
  /// them, in the order that they have. Gives the part of the range where they are then.
  func select(_ count: Int, of range: Range<Int>, scratch: UnsafeMutableBufferPointer<SortEntry>) -> Range<Int> {
    guard count > 0 else { return range.lowerBound..<range.lowerBound }
    guard count < range.count else { return range }
    let last = last(of: count, in: range)
    var kept = range.lowerBound
    var left = 0
    for place in range {
      let entry = self[place]
      if last.precedes(entry) {
        scratch[left] = entry
        left += 1
      } else {
        self[kept] = entry
        kept += 1
      }
    }
    for place in 0..<left { self[kept + place] = scratch[place] }
    return range.lowerBound..<kept
  }

  /// The last of the first `count` entries, of which a heap keeps the best so far, the worst of them on top.
  private func last(of count: Int, in range: Range<Int>) -> SortEntry {
    var heap = Array(self[range.lowerBound..<range.lowerBound + count])
    for root in (0..<count / 2).reversed() { sink(root, in: &heap) }
    for place in range.dropFirst(count) where self[place].precedes(heap[0]) {
      heap[0] = self[place]
      sink(0, in: &heap)
    }
    return heap[0]
  }

  private func sink(_ root: Int, in heap: inout [SortEntry]) {
    let entry = heap[root]
    var hole = root
    while true {
      var child = hole * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child].precedes(heap[child + 1]) { child += 1 }
      guard entry.precedes(heap[child]) else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = entry
  }
}
