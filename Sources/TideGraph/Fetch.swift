import TideValue

/// A request that a step makes while it runs (`tide.fetch`).
public struct Fetch: Sendable {
  public let spec: RequestSpec
  /// `timeout`, `deadline`, `retry` and `queue`.
  public let options: NodeOptions?

  /// Takes the options that a request knows, with the values that they have in the step.
  ///
  /// - Throws: everything that is wrong with them.
  public init(options given: [Argument.Entry], isExtra: Bool) throws(Failure) {
    let declaration = Declaration(verb: "request", name: "fetch", place: .none, options: given)
    var reader = OptionReader(declaration, sources: Sources(), names: PlanBuilder())
    guard !isExtra else { throw Failure(.request, "tide.fetch takes named options only: GET = url, json = ...") }
    for entry in given where NodeOptions.ofPlan.contains(entry.key) {
      throw Failure(.request, "tide.fetch knows no option '\(entry.key)'", help: "it belongs to a node of the plan")
    }
    let verb = reader.readVerb()
    let options = reader.readNodeOptions()
    reader.finish()
    if let first = reader.diagnostics.first(where: { $0.severity == .error }) {
      let message =
        first.message.hasPrefix("request \"fetch\": ")
        ? "tide.fetch: " + first.message.dropFirst("request \"fetch\": ".count) : first.message
      throw Failure(.request, message, help: first.help)
    }
    guard case .request(let spec) = verb else { throw Failure(.request, "tide.fetch takes a request's options") }
    guard spec.expectation.function == nil else {
      throw Failure(.request, "tide.fetch: 'expect' is a function", help: "look at the value that it returns")
    }
    self.spec = spec
    self.options = options
  }
}

extension NodeOptions {
  /// What only a node of the plan can have.
  fileprivate static let ofPlan: Set<String> = [
    "after", "needs", "when", "otherwise", "always", "secret", "doc", "cache",
  ]
}
