/// A list of edges that takes no memory of its own while there are at most two, as is the rule for `needs` and `after`.
enum FewEdges: Sendable {
  case none
  case one(Plan.Edge)
  case two(Plan.Edge, Plan.Edge)
  case many([Plan.Edge])

  init(_ edges: [Plan.Edge]) {
    switch edges.count {
    case 0: self = .none
    case 1: self = .one(edges[0])
    case 2: self = .two(edges[0], edges[1])
    default: self = .many(edges)
    }
  }

  func forEach(_ body: (Plan.Edge) -> Void) {
    switch self {
    case .none: break
    case .one(let edge): body(edge)
    case .two(let first, let second):
      body(first)
      body(second)
    case .many(let edges): for edge in edges { body(edge) }
    }
  }

  func nodes(_ need: Need) -> [NodeID] {
    var nodes: [NodeID] = []
    forEach { if $0.need == need { nodes.append($0.node) } }
    return nodes
  }
}
