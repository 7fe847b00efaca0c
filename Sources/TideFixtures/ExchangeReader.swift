import TideGraph
import TideValue

/// Something in the fixtures that is not as their format says.
struct FixtureProblem: Sendable {
  let path: [JSONStep]
  /// The key itself is wrong, not what stands under it.
  let isAboutKey: Bool
  let message: String
  let help: String?

  /// `exchange 2, request.form.uid: ...`. A message about a key names it itself.
  var description: String {
    var names: [String] = []
    var rest = isAboutKey ? path.dropLast() : path[...]
    var item = "exchange"
    for (list, name) in FixtureProblem.lists where rest.starts(with: list) {
      rest = rest.dropFirst(list.count)
      item = name
      break
    }
    if case .item(let index)? = rest.first {
      names.append("\(item) \(index + 1)")
      rest = rest.dropFirst()
    }
    var inner = ""
    for step in rest {
      switch step {
      case .key(let key): inner += inner.isEmpty ? key : ".\(key)"
      case .item(let index): inner += "[\(index + 1)]"
      }
    }
    if !inner.isEmpty { names.append(inner) }
    return names.isEmpty ? message : "\(names.joined(separator: ", ")): \(message)"
  }
}

extension FixtureProblem {
  /// Where each format has its list, and what it calls an item.
  private static let lists: [(path: [JSONStep], item: String)] = [
    ([.key("exchanges")], "exchange"), ([.key("log"), .key("entries")], "entry"), ([.key("mappings")], "mapping"),
  ]
}

/// Takes the value of a fixture file apart, and collects what is wrong with it.
struct ExchangeReader {
  private(set) var problems: [FixtureProblem] = []
  /// How many exchanges other files have brought.
  var offset = 0
  /// Reads a file that the format names; throws why it can't be.
  var bodies: @Sendable (String) throws(Unreadable) -> Buffer = { name throws(Unreadable) in
    throw Unreadable(reason: "there is no folder to read it from")
  }

  /// Why a file that a fixture names can't be read.
  struct Unreadable: Error {
    let reason: String
  }

  /// Every exchange that is right, in whichever format it is written; of several that match, the first one serves.
  mutating func readAny(_ root: Value) -> [Exchange] {
    guard root.kind == .object, root["exchanges"] == nil else { return read(root) }
    if let log = root["log"] { return readHAR(log) }
    if root["mappings"] != nil || root["request"] != nil { return readMappings(of: root) }
    return read(root)
  }

  mutating func complain(_ path: [JSONStep], _ message: String, help: String? = nil, aboutKey: Bool = false) {
    problems.append(FixtureProblem(path: path, isAboutKey: aboutKey, message: message, help: help))
  }

  mutating func mismatch(_ path: [JSONStep], _ expected: String, _ found: Value) {
    complain(path, "is \(found.kind.name), where \(expected) is expected")
  }

  /// Every exchange that is right.
  mutating func read(_ root: Value) -> [Exchange] {
    var list = root
    var path: [JSONStep] = []
    if root.kind == .object {
      guard let fields = fields(of: root, at: [], known: ["exchanges"]) else { return [] }
      guard let exchanges = fields["exchanges"] else {
        complain([], "'exchanges' is missing", help: "write { \"exchanges\": [ ... ] }")
        return []
      }
      list = exchanges
      path = [.key("exchanges")]
    }
    guard list.kind == .array else {
      let expected = path.isEmpty ? "an object with 'exchanges'" : "a list of exchanges"
      complain(path, "\(path.isEmpty ? "the file" : "'exchanges'") is \(list.kind.name), where \(expected) is expected")
      return []
    }
    var exchanges: [Exchange] = []
    for (index, value) in list.items.enumerated() {
      if let exchange = readExchange(value, number: index + 1, at: path + [.item(index)]) { exchanges.append(exchange) }
    }
    return exchanges
  }

  private mutating func readExchange(_ value: Value, number: Int, at path: [JSONStep]) -> Exchange? {
    let known = ["delay", "failure", "message", "request", "response", "responses"]
    guard let fields = fields(of: value, at: path, known: known) else { return nil }
    var request: ExpectedRequest?
    if let found = fields["request"] {
      request = readRequest(found, at: path + [.key("request")])
    } else {
      complain(path, "'request' is missing")
    }
    let answers = readAnswers(fields, at: path)
    guard let request, let answers else { return nil }
    return Exchange(number: number, request: request, answers: answers)
  }

  private mutating func readAnswers(_ fields: [String: Value], at path: [JSONStep]) -> Exchange.Answers? {
    let given = ["failure", "response", "responses"].filter { fields[$0] != nil }
    guard given.count == 1 else {
      if given.isEmpty {
        complain(path, "has no answer", help: "give it a 'response', 'responses' or a 'failure'")
      } else {
        complain(path + [.key(given[1])], "'\(given[0])' and '\(given[1])' exclude each other", aboutKey: true)
      }
      return nil
    }
    if given[0] != "failure" {
      for key in ["delay", "message"] where fields[key] != nil {
        let help = key == "delay" ? "a response has a 'delay' of its own" : nil
        complain(path + [.key(key)], "'\(key)' belongs to a 'failure'", help: help, aboutKey: true)
      }
    }
    if let response = fields["response"] {
      return readResponse(response, at: path + [.key("response")]).map { .always($0) }
    }
    if let list = fields["responses"] { return readResponses(list, at: path + [.key("responses")]) }
    return readFailure(fields, at: path).map { .always($0) }
  }

  private mutating func readResponses(_ list: Value, at path: [JSONStep]) -> Exchange.Answers? {
    guard list.kind == .array else {
      mismatch(path, "a list", list)
      return nil
    }
    let items = list.items
    if items.isEmpty { complain(path, "is empty: it would never answer") }
    var answers: [Answer] = []
    for (index, item) in items.enumerated() {
      if let answer = readResponse(item, at: path + [.item(index)], mayFail: true) { answers.append(answer) }
    }
    return answers.count == items.count && !items.isEmpty ? .inTurn(answers) : nil
  }
}
