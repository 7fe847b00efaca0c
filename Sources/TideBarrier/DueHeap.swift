/// Work with its time. Whoever owns the heap guards it.
package final class DueWork {
  package let due: Instant
  /// Its place among works of one instant.
  package let order: UInt64
  package var work: (@Sendable () -> Void)?
  /// Its place in the heap; nil outside.
  fileprivate(set) var index: Int?

  package init(due: Instant, order: UInt64, work: @escaping @Sendable () -> Void) {
    self.due = due
    self.order = order
    self.work = work
  }

  fileprivate static func < (left: DueWork, right: DueWork) -> Bool {
    (left.due, left.order) < (right.due, right.order)
  }
}

/// A binary heap of works, the one due first on top, from which any can be taken out in O(log n).
package struct DueHeap {
  private var works: [DueWork] = []

  package init() {}

  package var count: Int { works.count }

  package var first: DueWork? { works.first }

  package mutating func insert(_ work: DueWork) {
    works.append(work)
    work.index = works.count - 1
    rise(from: works.count - 1)
  }

  package mutating func popFirst() -> DueWork? {
    guard let first else { return nil }
    remove(first)
    return first
  }

  /// Takes `work` out; false if it is not inside.
  @discardableResult
  package mutating func remove(_ work: DueWork) -> Bool {
    guard let index = work.index else { return false }
    let last = works.count - 1
    if index != last { swap(index, last) }
    works.removeLast()
    work.index = nil
    if index != last {
      sink(from: index)
      rise(from: index)
    }
    return true
  }

  /// Empties it; returns what was inside, in no order.
  package mutating func takeAll() -> [DueWork] {
    defer { works = [] }
    for work in works { work.index = nil }
    return works
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, works[index] < works[(index - 1) / 2] {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < works.count && works[child] < works[least] {
        least = child
      }
      guard least != index else { return }
      swap(index, least)
      index = least
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    works.swapAt(a, b)
    works[a].index = a
    works[b].index = b
  }
}
