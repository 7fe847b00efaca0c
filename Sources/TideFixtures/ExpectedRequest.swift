import TideGraph
import TideValue

/// What a request must be like to be answered by an exchange. What is nil, or any, is not looked at.
struct ExpectedRequest: Sendable {
  /// Of the URL: without its query, but for ``matches(_:withQuery:)``.
  enum Path: Sendable {
    case any
    /// Normalised.
    case equals(String)
    case like(Wildcard)
    case matches(Regexp, withQuery: Bool)
  }

  enum Query: Sendable {
    case any
    /// Exactly these pairs, in any order.
    case pairs(ExpectedPairs)
    /// Each of these holds; what else there is does not matter.
    case tests([FieldTest])
  }

  enum Body: Sendable {
    /// Exactly these pairs, in any order.
    case form(ExpectedPairs)
    /// Each of these holds; what else there is does not matter.
    case formTests([FieldTest])
    case json(JSONTest)
    /// These bytes.
    case text(String)
    /// The body as a text; nil if there must be none.
    case test(TextTest?)
  }

  var method: String?
  /// `https://api.example.com`; nil for any.
  var origin: String?
  var path: Path
  var query: Query
  /// All of them hold.
  var body: [Body] = []
  /// All of them hold.
  var headers: [FieldTest] = []

  /// `POST /relation/detail`, as it reads in messages.
  var title: String { "\(method ?? "ANY") \(origin ?? "")\(path)" }
}

extension ExpectedRequest.Path: CustomStringConvertible {
  var description: String {
    switch self {
    case .any: "/**"
    case .equals(let path): path
    case .like(let wildcard): wildcard.text
    case .matches(let pattern, _): pattern.text
    }
  }

  func matches(_ address: Address) -> Bool {
    switch self {
    case .any: true
    case .equals(let path): path == address.path
    case .like(let wildcard): wildcard.matches(address.path)
    case .matches(let pattern, withQuery: false): pattern.matches(address.path)
    case .matches(let pattern, withQuery: true): pattern.matches(address.path + address.queryText)
    }
  }
}

/// A request that was sent, as it is compared; what costs something is worked out when it is first asked for.
package final class ReceivedRequest {
  let request: Request
  let address: Address
  private(set) lazy var form: [NamedText]? = readForm()
  private(set) lazy var json: Value? = request.body.flatMap { try? Value.parse($0) }
  private(set) lazy var text: String? = request.body.map { String(decoding: $0.bytes, as: UTF8.self) }

  /// Nil for a URL that is none.
  init?(_ request: Request) {
    guard let address = Address(request.url), address.origin != nil else { return nil }
    self.request = request
    self.address = address
  }

  /// A request as a server gets it: its URL may be a path only, and is then one of any origin.
  package init?(served request: Request) {
    guard let address = Address(request.url) else { return nil }
    self.request = request
    self.address = address
  }

  /// Method and address, without the query.
  package var title: String { "\(request.method) \(address)" }

  private func readForm() -> [NamedText]? {
    if let form = request.form { return form }
    guard let body = request.body, let type = request.header("Content-Type") else { return nil }
    let isForm = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() == "application/x-www-form-urlencoded"
    return isForm ? FormText.pairs(of: Array(body.bytes)[...]) : nil
  }
}
