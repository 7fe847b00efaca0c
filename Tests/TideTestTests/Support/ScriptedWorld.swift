import TideBarrier
import TideGraph
import TideValue

/// What one ask is answered, and when.
struct Reply: Sendable {
  enum Content: Sendable {
    case body(String, status: Int = 200, retryAfter: String? = nil)
    case failure(Failure.Kind)
    /// What a function returns.
    case value(Value)
    /// What a function makes of its arguments.
    case digest
  }

  var content: Content
  var delay = Duration.zero
}

/// Answers requests and functions by the name of the node, from lists that are used up in order; the last one of each
/// serves for ever.
final class ScriptedWorld: Transport, StepRunner {
  private let executor: any Executor
  private let replies: [String: [Reply]]
  private let turns = Locked<[String: Int]>([:])

  init(_ replies: [String: [Reply]], on executor: any Executor) {
    self.replies = replies
    self.executor = executor
  }

  func send(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> any Abortable {
    let path = request.url.split(separator: "/").dropFirst(2).first ?? ""
    let name = String(path.prefix { $0 != "?" })
    return answer(name) { content in
      switch content {
      case .body(let text, let status, let retryAfter):
        var headers = [NamedText("Content-Type", "application/json")]
        if let retryAfter { headers.append(NamedText("Retry-After", retryAfter)) }
        completion(
          .success(Response(status: status, headers: headers, body: Buffer(copying: text.utf8), url: request.url)))
      case .failure(let kind): completion(.failure(Failure(kind, "\(kind)")))
      case .value, .digest: completion(.failure(Failure(.malformed, "no answer to a request")))
      }
    }
  }

  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    answer("\(context.name)/\(function.index)") { content in
      switch content {
      case .value(let value): completion(.success(value))
      case .digest: completion(.success(ScriptedWorld.digest(context.name, arguments)))
      case .failure, .body: completion(.failure(Failure(.step, "no")))
      }
    }
  }

  /// One item, which shows what came in.
  private static func digest(_ name: String, _ arguments: [Value]) -> Value {
    var sum: UInt32 = 5381
    for argument in arguments { for byte in argument.json() { sum = sum &* 33 ^ UInt32(byte) } }
    return .array([.object([("id", Value("\(name)-\(sum)")), ("t", Value(Int(sum % 5)))])])
  }

  private func answer(_ name: String, _ deliver: @escaping @Sendable (Reply.Content) -> Void) -> any Abortable {
    let turn = turns.withLock { turns in
      turns[name, default: 0] += 1
      return (turns[name] ?? 1) - 1
    }
    let list = replies[name] ?? []
    let reply = list.isEmpty ? Reply(content: .digest) : list[min(turn, list.count - 1)]
    if reply.delay == .zero {
      executor.submit { deliver(reply.content) }
    } else {
      executor.after(reply.delay) { deliver(reply.content) }
    }
    return NothingGoingOn()
  }
}
