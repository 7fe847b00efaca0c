import TideGraph
import TideValue

/// WireMock's stub mappings (https://wiremock.org/docs/stubbing): one, or `{ "mappings": [ ... ] }`. What is not
/// supported is an error that names it: a mapping that was read in part would answer what it should not.
extension ExchangeReader {
  private static let ofMapping = [
    "id", "insertionIndex", "metadata", "name", "newScenarioState", "persistent", "priority", "request",
    "requiredScenarioState", "response", "scenarioName", "uuid",
  ]

  /// In the order in which they serve: the lowest priority number first, then the last added.
  mutating func readMappings(of root: Value) -> [Exchange] {
    PrioritisedExchange.inOrder(readPrioritised(root))
  }

  /// In the order of the file.
  mutating func readPrioritised(_ root: Value) -> [PrioritisedExchange] {
    guard let list = root["mappings"] else {
      return readMapping(root, number: offset + 1, at: []).map { [$0] } ?? []
    }
    _ = supported(root, at: [], ["mappings", "meta"])
    guard list.kind == .array else {
      complain([.key("mappings")], "'mappings' is \(list.kind.name), where a list of mappings is expected")
      return []
    }
    return list.items.enumerated().compactMap { index, value in
      readMapping(value, number: offset + index + 1, at: [.key("mappings"), .item(index)])
    }
  }

  mutating func readMapping(_ value: Value, number: Int, at path: [JSONStep]) -> PrioritisedExchange? {
    guard let fields = supported(value, at: path, ExchangeReader.ofMapping) else { return nil }
    guard let asked = fields["request"], let answer = fields["response"] else {
      complain(path, "'\(fields["request"] == nil ? "request" : "response")' is missing")
      return nil
    }
    let request = readMappedRequest(asked, at: path + [.key("request")])
    let response = readMappedResponse(answer, at: path + [.key("response")])
    var priority: Int64 = 5
    if let given = fields["priority"], !given.isNull {
      if let number = given.int64 {
        priority = number
      } else {
        mismatch(path + [.key("priority")], "a whole number", given)
      }
    }
    let scenario = readScenario(fields, at: path)
    guard let request, let response else { return nil }
    return PrioritisedExchange(
      exchange: Exchange(number: number, request: request, answers: .always(response), scenario: scenario),
      priority: priority)
  }

  private mutating func readScenario(_ fields: [String: Value], at path: [JSONStep]) -> Exchange.Scenario? {
    func given(_ key: String, _ reader: inout ExchangeReader) -> String? {
      guard let value = fields[key], !value.isNull else { return nil }
      return reader.text(value, at: path + [.key(key)])
    }
    let required = given("requiredScenarioState", &self)
    let next = given("newScenarioState", &self)
    guard let name = given("scenarioName", &self) else {
      if required != nil || next != nil { complain(path, "has a state of a scenario, and no 'scenarioName'") }
      return nil
    }
    return Exchange.Scenario(name: name, required: required, next: next)
  }

  /// The fields of an object; complains of each that is not supported.
  mutating func supported(_ value: Value, at path: [JSONStep], _ known: [String]) -> [String: Value]? {
    fields(
      of: value, at: path, known: known, complaint: { "WireMock's '\($0)' is not supported here" },
      listed: "supported here")
  }
}

/// An exchange with WireMock's priority.
struct PrioritisedExchange {
  let exchange: Exchange
  let priority: Int64

  static func inOrder(_ exchanges: [PrioritisedExchange]) -> [Exchange] {
    exchanges.sorted { ($0.priority, -$0.exchange.number) < ($1.priority, -$1.exchange.number) }.map(\.exchange)
  }
}
