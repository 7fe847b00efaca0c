/// A line from which anyone may be called, the others keeping their order. Near either end that is quick.
struct SimulatedLine<Element> {
  /// Those before `head` have gone.
  private var items: [Element?] = []
  private var head = 0

  var count: Int { items.count - head }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    items.append(element)
  }

  func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    items[head...].firstIndex { $0.map(predicate) ?? false }.map { $0 - head }
  }

  /// Takes the element at `index` of `0..<count` out. The shorter side closes the gap.
  @discardableResult
  mutating func remove(at index: Int) -> Element {
    let place = head + index
    guard let element = items[place].take() else { preconditionFailure("no element \(index) of \(count)") }
    if index < count / 2 {
      for gap in stride(from: place, to: head, by: -1) { items.swapAt(gap, gap - 1) }
      head += 1
      giveBack()
    } else {
      items.remove(at: place)
    }
    return element
  }

  private mutating func giveBack() {
    guard head >= 64, head * 2 >= items.count else { return }
    items.removeFirst(head)
    head = 0
  }
}
