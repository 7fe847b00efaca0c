import TideGraph

extension GivenInputs {
  /// What the command line gives, and the files that it names, which are read now.
  init(_ invocation: Invocation, _ options: RunOptions) throws(Stop) {
    self.init()
    if let path = invocation.value(of: .inputs) {
      for field in try FileInput(path: path, noun: "inputs").object() { inputs[field.key] = .value(field.value) }
    }
    if let path = invocation.value(of: .secrets) {
      let file = FileInput(path: path, noun: "secrets")
      for field in try file.object(isSecret: true) {
        guard let text = field.value.string else {
          let problem = "is \(field.value.kind.name), where a text is expected"
          let diagnostic = Diagnostic(.inputsFile, "the secret '\(field.key)' in '\(file.name)' \(problem)")
          throw .diagnostics(Diagnostics([diagnostic], sources: Sources()))
        }
        secrets[field.key] = text
      }
    }
    for pair in options.inputs { inputs[pair.name] = .text(pair.value) }
    for pair in options.secrets { secrets[pair.name] = pair.value }
  }
}

extension Invocation {
  /// What stands before and after the first `=` of each value.
  func pairs(of option: Option) throws(Stop) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for given in values(of: option) {
      guard let equals = given.firstIndex(of: "="), equals > given.startIndex else {
        // A secret that was given without its name is not shown.
        let shown = option.name == Option.secret.name ? "" : " \(given)"
        throw .usage("'--\(option.name)\(shown)' is no NAME=VALUE", help: "write \(option.title)")
      }
      pairs.append((String(given[..<equals]), String(given[given.index(after: equals)...])))
    }
    return pairs
  }
}
