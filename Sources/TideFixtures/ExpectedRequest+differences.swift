import TideGraph
import TideValue

/// One thing in which a request is not as expected.
struct Difference: Sendable, Equatable {
  /// `form.uid`.
  let path: String
  /// `wanted "7", got "8"`.
  let detail: String
  /// How far apart it sets the two.
  var weight = 1

  var description: String { "\(path): \(detail)" }
}

extension ExpectedRequest {
  /// Everything in which the request differs; none if it matches. A body's differences end after a hundred.
  func differences(from received: ReceivedRequest) -> [Difference] {
    var differences = placeDifferences(from: received)
    switch query {
    case .any: break
    case .pairs(let wanted): differences += pairDifferences("query", wanted: wanted, got: received.address.query)
    case .tests(let tests): differences += testDifferences("query", tests, got: received.address.query)
    }
    for expected in body { differences += bodyDifferences(expected, from: received) }
    return differences + testDifferences("headers", headers, got: received.request.headers)
  }

  /// Method and URL: what makes two requests different ones.
  func placeDifferences(from received: ReceivedRequest) -> [Difference] {
    var differences: [Difference] = []
    if let method, method != received.request.method {
      differences.append(
        Difference(path: "method", detail: "wanted \(method), got \(received.request.method)", weight: 3))
    }
    if let origin, let got = received.address.origin, origin != got {
      differences.append(Difference(path: "url", detail: "wanted \(origin), got \(got)", weight: 2))
    }
    if !path.matches(received.address) {
      let (wanted, got) = (path.description, received.address.path)
      let (a, b) = (wanted.split(separator: "/"), got.split(separator: "/"))
      let segments = zip(a, b).count { $0 != $1 && !$0.hasPrefix("{") } + abs(a.count - b.count)
      differences.append(Difference(path: "url", detail: "wanted \(wanted), got \(got)", weight: 3 * max(1, segments)))
    }
    return differences
  }

  private func bodyDifferences(_ expected: Body, from received: ReceivedRequest) -> [Difference] {
    switch expected {
    case .form(let wanted):
      guard let got = received.form else { return [Difference(path: "form", detail: "the request has none")] }
      return pairDifferences("form", wanted: wanted, got: got)
    case .formTests(let tests):
      return testDifferences("form", tests, got: received.form ?? [])
    case .json(let test):
      guard let body = received.request.body else {
        return [Difference(path: "json", detail: "the request has no body")]
      }
      guard let got = received.json else {
        return [Difference(path: "json", detail: "the request's body of \(body.count) bytes is not JSON")]
      }
      return test.differences(from: got)
    case .text(let wanted):
      if let got = received.request.body, got.bytes.elementsEqual(wanted.utf8) { return [] }
      return [Difference(path: "body", detail: "wanted \(quoted([wanted])), got \(shownBody(of: received))")]
    case .test(let test?):
      if let got = received.text, test.holds(for: got) { return [] }
      return [Difference(path: "body", detail: "wanted \(test.description), got \(shownBody(of: received))")]
    case .test(nil):
      if received.request.body.map({ $0.count == 0 }) ?? true { return [] }
      return [Difference(path: "body", detail: "wanted none, got \(shownBody(of: received))")]
    }
  }

  private func shownBody(of received: ReceivedRequest) -> String {
    received.request.body.map { Value(text: $0)?.excerpt ?? "\($0.count) bytes" } ?? "nothing"
  }

  /// What must hold of the values of a name; names of headers compare without their case.
  private func testDifferences(_ path: String, _ tests: [FieldTest], got pairs: [NamedText]) -> [Difference] {
    let areHeaders = path == "headers"
    return tests.compactMap { field in
      let got = pairs.filter { pair in
        areHeaders ? pair.name.equalsIgnoringCase(field.name) : pair.name.isIdentical(to: field.name)
      }.map(\.value)
      guard !field.holds(for: got) else { return nil }
      let name = areHeaders ? field.name.lowercased() : field.name
      if areHeaders, isConfidential(name) {
        let detail = got.isEmpty ? "is missing" : field.test == nil ? "must not be there" : "has another value"
        return Difference(path: "\(path).\(name)", detail: detail)
      }
      let wanted = field.test.map(\.description) ?? "none"
      return Difference(path: "\(path).\(name)", detail: "wanted \(wanted), got \(quoted(got))")
    }
  }

  /// Two lists of pairs, compared as multisets: name by name.
  private func pairDifferences(_ path: String, wanted: ExpectedPairs, got: [NamedText]) -> [Difference] {
    if wanted.loose.isEmpty, wanted.exact.isIdentical(to: got) { return [] }
    var names: [[UInt8]] = []
    var values: [[UInt8]: ValuesOfName] = [:]
    func add(_ name: String, _ change: (inout ValuesOfName) -> Void) {
      let name = Array(name.utf8)
      if values[name] == nil { names.append(name) }
      change(&values[name, default: ValuesOfName()])
    }
    for pair in wanted.exact { add(pair.name) { $0.exact.append(pair.value) } }
    for (name, wildcard) in wanted.loose { add(name) { $0.loose.append(wildcard) } }
    for pair in got { add(pair.name) { $0.got.append(pair.value) } }
    return names.compactMap { name in
      guard let values = values[name], !values.isMatch else { return nil }
      let wanted = values.exact + values.loose.map(\.text)
      let detail =
        wanted.isEmpty
        ? "not expected, got \(quoted(values.got))" : "wanted \(quoted(wanted)), got \(quoted(values.got))"
      return Difference(path: "\(path).\(String(decoding: name, as: UTF8.self))", detail: detail)
    }
  }
}

/// The values that one name should have, and those it has.
private struct ValuesOfName {
  var exact: [String] = []
  var loose: [Wildcard] = []
  var got: [String] = []

  /// Whether each value that is wanted has one of its own, and none is left.
  var isMatch: Bool {
    guard exact.count + loose.count == got.count else { return false }
    if loose.isEmpty { return exact.isPermutation(of: got) }
    var left = got
    for value in exact {
      guard let place = left.firstIndex(where: { $0.isIdentical(to: value) }) else { return false }
      left.remove(at: place)
    }
    for wildcard in loose {
      guard let place = left.firstIndex(where: { wildcard.matches($0) }) else { return false }
      left.remove(at: place)
    }
    return true
  }
}

/// `"7"`, `"1" and "2"`, or `nothing`.
private func quoted(_ texts: [String]) -> String {
  texts.isEmpty ? "nothing" : texts.map { Value($0).excerpt }.joined(separator: " and ")
}

/// Whether a header's value is one that no message shows.
private func isConfidential(_ name: String) -> Bool {
  ["authorization", "proxy-authorization", "cookie"].contains(name)
}

extension String {
  /// The same bytes: Swift's own `==` holds texts equal that only look the same.
  func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension [NamedText] {
  fileprivate func isIdentical(to other: [NamedText]) -> Bool {
    elementsEqual(other) { $0.name.isIdentical(to: $1.name) && $0.value.isIdentical(to: $1.value) }
  }
}

extension [String] {
  fileprivate func isPermutation(of other: [String]) -> Bool {
    guard count == other.count else { return false }
    let byBytes: (String, String) -> Bool = { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return sorted(by: byBytes).elementsEqual(other.sorted(by: byBytes)) { $0.isIdentical(to: $1) }
  }
}
