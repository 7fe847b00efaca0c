import TideFixtures
import TideGraph
import TideScript
import TideValue

/// What `test.run(script, { ... })` is given.
struct TestRunOptions {
  var inputs = GivenInputs()
  var fixtures = TestRunOptions.noFixtures
  var overrides: [(name: String, value: Value)] = []
  var timeout: Duration?
  var signals: [(name: String, value: Value)] = []

  static let names = ["inputs", "secrets", "fixtures", "override", "timeout", "signals"]
  /// Every request fails: the network is never touched.
  private static let noFixtures = try? Fixtures.parse(file: "fixtures", text: "[]")

  /// - Parameter folder: of the test file, from which paths are seen.
  init(_ value: Value, folder: String) throws(TestComplaint) {
    if value.isNull || value.kind == .array && value.count == 0 { return }
    guard value.kind == .object else {
      throw TestComplaint("the options of test.run are \(value.kind.name), where a table is expected")
    }
    for field in value.fields { try take(field.key, field.value, folder) }
  }

  private mutating func take(_ name: String, _ value: Value, _ folder: String) throws(TestComplaint) {
    switch name {
    case "inputs":
      for field in try TestRunOptions.fields(value, of: name) { inputs.inputs[field.key] = .value(field.value) }
    case "secrets":
      for field in try TestRunOptions.fields(value, of: name) {
        guard let text = field.value.string else {
          throw TestComplaint("the secret '\(field.key)' is \(field.value.kind.name), where a text is expected")
        }
        inputs.secrets[field.key] = text
      }
    case "fixtures": fixtures = try TestRunOptions.readFixtures(value, folder)
    case "override": overrides = try TestRunOptions.fields(value, of: name).map { ($0.key, $0.value) }
    case "timeout":
      guard let limit = Duration(value), limit > .zero else {
        throw TestComplaint(
          "'timeout' is \(value.shortened), and no length of time", help: "write \"30s\", or a number of seconds")
      }
      timeout = limit
    case "signals": signals = try TestRunOptions.readSignals(value)
    default:
      throw TestComplaint(
        "test.run has no option '\(name)'",
        help: didYouMean(name, among: TestRunOptions.names)
          ?? "there are: \(TestRunOptions.names.joined(separator: ", "))")
    }
  }

  private static func fields(
    _ value: Value, of name: String
  ) throws(TestComplaint) -> [(key: String, value: Value)] {
    if value.kind == .array, value.count == 0 { return [] }
    guard value.kind == .object else {
      throw TestComplaint("'\(name)' is \(value.kind.name), where a table of names and values is expected")
    }
    return value.fields
  }

  /// A path, or the exchanges themselves.
  private static func readFixtures(_ value: Value, _ folder: String) throws(TestComplaint) -> Fixtures {
    do throws(Diagnostics) {
      if let path = value.string { return try Fixtures.load(path: joined(folder, path)) }
      return try Fixtures.parse(file: "fixtures", bytes: Buffer(copying: value.json(.pretty)))
    } catch {
      let first = error.all.first
      throw TestComplaint(
        "the fixtures can't be used: \(first?.message ?? "they are wrong")", help: first?.help, diagnostics: error)
    }
  }

  /// `{ "approved", { name = "approved", value = 1 } }`, or `{ approved = value }`.
  private static func readSignals(_ value: Value) throws(TestComplaint) -> [(name: String, value: Value)] {
    guard value.kind == .array else { return try fields(value, of: "signals").map { ($0.key, $0.value) } }
    var signals: [(name: String, value: Value)] = []
    for item in value.items {
      guard let name = item.string ?? item["name"]?.string else {
        throw TestComplaint(
          "a signal is \(item.shortened), and has no name",
          help: "write \"approved\", or { name = \"approved\", value = 1 }")
      }
      signals.append((name, item["value"] ?? .null))
    }
    return signals
  }
}

/// A path as it is seen from a folder.
func joined(_ folder: String, _ path: String) -> String {
  if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
  return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
}
