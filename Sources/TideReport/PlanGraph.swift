import TideGraph

/// A plan as a graph, for a program that draws it.
///
/// A full line is a need, a line with an empty head is an input of a join, a dotted one is a question about how a node
/// ended, a dashed one is `after`. Nodes of a queue stand in a box; those of the result have a thick border.
public enum PlanGraph {
  /// In Graphviz's language (<https://graphviz.org/doc/info/lang.html>).
  public static func dot(_ plan: Plan) -> String {
    let result = plan.resultNodes
    func line(_ node: NodeID) -> String {
      let shape =
        switch plan.nodes[node].verb {
        case .input, .secret, .file: "ellipse"
        case .merge, .barrier, .fallback: "hexagon"
        case .signal, .sleep: "octagon"
        case .request, .step, .sort, .data: "box"
        }
      let border = result.contains(node) ? ", penwidth=3" : ""
      return
        "n\(node.index) [label=\"\(plan.label(of: node).map(dotEscaped).joined(separator: "\\n"))\", shape=\(shape)\(border)];"
    }
    var text = "digraph plan {\n  rankdir=LR;\n"
    for group in plan.groups {
      if let queue = group.queue {
        let label = dotEscaped("queue \(queue.queue.name) (\(queue.queue.limits))")
        text += "  subgraph cluster_\(queue.index) {\n    label=\"\(label)\";\n"
        text += group.nodes.map { "    \(line($0))\n" }.joined() + "  }\n"
      } else {
        text += group.nodes.map { "  \(line($0))\n" }.joined()
      }
    }
    for edge in plan.distinctEdges {
      let style =
        switch edge.need {
        case .success: ""
        case .input: " [arrowhead=empty]"
        case .question: " [style=dotted, label=\"asks\"]"
        case .end: " [style=dashed, label=\"after\"]"
        }
      text += "  n\(edge.from.index) -> n\(edge.to.index)\(style);\n"
    }
    return text + "}\n"
  }

  /// In Mermaid's language (<https://mermaid.js.org/syntax/flowchart.html>).
  public static func mermaid(_ plan: Plan) -> String {
    func line(_ node: NodeID) -> String {
      let (open, close) =
        switch plan.nodes[node].verb {
        case .input, .secret, .file: ("([\"", "\"])")
        case .merge, .barrier, .fallback: ("{{\"", "\"}}")
        case .signal, .sleep: (">\"", "\"]")
        case .request, .step, .sort, .data: ("[\"", "\"]")
        }
      return "n\(node.index)\(open)\(plan.label(of: node).map(mermaidEscaped).joined(separator: "<br>"))\(close)"
    }
    var text = "flowchart LR\n"
    for group in plan.groups {
      if let queue = group.queue {
        let label = mermaidEscaped("queue \(queue.queue.name) (\(queue.queue.limits))")
        text += "  subgraph q\(queue.index)[\"\(label)\"]\n"
        text += group.nodes.map { "    \(line($0))\n" }.joined() + "  end\n"
      } else {
        text += group.nodes.map { "  \(line($0))\n" }.joined()
      }
    }
    for edge in plan.distinctEdges {
      let arrow =
        switch edge.need {
        case .success: "-->"
        case .input: "--o"
        case .question: "-. asks .->"
        case .end: "-. after .->"
        }
      text += "  n\(edge.from.index) \(arrow) n\(edge.to.index)\n"
    }
    let result = plan.resultNodes.sorted().map { "n\($0.index)" }
    if !result.isEmpty {
      text += "  classDef result stroke-width:3px\n  class \(result.joined(separator: ",")) result\n"
    }
    return text
  }

  /// A text in double quotes (Graphviz: `\` begins an escape in a label).
  private static func dotEscaped(_ text: String) -> String {
    text.oneLine.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  /// A text in double quotes. Mermaid writes a character by its number, without the `&` of HTML.
  private static func mermaidEscaped(_ text: String) -> String {
    var escaped = ""
    for character in text.oneLine {
      if "\"#&<>`\\".contains(character), let code = character.asciiValue {
        escaped += "#\(code);"
      } else {
        escaped.append(character)
      }
    }
    return escaped
  }
}

extension Plan {
  fileprivate struct GraphEdge: Hashable {
    let from: NodeID
    let to: NodeID
    let need: Need
  }

  fileprivate struct Group {
    let queue: (index: Int, queue: Queue)?
    let nodes: [NodeID]
  }

  fileprivate var resultNodes: Set<NodeID> {
    var nodes: Set<NodeID> = []
    result?.forEachNode { nodes.insert($0) }
    return nodes
  }

  /// The lines of a node's label: what it is, its name, and what is special about it.
  fileprivate func label(of node: NodeID) -> [String] {
    var lines = [nodes[node].verb.name, nodes[node].name]
    switch wait(of: node) {
    case .settled?: lines.append("wait = settled")
    case .atLeast(let count)?: lines.append("wait = \(count)")
    case .all?, .first?, nil: break
    }
    return lines
  }

  /// The nodes of no queue, then those of each.
  fileprivate var groups: [Group] {
    let free = Group(queue: nil, nodes: nodeIDs.filter { nodes[$0].options?.queue == nil })
    let queued = queues.enumerated().map { index, queue in
      Group(queue: (index, queue), nodes: nodeIDs.filter { nodes[$0].options?.queue == QueueID(index) })
    }
    return [free] + queued.filter { !$0.nodes.isEmpty }
  }

  /// Each edge once, in declared order of its end.
  fileprivate var distinctEdges: [GraphEdge] {
    var edges: [GraphEdge] = []
    for node in nodeIDs {
      var seen: Set<GraphEdge> = []
      for edge in dependencies(of: node) {
        let edge = GraphEdge(from: edge.node, to: node, need: edge.need)
        if seen.insert(edge).inserted { edges.append(edge) }
      }
    }
    return edges
  }
}
