import TideValue

/// The verbs that wait.
extension OptionReader {
  mutating func readBarrier() -> Verb {
    .barrier(
      BarrierSpec(inputs: joinInputs(inputs()), wait: readWait(), cancelsRest: boolean("cancel_rest") ?? false))
  }

  mutating func readFallback() -> Verb {
    let inputs = joinInputs(inputs())
    if inputs.isEmpty {
      complain(
        .badValue, "has no inputs, and could never give anything",
        help: "list what to try, one after the other: tide.fallback \"\(declaration.name)\" { first, second }")
    }
    for (index, input) in inputs.enumerated() where index + 1 < inputs.count && input.onlyNode == nil {
      complain(
        .badValue, "input [\(index + 1)] is a plain value, which never fails: what comes after it is never tried",
        help: "a plain value may stand last")
    }
    return .fallback(FallbackSpec(inputs: inputs))
  }

  mutating func readSignal() -> Verb {
    noInputs()
    return .signal(SignalSpec(count: integer("count", in: 1...Int64(Int32.max)) ?? 1))
  }

  mutating func readSleep() -> Verb {
    let example = "write tide.sleep \"\(declaration.name)\" { \"5s\", after = { other } }"
    guard declaration.inputs.count == 1 else {
      complain(
        .badValue, "takes one length of time, and has \(declaration.inputs.count) inputs", help: example)
      return .sleep(.literal(.null))
    }
    if case .expression(let length) = declaration.inputs[0] { return .sleep(length) }
    guard let length = duration(declaration.inputs[0], named: "[1]") else { return .sleep(.literal(.null)) }
    return .sleep(.literal(Value(length.milliseconds / 1000) ?? .null))
  }

  /// What a join counts: each input may use one node, so that it is clear which input ended how.
  mutating func joinInputs(_ inputs: [Expression]) -> [Expression] {
    for (index, input) in inputs.enumerated() {
      var nodes = Set<NodeID>()
      input.forEachDependency { node, _ in nodes.insert(node) }
      guard nodes.count > 1 else { continue }
      let used = nodes.sorted().map { names.name(of: $0) }.joined(separator: ", ")
      complain(
        .badValue, "input [\(index + 1)] is made of several nodes (\(used))",
        help: "give each node as an input of its own")
    }
    return inputs
  }

  mutating func readWait() -> Wait {
    guard let argument = argument("wait") else { return .all }
    guard case .value(let value) = argument else {
      mismatch("wait", "\"all\", \"settled\" or a number", argument)
      return .all
    }
    switch (value.string, value.int64) {
    case ("all", _): return .all
    case ("settled", _): return .settled
    case (_, let number?) where number >= 1:
      if number > declaration.inputs.count {
        complain(
          .badValue, "waits for \(number) of its \(declaration.inputs.count) inputs, and can never open", at: "wait")
      }
      return .atLeast(Int(clamping: number))
    default:
      complain(.badValue, "'wait' is \(value): \"all\", \"settled\" or a number from 1 on is expected", at: "wait")
      return .all
    }
  }
}
