import TideBarrier
import TideGraph
import TideValue

@testable import TideFixtures

/// A transport over exchanges on virtual time, and what it answered.
final class Bench {
  let executor: SimulatedExecutor
  let transport: FixtureTransport
  private let arrived = Locked<[(name: String, result: Result<Response, Failure>)]>([])

  init(_ json: String, choices: any Choices = SeededChoices(seed: 0)) throws {
    executor = SimulatedExecutor(choices: choices)
    transport = FixtureTransport(try Fixtures.parse(file: "fixtures.json", text: json), executor: executor)
  }

  /// Sends a request; its answer is noted under `name`, or its URL.
  @discardableResult
  func send(_ request: Request, as name: String? = nil) -> any Abortable {
    transport.send(request) { [arrived] result in
      arrived.withLock { $0.append((name ?? request.url, result)) }
    }
  }

  /// What has arrived so far, in its order.
  var names: [String] { arrived.withLock { $0.map(\.name) } }
  var results: [Result<Response, Failure>] { arrived.withLock { $0.map(\.result) } }

  /// Sends a request, runs until nothing is left to do, and gives the answer.
  func ask(_ request: Request) throws -> Result<Response, Failure> {
    let before = results.count
    send(request)
    try executor.runUntilIdle()
    let new = results.dropFirst(before)
    guard new.count == 1, let result = new.first else { throw WrongCount(count: new.count) }
    return result
  }

  /// Why the request failed; nil if it did not.
  func failure(of request: Request) throws -> Failure? {
    guard case .failure(let failure) = try ask(request) else { return nil }
    return failure
  }

  /// The body of the answer, as a text.
  func body(of request: Request) throws -> String {
    String(decoding: try ask(request).get().body.bytes, as: UTF8.self)
  }
}

struct WrongCount: Error {
  let count: Int
}

extension Request {
  static func get(_ url: String) -> Request { Request(method: "GET", url: url) }

  static func post(_ url: String, form: [(String, String)]) -> Request {
    Request(method: "POST", url: url, form: form.map { NamedText($0.0, $0.1) })
  }

  static func post(_ url: String, json: String) -> Request {
    Request(method: "POST", url: url, body: Buffer(copying: json.utf8))
  }
}

/// The fixtures' text with every problem found in it: `line:columns message (help)`.
func problems(in text: String) -> [String] {
  do {
    _ = try Fixtures.parse(file: "fixtures.json", text: text)
    return []
  } catch {
    return error.all.map { diagnostic in
      let place = diagnostic.location.map { location in
        "\(location.line):\(location.columns.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "?") "
      }
      return (place ?? "") + diagnostic.message + (diagnostic.help.map { " (\($0))" } ?? "")
        + diagnostic.notes.map { " [\($0)]" }.joined()
    }
  }
}
