import TideBarrier
import TideGraph
import TideValue

/// A transport and a step runner that do what a test wrote down for each node, on the executor of the run. Who has
/// nothing written down answers with its own name.
final class Fakes: Transport, StepRunner {
  typealias Completion = @Sendable (Result<Value, Failure>) -> Void

  private struct State {
    var started: [String] = []
    var arguments: [String: [Value]] = [:]
    var aborted: [String] = []
    var held: [String: [Completion]] = [:]
    var turns: [String: Int] = [:]
    var requests: [String: [Request]] = [:]
    var running = 0
    var most = 0
  }

  private let executor: any Executor
  private let functions: [String]
  private let acts: [String: Act]
  private let state = Locked(State())

  init(_ executor: any Executor, functions: [String], acts: [String: Act]) {
    self.executor = executor
    self.functions = functions
    self.acts = acts
  }

  /// The nodes in the order in which their work began.
  var started: [String] { state.withLock { $0.started } }
  /// The nodes whose work was to stop.
  var aborted: [String] { state.withLock { $0.aborted } }
  /// How many were at work at once, at most.
  var most: Int { state.withLock { $0.most } }
  /// The requests that were sent for a node, in their order.
  func requests(of name: String) -> [Request] { state.withLock { $0.requests[name] ?? [] } }
  func arguments(of name: String) -> [Value]? { state.withLock { $0.arguments[name] } }
  func isHeld(_ name: String) -> Bool { state.withLock { $0.held[name] != nil } }

  /// Calls a completion that was held, which stays held: it may be called again.
  func settle(_ name: String, _ result: Result<Value, Failure>) {
    for completion in state.withLock({ $0.held[name] ?? [] }) { completion(result) }
  }

  /// Lets a completion go that was held.
  func drop(_ name: String) {
    let held = state.withLock { $0.held.removeValue(forKey: name) }
    _ = consume held
  }

  func run(
    _ function: FunctionID, arguments: [Value], context: StepContext,
    completion: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) -> any Abortable {
    let name = functions[Int(function.index)]
    state.withLock { $0.arguments[name] = arguments }
    return play(name, arguments, context, completion)
  }

  func send(_ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void) -> any Abortable {
    let path = request.url.split(separator: "/").dropFirst(2).map(String.init)
    let name = path[0]
    let act = state.withLock { state in
      state.arguments[name] = path.dropFirst().map { Value($0) }
      state.requests[name, default: []].append(request)
      return next(name, state)
    }
    switch act {
    case .respond(let status, let body, let type, _):
      let headers = [NamedText("Content-Type", type)]
      let response = Response(status: status, headers: headers, body: Buffer(copying: body.utf8), url: request.url)
      return play(name, [], nil) { completion($0.map { _ in response }) }
    case .busy(let status, let after):
      let headers = [NamedText("Retry-After", after)]
      let response = Response(status: status, headers: headers, body: Buffer(copying: []), url: request.url)
      return play(name, [], nil) { completion($0.map { _ in response }) }
    default: return play(name, [], nil) { completion($0.map { Fakes.response(to: request, $0) }) }
    }
  }

  /// What a node does this time.
  private func next(_ name: String, _ state: State) -> Act {
    switch acts[name] {
    case .inTurn(let acts)?: acts[min(state.turns[name] ?? 0, acts.count - 1)]
    case let act: act ?? .answer(Value(name))
    }
  }

  private static func response(to request: Request, _ value: Value) -> Response {
    Response(
      status: 200, headers: [NamedText("Content-Type", "application/json")], body: Buffer(copying: value.json()),
      url: request.url)
  }

  private func play(
    _ name: String, _ arguments: [Value], _ context: StepContext?, _ completion: @escaping Completion
  ) -> any Abortable {
    let act = state.withLock { state in
      defer { state.turns[name, default: 0] += 1 }
      state.started.append(name)
      state.running += 1
      state.most = max(state.most, state.running)
      return next(name, state)
    }
    // Weakly: one that is held stands in the state itself.
    let end: Completion = { [weak state] result in
      state?.withLock { $0.running -= 1 }
      completion(result)
    }
    switch act {
    case .inTurn: preconditionFailure("acts in turn inside of others")
    case .refuse(let failure): deliver(.failure(failure), after: .zero, end)
    case .busy: deliver(.success(.null), after: .zero, end)
    case .fetch(let fetch): return context?.fetch(fetch, completion: end) ?? Stop(name, state)
    case .answer(let value, let delay): deliver(.success(value), after: delay, end)
    case .fail(let message, let delay): deliver(.failure(Failure(.step, message)), after: delay, end)
    case .compute(let body): executor.submit { end(body(arguments)) }
    case .respond(_, _, _, let delay): deliver(.success(.null), after: delay, end)
    case .atOnce(let value): end(.success(value))
    case .twice(let first, let second):
      executor.submit {
        end(.success(first))
        end(.success(second))
      }
    case .hold: state.withLock { $0.held[name, default: []].append(end) }
    case .drop: break
    }
    return Stop(name, state)
  }

  private func deliver(_ result: Result<Value, Failure>, after delay: Duration, _ end: @escaping Completion) {
    if delay == .zero { executor.submit { end(result) } } else { executor.after(delay) { end(result) } }
  }

  private final class Stop: Abortable {
    private let name: String
    private let state: Locked<State>

    init(_ name: String, _ state: Locked<State>) {
      self.name = name
      self.state = state
    }

    func abort() { state.withLock { $0.aborted.append(name) } }
  }
}
