import TideGraph
import TideValue

/// What a request must be like to be answered by an exchange. What is nil is not looked at.
struct ExpectedRequest: Sendable {
  enum Query: Sendable {
    case any
    /// Exactly these pairs, in any order.
    case pairs([NamedText])
  }

  enum Body: Sendable {
    case any
    /// Exactly these pairs, in any order.
    case form([NamedText])
    /// An equal value, whatever its text.
    case json(Value)
    /// These bytes.
    case text(String)
  }

  let method: String
  let address: Address
  let query: Query
  let body: Body
  /// Each must be there with this value.
  let headers: [NamedText]
}

/// A request that was sent, as it is compared; what costs something is worked out when it is first asked for.
final class ReceivedRequest {
  let request: Request
  let address: Address
  private(set) lazy var form: [NamedText]? = readForm()
  private(set) lazy var json: Value? = request.body.flatMap { try? Value.parse($0) }

  /// Nil for a URL that is none.
  init?(_ request: Request) {
    guard let address = Address(request.url), address.origin != nil else { return nil }
    self.request = request
    self.address = address
  }

  private func readForm() -> [NamedText]? {
    if let form = request.form { return form }
    guard let body = request.body, let type = request.header("Content-Type") else { return nil }
    let isForm = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() == "application/x-www-form-urlencoded"
    return isForm ? FormText.pairs(of: Array(body.bytes)[...]) : nil
  }
}
