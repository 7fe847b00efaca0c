import Foundation
import TideBarrier
import TideGraph
import TideHTTP
import TideValue

extension CurlTransport {
  /// One that goes straight to the test servers, whatever the environment says about proxies.
  static func direct(_ change: (inout Options) -> Void = { _ in }) -> CurlTransport {
    var options = Options()
    options.usesEnvironmentProxies = false
    change(&options)
    return CurlTransport(options: options)
  }

  func result(of request: Request) async -> Result<Response, Failure> {
    // By way of a lock, since ThreadSanitizer does not see what a continuation orders.
    let arrived = Locked<Result<Response, Failure>?>(nil)
    await withCheckedContinuation { continuation in
      _ = send(request) { result in
        arrived.withLock { $0 = result }
        continuation.resume()
      }
    }
    return arrived.withLock { $0 } ?? .failure(Failure(.lost, "nothing arrived"))
  }

  func response(to request: Request) async throws -> Response {
    try await result(of: request).get()
  }

  /// The failure of a request; nil, and a test that goes on to compare fails, where it succeeded.
  func failure(of request: Request) async -> Failure? {
    switch await result(of: request) {
    case .success: nil
    case .failure(let failure): failure
    }
  }
}

/// Sends one request with a transport of its own to a server of its own.
func response(
  from behaviour: @escaping TestServer.Behaviour, change: (inout Request) -> Void = { _ in }
) async throws -> (response: Response, requests: [ReceivedRequest]) {
  let server = try TestServer(behaviour)
  let transport = CurlTransport.direct()
  defer {
    transport.shutdown()
    server.stop()
  }
  var request = Request(method: "GET", url: server.url + "/")
  change(&request)
  return (try await transport.response(to: request), server.requests)
}

func response(to answer: String, change: (inout Request) -> Void = { _ in }) async throws -> Response {
  try await response(
    from: { connection, _ in
      connection.write(answer)
      return .keep
    }, change: change
  ).response
}

/// The failure that a server's behaviour causes, and the server's place (`host:port`) to compare messages with.
func failure(
  from behaviour: @escaping TestServer.Behaviour, change: (inout Request) -> Void = { _ in }
) async throws -> (failure: Failure?, place: String) {
  let server = try TestServer(behaviour)
  let transport = CurlTransport.direct()
  defer {
    transport.shutdown()
    server.stop()
  }
  var request = Request(method: "GET", url: server.url + "/")
  change(&request)
  return (await transport.failure(of: request), "127.0.0.1:\(server.port)")
}

func failure(to answer: String, change: (inout Request) -> Void = { _ in }) async throws -> (
  failure: Failure?, place: String
) {
  try await failure(
    from: { connection, _ in
      connection.write(answer)
      return .close
    }, change: change)
}

extension Response {
  var text: String { String(decoding: body.bytes, as: UTF8.self) }
}

/// An answer with a body of a known length.
func plain(_ body: String, status: String = "200 OK", headers: [String] = []) -> String {
  (["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)", "", body]).joined(separator: "\r\n")
}

/// A large text, made without a look at each of its bytes.
func bytes(repeating block: [UInt8], count: Int) -> Data {
  var data = Data(capacity: block.count * count)
  for _ in 0..<count { data.append(contentsOf: block) }
  return data
}
