import TideValue

/// What a run is given, by name.
public struct GivenInputs: Sendable {
  /// A value, or a text from a command line that is still to be converted to the input's type.
  public enum Given: Sendable {
    case value(Value)
    case text(String)
  }

  public var inputs: [String: Given] = [:]
  public var secrets: [String: String] = [:]

  public init(inputs: [String: Given] = [:], secrets: [String: String] = [:]) {
    self.inputs = inputs
    self.secrets = secrets
  }
}

extension Plan {
  /// The values of the inputs and secrets, by node.
  ///
  /// - Parameter environment: looks a variable up, for secrets that nobody gave.
  /// - Throws: every input that is missing, of the wrong type, or not declared.
  public func bind(
    _ given: GivenInputs, environment: (String) -> String? = { _ in nil }
  ) throws(Diagnostics) -> [NodeID: Value] {
    var values: [NodeID: Value] = [:]
    var diagnostics: [Diagnostic] = []
    var inputNames: [String] = []
    var secretNames: [String] = []
    for node in nodeIDs {
      let name = nodes[node].name
      let location = sources.location(nodes[node].place)
      switch nodes[node].verb {
      case .input(let spec):
        inputNames.append(name)
        do {
          values[node] = try spec.value(given: given.inputs[name], name: name)
        } catch {
          var diagnostic = error
          diagnostic.location = location
          diagnostics.append(diagnostic)
        }
      case .secret(let spec):
        secretNames.append(name)
        if let text = given.secrets[name] ?? environment(spec.variable) {
          values[node] = Value(text)
        } else {
          diagnostics.append(
            Diagnostic(
              .missingInput, "the secret '\(name)' is missing", at: location,
              help: "give it with --secret \(name)=... or in the environment variable \(spec.variable)"))
        }
      default: break
      }
    }
    diagnostics += undeclared(given.inputs.keys, "input", known: inputNames)
    diagnostics += undeclared(given.secrets.keys, "secret", known: secretNames)
    if !diagnostics.isEmpty { throw Diagnostics(diagnostics, sources: sources) }
    return values
  }

  private func undeclared(_ given: some Sequence<String>, _ noun: String, known: [String]) -> [Diagnostic] {
    given.sorted().filter { !known.contains($0) }.map { name in
      let listed =
        known.isEmpty ? "the script declares no \(noun)" : "the \(noun)s are: \(known.joined(separator: ", "))"
      return Diagnostic(
        .unknownInput, "the script declares no \(noun) '\(name)'", help: didYouMean(name, among: known) ?? listed)
    }
  }
}

extension InputSpec {
  func value(given: GivenInputs.Given?, name: String) throws(Diagnostic) -> Value {
    let value: Value
    switch given {
    case nil:
      guard let fallback else {
        throw Diagnostic(
          .missingInput, "the input '\(name)' is missing", help: "give it with --input \(name)=... or in --inputs FILE")
      }
      return fallback
    case .value(let given)?: value = given
    case .text(let text)?: value = try converted(text, name: name)
    }
    if let complaint = complaint(about: value) { throw Diagnostic(.inputType, "the input '\(name)' \(complaint)") }
    return value
  }

  /// What is wrong with a value of this input, to be read after its name; or nil.
  func complaint(about value: Value) -> String? {
    if let type, !type.accepts(value) {
      return "is \(value.excerpt), where \(type.noun) is expected"
    }
    if let allowed, !allowed.contains(value) {
      return "is \(value.excerpt), where one of \(allowed.map(\.excerpt).joined(separator: ", ")) is expected"
    }
    return nil
  }

  private func converted(_ text: String, name: String) throws(Diagnostic) -> Value {
    guard let type, type != .text else { return Value(text) }
    if let value = try? Value.parse(text), type.accepts(value) { return value }
    throw Diagnostic(.inputType, "the input '\(name)' is \"\(text)\", where \(type.noun) is expected")
  }
}

extension InputSpec.Kind {
  func accepts(_ value: Value) -> Bool {
    switch self {
    case .text: value.kind == .string
    case .integer: value.int64 != nil
    case .number: value.kind == .number
    case .boolean: value.kind == .boolean
    case .list: value.kind == .array
    case .object: value.kind == .object
    }
  }

  var noun: String {
    switch self {
    case .text: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
