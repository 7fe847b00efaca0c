import TideGraph
import TideValue

/// A transport with faults.
struct FatedTransport: Transport {
  let inner: any Transport
  let fate: Fate
  let clock: AnswerClock

  func send(
    _ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
  ) -> any Abortable {
    let work = FatedWork<Result<Response, Failure>>(
      fate: fate, clock: clock, start: { inner.send(request, completion: $0) },
      replacement: { FatedTransport.replacement($0, for: request) },
      spoiled: { fault, result in result.map { FatedTransport.spoiled($0, fault) } },
      record: { result in
        switch result {
        case .success(let response): .response(response)
        case .failure(let failure): .failure(failure)
        }
      })
    return work.begin(Ask.subject(of: request), completion)
  }

  func prepare() {
    inner.prepare()
  }

  private static func replacement(_ fault: Fault, for request: Request) -> Result<Response, Failure>? {
    if case .status(let status, let retryAfter) = fault {
      let headers = retryAfter.map { [NamedText("Retry-After", $0)] } ?? []
      return .success(Response(status: status, headers: headers, body: Buffer(copying: []), url: request.url))
    }
    return fault.failure.map { .failure($0) }
  }

  private static func spoiled(_ response: Response, _ fault: Fault) -> Response {
    var response = response
    switch fault {
    case .emptyBody: response.body = Buffer(copying: [])
    case .brokenBody: response.body = Buffer(copying: Array("{\"broken".utf8))
    case .wrongShape: response.body = Buffer(copying: Array("\"another shape\"".utf8))
    default: break
    }
    return response
  }
}
