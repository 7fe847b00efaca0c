import Foundation

/// As much of JSON Schema (draft 2020-12) as the schema of fixtures uses.
struct Schema {
  let root: [String: Any]

  init(path: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    root = object as? [String: Any] ?? [:]
  }

  func accepts(_ text: String) throws -> Bool {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
    return try accepts(value, root)
  }

  private func accepts(_ value: Any, _ schema: [String: Any]) throws -> Bool {
    for (keyword, argument) in schema where try !accepts(value, keyword, argument, schema) { return false }
    return true
  }

  private func accepts(_ value: Any, _ keyword: String, _ argument: Any, _ schema: [String: Any]) throws -> Bool {
    switch (keyword, argument) {
    case ("$schema", _), ("$defs", _), ("title", _), ("description", _), ("properties", _): break
    case ("$ref", let name as String): return try accepts(value, definition(name))
    case ("oneOf", let list as [[String: Any]]): return try list.filter { try accepts(value, $0) }.count == 1
    case ("allOf", let list as [[String: Any]]): return try list.allSatisfy { try accepts(value, $0) }
    case ("not", let other as [String: Any]): return try !accepts(value, other)
    case ("type", let name as String): return isOf(value, name)
    case ("type", let names as [String]): return names.contains { isOf(value, $0) }
    case ("const", _): return isOf(value, "boolean") && (value as? Bool) == (argument as? Bool)
    case ("enum", let list as [String]): return (value as? String).map(list.contains) ?? false
    case ("pattern", let pattern as String):
      return try (value as? String).map { try $0.contains(Regex(pattern)) } ?? true
    case ("minimum", let limit as Double): return (value as? Double).map { $0 >= limit } ?? true
    case ("maximum", let limit as Double): return (value as? Double).map { $0 <= limit } ?? true
    case ("minItems", let limit as Int): return (value as? [Any]).map { $0.count >= limit } ?? true
    case ("required", let names as [String]):
      return (value as? [String: Any]).map { object in names.allSatisfy { object[$0] != nil } } ?? true
    case ("items", let item as [String: Any]):
      return try (value as? [Any])?.allSatisfy { try accepts($0, item) } ?? true
    case ("additionalProperties", _): return try acceptsFields(value, argument, schema)
    default: throw Unknown(keyword: keyword)
    }
    return try keyword == "properties" ? acceptsFields(value, true, schema) : true
  }

  struct Unknown: Error {
    let keyword: String
  }

  private func acceptsFields(_ value: Any, _ others: Any, _ schema: [String: Any]) throws -> Bool {
    guard let object = value as? [String: Any] else { return true }
    let known = schema["properties"] as? [String: [String: Any]] ?? [:]
    return try object.allSatisfy { key, field in
      if let schema = known[key] { return try accepts(field, schema) }
      if let schema = others as? [String: Any] { return try accepts(field, schema) }
      return others as? Bool ?? false
    }
  }

  private func definition(_ name: String) throws -> [String: Any] {
    let definitions = root["$defs"] as? [String: [String: Any]] ?? [:]
    guard let found = definitions[String(name.dropFirst("#/$defs/".count))] else { throw Unknown(keyword: name) }
    return found
  }

  private func isOf(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": return value is NSNull
    case "string": return value is String
    case "array": return value is [Any]
    case "object": return value is [String: Any]
    default: break
    }
    guard let number = value as? NSNumber, !(value is String) else { return false }
    let isBoolean = CFGetTypeIDIsBoolean(number)
    switch type {
    case "boolean": return isBoolean
    case "number": return !isBoolean
    case "integer": return !isBoolean && number.doubleValue == number.doubleValue.rounded()
    default: return false
    }
  }
}

/// `true` and `1` are both numbers to JSONSerialization; only their Objective-C types tell them apart.
private func CFGetTypeIDIsBoolean(_ number: NSNumber) -> Bool {
  String(cString: number.objCType) == "c" || number === (true as NSNumber) || number === (false as NSNumber)
}
