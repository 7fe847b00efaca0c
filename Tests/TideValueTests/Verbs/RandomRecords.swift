@testable import TideValue

extension Seeded {
  /// A value that is equal to others now and then, written in one way or another.
  mutating func key() -> String {
    pick([
      "1", "1.0", "10e-1", "2", "20e-1", "-0", "0", "0.0", "\"1\"", "\"a\"", "\"\\u0061\"", "\"b\"", "null", "true",
      "false",
      "[1]", "[1.0]", "[]", "{}", "{\"x\":1,\"y\":2}", "{\"y\":2,\"x\":1.0}", "{\"x\":9,\"x\":1,\"y\":2}", "1e400",
      "10e399",
      "123456789012345678901234567890", "1.5", "15e-1", "\"a longer text that does not fit into eight bytes\"",
    ])
  }

  /// An object with some of these fields, in random order.
  mutating func record(_ names: [String]) -> String {
    let fields = names.shuffled(using: &self).prefix(below(names.count + 1)).map { "\"\($0)\": \(key())" }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// A list of objects: as text, put together, or some items of it either way.
  mutating func records(_ names: [String], count: Int) throws -> Value {
    let text = "[" + (0..<count).map { _ in record(names) }.joined(separator: pick([",", ", "])) + "]"
    let list = try Value.parse(text)
    switch below(3) {
    case 0: return list
    case 1: return .array(list.items.map { .object($0.fields) })
    default: return .array(list.items.map { below(2) == 0 ? .object($0.fields) : $0 })
    }
  }
}

/// A path that a test wrote.
func path(_ text: String) -> Path {
  do { return try Path(text) } catch { fatalError("\(error)") }
}

/// Parsed JSON that a test wrote.
func json(_ text: String) -> Value {
  do { return try Value.parse(text) } catch { fatalError("\(error)") }
}

/// What `body` fails with.
func refusal(_ body: () throws -> Value) -> String? {
  do {
    _ = try body()
    return nil
  } catch { return "\(error)" }
}

extension Path {
  /// What is there, null being nothing.
  func key(of item: Value) -> Value? {
    let value = try? find(in: item)
    return value?.isNull == true ? nil : value
  }
}

extension [Path] {
  /// The values of a key, unless one of them is missing.
  func key(of item: Value) -> [Value]? {
    let values = compactMap { $0.key(of: item) }
    return values.count == count ? values : nil
  }

  /// The values of a key, null for what is missing.
  func nullableKey(of item: Value) -> [Value] { map { (try? $0.find(in: item)) ?? .null } }
}
