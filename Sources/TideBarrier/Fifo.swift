/// A first-in, first-out line over one array: both ends in O(1), amortised; it gives a burst's memory back.
@usableFromInline
package struct Fifo<Element> {
  @usableFromInline var items: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  package init() {}

  @inlinable
  package var count: Int { items.count - head }

  @inlinable
  package var isEmpty: Bool { items.count == head }

  @inlinable
  package var first: Element? { head < items.count ? items[head] : nil }

  @inlinable
  package mutating func append(_ element: Element) {
    items.append(element)
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    let first = items[head].take()
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: items.capacity <= 4096)
      head = 0
    } else if head >= 64, head * 2 >= items.count {
      items.removeFirst(head)
      head = 0
    }
    return first
  }
}
