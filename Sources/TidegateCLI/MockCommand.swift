import TideFixtures
import TideGraph
import TideMock
import Tidegate

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `tidegate mock`.
@Sendable func mockCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  let port = try invocation.port()
  let fixtures: Fixtures
  do {
    fixtures = try Fixtures.load(path: invocation.script)
  } catch {
    throw .diagnostics(error)
  }
  let interrupted = Completion<Int32>()
  // Also where whoever started it wants them ignored, as a shell does for what it starts with `&`: nothing else ends it.
  let watch = SignalWatch([SIGINT, SIGTERM]) { interrupted.complete($0) }
  defer { watch.cancel() }
  let server: MockServer
  do {
    server = try MockServer(
      fixtures, port: port, host: invocation.value(of: .host) ?? "127.0.0.1", executor: DispatchExecutor()
    ) { Standard.error($0.line) }
  } catch {
    throw .usage(error.message, help: error.help ?? "see 'tidegate mock --help'")
  }
  if !server.isLoopback { Console.warning("other machines can reach this server") }
  Standard.error("\(server.url)\n")
  _ = try? interrupted.wait(allowingMainQueue: true)
  server.stop()
  Standard.error(unusedText(server.unused))
  return .ok
}

private func unusedText(_ unused: [Exchange]) -> String {
  guard !unused.isEmpty else { return "every exchange was used\n" }
  return "unused:\n" + unused.map { "  exchange \($0.number): \($0.title)\n" }.joined()
}

extension MockServer.Served {
  /// `GET /users -> 200 (exchange 2)`.
  fileprivate var line: String {
    "\(method) \(path) -> \(answer)" + (exchange.map { " (exchange \($0))" } ?? "")
      + (complaint.map { ": \($0)" } ?? "") + "\n"
  }
}

extension Invocation {
  /// - Throws: a text that is no port.
  fileprivate func port() throws(Stop) -> UInt16 {
    guard let text = value(of: .port) else { return 0 }
    if let port = UInt16(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return port }
    throw .usage(
      "'--port \(text)' is no number from 0 to 65535", help: "0, or no --port at all, takes one that is free")
  }
}
