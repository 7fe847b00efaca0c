/// A line from which anyone may be called, the others keeping their order, in about the root of its length.
struct SimulatedLine<Element> {
  /// None is empty.
  private var chunks: [[Element]] = []
  private(set) var count = 0

  private static var chunkLength: Int { 256 }

  var isEmpty: Bool { chunks.isEmpty }

  mutating func append(_ element: Element) {
    count += 1
    if let last = chunks.indices.last, chunks[last].count < Self.chunkLength {
      chunks[last].append(element)
    } else {
      chunks.append([element])
    }
  }

  func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    var before = 0
    for chunk in chunks {
      if let index = chunk.firstIndex(where: predicate) { return before + index }
      before += chunk.count
    }
    return nil
  }

  /// Takes the element at `index` of `0..<count` out.
  @discardableResult
  mutating func remove(at index: Int) -> Element {
    var (chunk, place) = (0, index)
    while place >= chunks[chunk].count {
      place -= chunks[chunk].count
      chunk += 1
    }
    count -= 1
    let element = chunks[chunk].remove(at: place)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    return element
  }
}
