import TideGraph
import TideValue

/// A plan for people: what it is given, what runs in which wave, what waits for what and where, which hosts it asks.
public struct PlanText {
  let plan: Plan
  let expressions: ExpressionText
  let racing: Set<NodeID>
  let secrets: Set<NodeID>

  /// A name, and the lines that belong to it.
  struct Row {
    var name: String
    var facts: [String]
  }

  private struct Section {
    var title: String
    var rows: [Row]
  }

  public static func render(_ plan: Plan) -> String { PlanText(plan).text }

  private init(_ plan: Plan) {
    self.plan = plan
    expressions = ExpressionText(plan: plan)
    racing = plan.racingNodes
    secrets = plan.secretNodes
  }

  private var text: String {
    let waves = plan.waves
    var sections = [
      Section(title: "inputs", rows: givenRows { if case .input(let spec) = $0 { facts(of: spec) } else { nil } }),
      Section(title: "secrets", rows: givenRows { if case .secret(let spec) = $0 { facts(of: spec) } else { nil } }),
      Section(title: "queues", rows: queueRows()),
      Section(title: "hosts", rows: plan.origins.map { Row(name: $0.oneLine, facts: []) }),
    ]
    for (index, wave) in waves.enumerated() {
      sections.append(
        Section(title: "wave \(index)", rows: wave.map { Row(name: title(of: $0), facts: facts(of: $0)) }))
    }
    sections.removeAll { $0.rows.isEmpty }
    let names = sections.flatMap(\.rows).filter { !$0.facts.isEmpty }.map(\.name.cellWidth)
    let width = names.filter { $0 <= 36 }.max() ?? 0
    var blocks = [headline(waves: waves.count)]
    blocks += sections.map { section in
      "\(section.title)\n" + section.rows.map { layOut($0, width: width) }.joined()
    }
    if let result = plan.result { blocks.append("result  \(describe(result).oneLine)\n") }
    if let legend { blocks.append(legend) }
    return blocks.joined(separator: "\n")
  }

  private func headline(waves: Int) -> String {
    let given = plan.nodes.count { $0.verb.isGiven }
    let running = plan.nodes.count - given
    let file = plan.sources.files.first.map { "\($0.name.oneLine): " } ?? ""
    return "\(file)\(running.counted("node")) in \(waves.counted("wave"))\n"
  }

  /// A name that is too long for the column stands on a line of its own.
  private func layOut(_ row: Row, width: Int) -> String {
    guard let first = row.facts.first else { return "  \(row.name)\n" }
    let indent = String(repeating: " ", count: width + 4)
    let isLong = row.name.cellWidth > width
    let head = isLong ? "  \(row.name)\n\(indent)\(first)\n" : "  \(row.name.padded(to: width))  \(first)\n"
    return head + row.facts.dropFirst().map { "\(indent)\($0)\n" }.joined()
  }

  private func givenRows(_ facts: (Verb) -> [String]?) -> [Row] {
    plan.nodeIDs.compactMap { node in
      guard let facts = facts(plan.nodes[node].verb) else { return nil }
      let doc = plan.nodes[node].options?.doc.map { [$0.oneLine] } ?? []
      let isSecret = plan.nodes[node].options?.isSecret == true
      return Row(name: plan.nodes[node].name.oneLine, facts: facts + (isSecret ? ["[secret]"] : []) + doc)
    }
  }

  private func queueRows() -> [Row] {
    plan.queues.enumerated().map { index, queue in
      let users = plan.nodes.filter { $0.options?.queue == QueueID(index) }.map(\.name.oneLine)
      return Row(
        name: queue.name.oneLine,
        facts: ["\(queue.limits): \(users.isEmpty ? "used by nothing" : users.joined(separator: ", "))"])
    }
  }

  private var legend: String? {
    let isRacing = !racing.isEmpty
    let isSecret = plan.nodeIDs.contains { secrets.contains($0) && !plan.nodes[$0].verb.isGiven }
    var lines = ""
    if isRacing {
      lines +=
        "[races]   its value may depend on which answer comes first: wait = N, a time limit, or a queue that trips\n"
    }
    if isSecret { lines += "[secret]  its value is never shown: it is computed from a secret\n" }
    return lines.isEmpty ? nil : lines
  }

  private func describe(_ result: Plan.Result) -> String {
    switch result {
    case .expression(let expression): expressions.handle(expression)
    case .list(let items): "{ \(items.map(describe).joined(separator: ", ")) }"
    case .table(let fields): "{ \(fields.map { "\($0.key) = \(describe($0.value))" }.joined(separator: ", ")) }"
    }
  }
}

extension Int {
  /// `1 node`, `2 nodes`.
  func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
