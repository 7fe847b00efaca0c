import TideGraph
import TideValue

/// WireMock's matchers of a text.
extension ExchangeReader {
  private static let matchers = [
    "and", "contains", "doesNotContain", "doesNotMatch", "equalTo", "equalToJson", "matches", "matchesJsonPath", "not",
    "or",
  ]
  /// What may stand beside a matcher.
  private static let companions = [
    "equalTo": ["caseInsensitive"], "equalToJson": ["ignoreArrayOrder", "ignoreExtraElements"],
  ]

  mutating func readTextTest(_ value: Value, at path: [JSONStep], depth: Int = 0) -> TextTest? {
    guard depth < 50 else {
      complain(path, "is nested too deep")
      return nil
    }
    let companions = ExchangeReader.companions.values.flatMap { $0 }.sorted()
    guard let fields = supported(value, at: path, ExchangeReader.matchers + companions) else { return nil }
    guard let key = oneOf(ExchangeReader.matchers, in: fields, at: path), let wanted = fields[key] else {
      if fields.count == value.count {
        complain(path, "has no matcher", help: "supported here: \(ExchangeReader.matchers.joined(separator: ", "))")
      }
      return nil
    }
    for other in fields.keys.sorted() where other != key {
      if ExchangeReader.companions[key]?.contains(other) == true || ExchangeReader.matchers.contains(other) { continue }
      complain(path + [.key(other)], "'\(other)' does not belong to '\(key)'", aboutKey: true)
    }
    return readMatcher(key, wanted, fields, at: path + [.key(key)], depth: depth)
  }

  private mutating func readMatcher(
    _ key: String, _ wanted: Value, _ fields: [String: Value], at path: [JSONStep], depth: Int
  ) -> TextTest? {
    switch key {
    case "equalTo":
      let ignoresCase = fields["caseInsensitive"]?.bool == true
      return text(wanted, at: path).map { ignoresCase ? .equalsIgnoringCase($0) : .equals($0) }
    case "contains": return text(wanted, at: path).map { .contains($0) }
    case "doesNotContain": return text(wanted, at: path).map { .not(.contains($0)) }
    case "matches": return text(wanted, at: path).flatMap { regexp($0, at: path) }.map { .matches($0) }
    case "doesNotMatch": return text(wanted, at: path).flatMap { regexp($0, at: path) }.map { .not(.matches($0)) }
    case "equalToJson": return readEqualToJSON(wanted, fields, at: path).map { .json($0) }
    case "matchesJsonPath": return readJSONPathTest(wanted, at: path, depth: depth).map { .json($0) }
    case "not": return readTextTest(wanted, at: path, depth: depth + 1).map { .not($0) }
    default:
      guard wanted.kind == .array else {
        mismatch(path, "a list", wanted)
        return nil
      }
      let items = wanted.items
      let tests = items.enumerated().compactMap { readTextTest($1, at: path + [.item($0)], depth: depth + 1) }
      guard tests.count == items.count else { return nil }
      return key == "and" ? .all(tests) : .any(tests)
    }
  }

  private mutating func readEqualToJSON(
    _ wanted: Value, _ fields: [String: Value], at path: [JSONStep]
  ) -> JSONTest? {
    var value = wanted
    if let text = wanted.string {
      do {
        value = try Value.parse(text)
      } catch {
        complain(path, "is no valid JSON: \(error.message)")
        return nil
      }
    }
    if value.json().contains("${json-unit".utf8) {
      complain(path, "has a placeholder '${json-unit...}', which is not supported here")
      return nil
    }
    return .like(
      value,
      JSONRule(
        allowsMore: fields["ignoreExtraElements"]?.bool == true, ignoresOrder: fields["ignoreArrayOrder"]?.bool == true)
    )
  }

  /// A JSONPath, or one with a matcher of what it finds.
  private mutating func readJSONPathTest(_ wanted: Value, at path: [JSONStep], depth: Int) -> JSONTest? {
    if let text = wanted.string { return jsonPath(text, at: path).map { .finds($0, nil) } }
    guard wanted.kind == .object, let expression = wanted["expression"] else {
      mismatch(path, "a JSONPath, or an object with 'expression'", wanted)
      return nil
    }
    guard let text = text(expression, at: path + [.key("expression")]),
      let found = jsonPath(text, at: path + [.key("expression")])
    else { return nil }
    let matcher = Value.object(wanted.fields.filter { $0.key != "expression" })
    guard matcher.count > 0 else { return .finds(found, nil) }
    return readTextTest(matcher, at: path, depth: depth + 1).map { .finds(found, $0) }
  }

  private mutating func jsonPath(_ text: String, at path: [JSONStep]) -> Path? {
    guard text.hasPrefix("$") else {
      complain(path, "is \(Value(text).excerpt), where a JSONPath that begins with $ is expected")
      return nil
    }
    do {
      return try Path(text)
    } catch {
      complain(path, "is no JSONPath of RFC 9535: character \(error.column): \(error.message)")
      return nil
    }
  }
}
