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
    if case .pairs(let wanted) = query {
      differences += pairDifferences("query", wanted: wanted, got: received.address.query)
    }
    differences += bodyDifferences(from: received)
    for header in headers {
      let got = received.request.headers.filter { $0.name.equalsIgnoringCase(header.name) }.map(\.value)
      guard !got.contains(where: { $0.isIdentical(to: header.value) }) else { continue }
      let detail =
        header.isConfidential
        ? "\(got.isEmpty ? "is missing" : "has another value")"
        : "wanted \(quoted([header.value])), got \(quoted(got))"
      differences.append(Difference(path: "headers.\(header.name.lowercased())", detail: detail))
    }
    return differences
  }

  /// Method and URL: what makes two requests different ones.
  func placeDifferences(from received: ReceivedRequest) -> [Difference] {
    var differences: [Difference] = []
    if method != received.request.method {
      differences.append(
        Difference(path: "method", detail: "wanted \(method), got \(received.request.method)", weight: 3))
    }
    if let origin = address.origin, let got = received.address.origin, origin != got {
      differences.append(Difference(path: "url", detail: "wanted \(origin), got \(got)", weight: 2))
    }
    let (wanted, got) = (address.path, received.address.path)
    if wanted != got {
      let (a, b) = (wanted.split(separator: "/"), got.split(separator: "/"))
      let segments = zip(a, b).count { $0 != $1 } + abs(a.count - b.count)
      differences.append(Difference(path: "url", detail: "wanted \(wanted), got \(got)", weight: 3 * max(1, segments)))
    }
    return differences
  }

  private func bodyDifferences(from received: ReceivedRequest) -> [Difference] {
    switch body {
    case .any: return []
    case .form(let wanted):
      guard let got = received.form else { return [Difference(path: "form", detail: "the request has none")] }
      return pairDifferences("form", wanted: wanted, got: got)
    case .json(let wanted):
      guard let body = received.request.body else {
        return [Difference(path: "json", detail: "the request has no body")]
      }
      guard let got = received.json else {
        return [Difference(path: "json", detail: "the request's body of \(body.count) bytes is not JSON")]
      }
      return jsonDifferences(wanted: wanted, got: got)
    case .text(let wanted):
      let got = received.request.body
      if let got, got.bytes.elementsEqual(wanted.utf8) { return [] }
      let shown = got.map { Value(text: $0)?.excerpt ?? "\($0.count) bytes" } ?? "nothing"
      return [Difference(path: "body", detail: "wanted \(quoted([wanted])), got \(shown)")]
    }
  }

  /// Two lists of pairs, compared as multisets: name by name.
  private func pairDifferences(_ path: String, wanted: [NamedText], got: [NamedText]) -> [Difference] {
    guard !wanted.isIdentical(to: got) else { return [] }
    var names: [[UInt8]] = []
    var values: [[UInt8]: (wanted: [String], got: [String])] = [:]
    func add(_ pairs: [NamedText], _ side: WritableKeyPath<(wanted: [String], got: [String]), [String]>) {
      for pair in pairs {
        let name = Array(pair.name.utf8)
        if values[name] == nil { names.append(name) }
        values[name, default: ([], [])][keyPath: side].append(pair.value)
      }
    }
    add(wanted, \.wanted)
    add(got, \.got)
    return names.compactMap { name in
      guard let (wanted, got) = values[name], !wanted.isPermutation(of: got) else { return nil }
      let detail =
        wanted.isEmpty ? "not expected, got \(quoted(got))" : "wanted \(quoted(wanted)), got \(quoted(got))"
      return Difference(path: "\(path).\(String(decoding: name, as: UTF8.self))", detail: detail)
    }
  }
}

/// `"7"`, `"1" and "2"`, or `nothing`.
private func quoted(_ texts: [String]) -> String {
  texts.isEmpty ? "nothing" : texts.map { Value($0).excerpt }.joined(separator: " and ")
}

extension NamedText {
  /// Whether the value is one that no message shows.
  fileprivate var isConfidential: Bool {
    ["Authorization", "Proxy-Authorization", "Cookie"].contains { $0.equalsIgnoringCase(name) }
  }
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
