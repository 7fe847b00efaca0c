import TideValue

extension Plan.Result {
  /// The result of a run: what is absent (skipped, failed, blocked, cancelled) is left out of a table, and null in a list.
  /// Nil if it is all absent.
  ///
  /// - Parameter isPresent: whether a node ended ok.
  /// - Throws: a field or a path of a present value that is not there.
  public func value(_ answers: some Answers, isPresent: (NodeID) -> Bool) throws(Failure) -> Value? {
    switch self {
    case .expression(let expression):
      var isWhole = true
      expression.forEachDependency { node, need in
        if need != .question, !isPresent(node) { isWhole = false }
      }
      return isWhole ? try expression.evaluate(answers) : nil
    case .list(let items):
      var values: [Value] = []
      for item in items { values.append(try item.value(answers, isPresent: isPresent) ?? .null) }
      return .array(values)
    case .table(let fields):
      var values: [(key: String, value: Value)] = []
      for field in fields {
        if let value = try field.value.value(answers, isPresent: isPresent) { values.append((field.key, value)) }
      }
      return .object(values)
    }
  }
}
