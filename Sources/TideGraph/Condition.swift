import TideValue

/// What must hold of a value: a function, or what must stand at which path.
public enum Condition: Sendable {
  case function(FunctionID)
  case paths([Requirement])

  public struct Requirement: Sendable {
    public let path: Path
    /// A value (types are compared strictly), a list of values, or `{ min =, max =, matches =, exists = }`.
    public let wanted: Expression

    public init(path: Path, wanted: Expression) {
      self.path = path
      self.wanted = wanted
    }
  }

  /// The keys of a requirement that is a table.
  public static let bounds = ["min", "max", "matches", "exists"]
}

extension Condition.Requirement {
  /// Nil if it holds, else what is wrong, to be read after the name of what was tested.
  public func complaint(about subject: Value, wanted: Value) -> String? {
    let found: Value?
    do {
      found = try path.find(in: subject)
    } catch {
      return "'\(path)' \(error.message)"
    }
    if wanted.kind == .object { return complaint(about: found, bounds: wanted) }
    guard let found else { return "'\(path)' is missing (expected \(wanted.excerpt))" }
    let choices = wanted.kind == .array ? wanted.items : [wanted]
    if choices.contains(where: { $0.kind == found.kind && $0 == found }) { return nil }
    let expected = choices.map(\.excerpt).joined(separator: " or ")
    return "'\(path)' is \(found.excerpt), expected \(expected)"
  }

  private func complaint(about found: Value?, bounds: Value) -> String? {
    if let exists = bounds["exists"]?.bool, exists != (found != nil) {
      return exists ? "'\(path)' is missing" : "'\(path)' is there, and must not be"
    }
    guard let found else {
      let isNeeded = bounds["min"] != nil || bounds["max"] != nil || bounds["matches"] != nil
      return isNeeded ? "'\(path)' is missing" : nil
    }
    for bound in [bounds["min"], bounds["max"]] {
      guard let bound, bound.kind != found.kind else { continue }
      return "'\(path)' is \(found.excerpt), \(found.kind.name), where \(bound.kind.name) is expected"
    }
    if let minimum = bounds["min"], Value.compare(found, minimum) < 0 {
      return "'\(path)' is \(found.excerpt), less than \(minimum.excerpt)"
    }
    if let maximum = bounds["max"], Value.compare(found, maximum) > 0 {
      return "'\(path)' is \(found.excerpt), more than \(maximum.excerpt)"
    }
    if let pattern = bounds["matches"]?.string {
      guard let text = found.string else { return "'\(path)' is \(found.kind.name), not a text" }
      do {
        guard try LuaPattern(pattern).matches(text) else {
          return "'\(path)' is \(found.excerpt), which does not match \"\(pattern)\""
        }
      } catch {
        return "'\(path)' can't be tested: \(error)"
      }
    }
    return nil
  }
}

extension Condition.Requirement {
  /// The same test as data, for lists of many items: no value is made of an item that it does not need.
  ///
  /// - Throws: a pattern that is none, which only a handle can bring.
  public func tests(wanted: Value) throws(Failure) -> [TideValue.Requirement] {
    guard wanted.kind == .object else {
      let test: TideValue.Requirement.Test = wanted.kind == .array ? .oneOf(wanted.items) : .equals(wanted)
      return [TideValue.Requirement(path: path, test: test)]
    }
    var tests: [TideValue.Requirement] = []
    if wanted["min"] != nil || wanted["max"] != nil {
      tests.append(TideValue.Requirement(path: path, test: .range(minimum: wanted["min"], maximum: wanted["max"])))
    }
    if let exists = wanted["exists"]?.bool { tests.append(TideValue.Requirement(path: path, test: .exists(exists))) }
    if let text = wanted["matches"]?.string {
      do {
        let pattern = try LuaPattern(text)
        let matches: @Sendable (Value) throws -> Bool = { try $0.string.map { try pattern.matches($0) } ?? false }
        tests.append(TideValue.Requirement(path: path, test: .satisfies(matches)))
      } catch {
        throw Failure(.type, "'\(path)' can't be tested: \(error)")
      }
    }
    return tests
  }
}

extension Value {
  /// Short enough to stand in a message.
  public var excerpt: String {
    // What follows the first flush can't show, and may be megabytes.
    var beginning: [UInt8] = []
    var writer = unsafe ByteWriter { bytes in
      unsafe beginning = Array(bytes.prefix(1_000))
      return false
    }
    write(to: &writer)
    writer.flush()
    let text = String(decoding: beginning, as: UTF8.self)
    return text.utf8.count > 60 ? String(text.prefix(57)) + "..." : text
  }
}
