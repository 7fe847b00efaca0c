import CMicroHTTPD
import TideBarrier
import TideFixtures
import TideGraph
import TideValue

/// Where requests are decided on, and wait for their answer's time.
final class Desk: Sendable {
  /// A request of libmicrohttpd's that waits. It lives until it has been resumed, which only who takes it out of
  /// `waiting` does.
  private struct Waiting: @unchecked Sendable {
    let request: UnsafeMutablePointer<cmhd_request>
    var timer: (any Timer)?
  }

  private struct State {
    var server: OpaquePointer?
    var isClosed = false
    var waiting: [UInt: Waiting] = [:]
    /// Until when each request that is decided on, and not yet in `waiting`, has to wait; nil for ever.
    var delays: [UInt: Duration?] = [:]
  }

  let turns: Turns
  private let executor: any Executor
  private let served: @Sendable (MockServer.Served) -> Void
  private let state = Locked(State())

  init(_ fixtures: Fixtures, executor: any Executor, served: @escaping @Sendable (MockServer.Served) -> Void) {
    turns = Turns(fixtures)
    self.executor = executor
    self.served = served
  }

  /// Holds this desk unretained: it must live until it is closed.
  var delegate: cmhd_delegate {
    cmhd_delegate(
      owner: Unmanaged.passUnretained(self).toOpaque(),
      decide: { owner, request in
        guard let owner, let request else { return 0 }
        return Unmanaged<Desk>.fromOpaque(owner).takeUnretainedValue().decide(request) ? 0 : 1
      },
      wait: { owner, request in
        guard let owner, let request else { return }
        Unmanaged<Desk>.fromOpaque(owner).takeUnretainedValue().wait(request)
      })
  }

  func open(_ server: OpaquePointer) {
    state.withLock { $0.server = server }
  }

  /// Lets every request that waits go without an answer, then stops the server.
  func close() {
    let server: OpaquePointer? = state.withLock { state in
      state.isClosed = true
      for waiting in state.waiting.values {
        waiting.timer?.cancel()
        waiting.request.pointee.way = CMHD_CLOSE
        cmhd_resume(waiting.request)
      }
      state.waiting = [:]
      return state.server.take()
    }
    if let server { cmhd_stop(server) }
  }

  /// Fills in the answer; false if it has to wait.
  private func decide(_ pointer: UnsafeMutablePointer<cmhd_request>) -> Bool {
    let request = Request(received: pointer.pointee)
    if pointer.pointee.is_too_long {
      pointer.pointee.respond(413, [], Buffer(copying: "the request's body is too long\n".utf8))
      note(request, path: "", nil, "413", "the body is longer than \(Request.defaultMaximumBytes) bytes")
      return true
    }
    guard let received = ReceivedRequest(served: request) else {
      pointer.pointee.respond(400, [], Buffer(copying: "the request names no path\n".utf8))
      note(request, path: request.url, nil, "400", "it names no path")
      return true
    }
    let path = String(received.title.dropFirst(request.method.count + 1))
    let (exchange, result) = turns.take(received)
    switch result {
    case .failure(let failure):
      let body = failure.message + (failure.help.map { "\nhelp: \($0)" } ?? "") + "\n"
      let type = NamedText("Content-Type", "text/plain; charset=utf-8")
      pointer.pointee.respond(404, [type], Buffer(copying: body.utf8))
      note(request, path: path, nil, "404", failure.message)
      return true
    case .success(let answer):
      let isTimeless = pointer.pointee.take(answer)
      note(request, path: path, exchange, answer.title, nil)
      let delay = isTimeless ? nil : answer.delay ?? .zero
      if delay == .zero { return true }
      state.withLock { $0.delays[UInt(bitPattern: pointer)] = .some(delay) }
      return false
    }
  }

  private func note(_ request: Request, path: String, _ exchange: Int?, _ answer: String, _ complaint: String?) {
    served(
      MockServer.Served(
        method: request.method, path: path, exchange: exchange, answer: answer, complaint: complaint))
  }

  /// The request is suspended now.
  private func wait(_ pointer: UnsafeMutablePointer<cmhd_request>) {
    let key = UInt(bitPattern: pointer)
    let request = Waiting(request: pointer)
    let delay: Duration? = state.withLock { state in
      let delay = state.delays.removeValue(forKey: key) ?? nil
      if state.isClosed {
        pointer.pointee.way = CMHD_CLOSE
        cmhd_resume(pointer)
        return nil
      }
      state.waiting[key] = request
      return delay
    }
    guard let delay else { return }
    let timer = executor.after(delay) { [weak self] in self?.resume(key) }
    state.withLock { $0.waiting[key]?.timer = timer }
  }

  private func resume(_ key: UInt) {
    // Under the lock, so that nobody stops the server between.
    state.withLock { state in
      guard let waiting = state.waiting.removeValue(forKey: key) else { return }
      cmhd_resume(waiting.request)
    }
  }
}
