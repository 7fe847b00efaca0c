/// One search with a JSONPath, which ends with an error where it would not end, or not fit into memory: nested `..`
/// multiply.
struct JSONPathSearch {
  /// What a search may cost.
  struct Limit: Sendable, Hashable {
    /// How many nodes it may look at, in its filters too. A node that is text counts once more for each 256 bytes, for
    /// that is what is read to find its parts.
    var steps = 100_000_000
    /// How many nodes one segment of the path may find.
    var nodes = 20_000_000
  }

  struct Exceeded: Error {
    let message: String
  }

  let root: Value
  private let limit: Limit
  private var steps = 0

  init(in root: Value, _ limit: Limit = Limit()) {
    self.root = root
    self.limit = limit
  }

  /// Counts a look into a node.
  mutating func look(into node: Value) throws(Exceeded) {
    steps += 1 + (node.form.isText && node.storage != nil ? node.textLength / 256 : 0)
    if steps > limit.steps {
      throw Exceeded(message: "takes more than \(limit.steps.grouped) steps, which is the limit")
    }
  }

  func add(_ node: Value, to found: inout [Value]) throws(Exceeded) {
    if found.count >= limit.nodes {
      throw Exceeded(message: "finds more than \(limit.nodes.grouped) values, which is the limit")
    }
    found.append(node)
  }
}

extension Value {
  /// How many bytes a form that is text has.
  fileprivate var textLength: Int { length == .max ? buffer.count - Int(offset) : Int(length) }
}

extension Int {
  /// The digits in groups of three.
  fileprivate var grouped: String {
    var text = ""
    for (place, digit) in String(self).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
