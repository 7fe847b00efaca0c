import CCurl
import TideGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Failure {
  static var outOfMemory: Failure { Failure(.memory, "there is no memory left for the request") }

  /// What a transfer's end means to people. It names the host and the port, and nothing that may be secret.
  init(_ ending: TransferEnding, _ request: Request) {
    let place = Origin(request.url)?.description ?? "the server"
    switch ending.stop {
    case CCURL_BODY_TOO_LONG: self = .tooLong(ending, request, place)
    case CCURL_HEAD_TOO_LONG: self.init(.tooLarge, "\(place) sends more than 1 MB of headers")
    case CCURL_OUT_OF_MEMORY: self = .outOfMemory
    case CCURL_SENT_ONCE:
      self.init(
        .reset,
        "\(place) closed a kept connection without an answer, and \(request.method) is not sent again by itself",
        help: "an idempotency_key lets the server tell a repeated request from a new one")
    default: self = .of(ending, request, place)
    }
  }

  private static func of(_ ending: TransferEnding, _ request: Request, _ place: String) -> Failure {
    switch ending.code {
    case CURLE_COULDNT_RESOLVE_HOST:
      let host = Origin(request.url)?.host ?? place
      return Failure(.dns, "the name '\(host)' does not resolve", help: "is it spelt right, and is there a network?")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Failure(.dns, "the proxy's name does not resolve (\(ending.detail))", help: "see http_proxy, https_proxy")
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: return unconnected(ending, place)
    case CURLE_OPERATION_TIMEDOUT: return late(ending, place)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_SHUTDOWN_FAILED:
      return untrusted(ending, place)
    case CURLE_SSL_CACERT_BADFILE: return withoutAuthorities(ending, request, place)
    case CURLE_OUT_OF_MEMORY: return .outOfMemory
    case CURLE_URL_MALFORMAT: return Failure(.request, "the URL of \(place) can't be sent: \(ending.detail)")
    case CURLE_BAD_FUNCTION_ARGUMENT:
      return Failure(.request, "the request to \(place) can't be sent: \(ending.detail)")
    default: return broken(ending, place)
    }
  }

  /// The connection was there, and what came over it was no answer.
  private static func broken(_ ending: TransferEnding, _ place: String) -> Failure {
    switch ending.code {
    case CURLE_GOT_NOTHING: return Failure(.reset, "\(place) closed the connection without an answer")
    case CURLE_PARTIAL_FILE:
      let moment =
        ending.hasWholeHead ? "after \(ending.received) bytes, before the body's end" : "before the headers' end"
      return Failure(.truncated, "\(place) closed the connection \(moment)")
    case CURLE_UNSUPPORTED_PROTOCOL where ending.detail.contains("rotocol \""):
      return Failure(.request, "libcurl can't send this request to \(place): \(ending.detail)")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      return Failure(
        .malformed, "what \(place) answers is not HTTP (\(ending.detail))", help: "does it speak HTTP at this port?")
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      return Failure(.malformed, "the body from \(place) can't be decoded (\(ending.detail))")
    case CURLE_RECV_ERROR where ending.detail.contains("chunked"):
      return Failure(.malformed, "the body from \(place) is not framed as it should be (\(ending.detail))")
    case _ where ending.detail.contains("Too large response headers"):
      return Failure(.tooLarge, "\(place) sends too many headers (\(ending.detail))")
    default:
      let moment = ending.hasHead ? "after \(ending.received) bytes of the body" : "before an answer"
      return Failure(.reset, "the connection to \(place) broke \(moment) (\(ending.detail))")
    }
  }

  private static func tooLong(_ ending: TransferEnding, _ request: Request, _ place: String) -> Failure {
    let limit = max(0, request.maximumBytes)
    let size = ending.declared > Int64(limit) ? "is \(ending.declared) bytes long" : "goes on"
    return Failure(
      .tooLarge, "the body from \(place) \(size), and at most \(limit) bytes are allowed",
      help: "max_bytes = n allows more")
  }

  private static func unconnected(_ ending: TransferEnding, _ place: String) -> Failure {
    switch ending.systemError {
    case ECONNREFUSED:
      return Failure(.connect, "nobody answers at \(place) (connection refused)", help: "is the server running?")
    case 0: return Failure(.connect, "no connection to \(place) (\(ending.detail))")
    default:
      return Failure(.connect, "no connection to \(place) (\(systemText(ending.systemError).lowercased()))")
    }
  }

  /// The limit of the whole comes first: it is never longer than it says.
  private static func late(_ ending: TransferEnding, _ place: String) -> Failure {
    if !ending.wasConnected, ending.elapsed < ending.timeout {
      return Failure(
        .timeout, "no connection to \(place) within \(ending.connectTimeout.readable), the limit for connecting",
        help: "is the server running?")
    }
    let progress: String
    switch (ending.wasConnected, ending.hasHead) {
    case (false, _): progress = "there was no connection yet"
    case (true, false): progress = "the answer had not begun"
    case (true, true): progress = "\(ending.received) bytes of the body had arrived"
    }
    return Failure(
      .timeout, "\(place) did not answer within \(ending.timeout.readable): \(progress)",
      help: "timeout = \"1m\" waits longer")
  }

  private static func untrusted(_ ending: TransferEnding, _ place: String) -> Failure {
    var help: String?
    if ending.detail.contains("wrong version number") {
      help = "the server does not speak TLS at this port: is it http:// that is meant?"
    } else if ending.code == CURLE_PEER_FAILED_VERIFICATION {
      help = "tls = { ca = file } names the certificates to trust"
    }
    return Failure(.tls, "no secure connection to \(place): \(ending.detail)", help: help)
  }

  private static func withoutAuthorities(_ ending: TransferEnding, _ request: Request, _ place: String) -> Failure {
    guard let file = request.certificateAuthorities else {
      return Failure(.tls, "no secure connection to \(place): \(ending.detail)")
    }
    let isReadable = access(file, R_OK) == 0
    let reason = isReadable ? "it holds no certificate that can be used" : systemText(errno).lowercased()
    return Failure(.tls, "the certificates to trust can't be read from '\(file)': \(reason)")
  }
}
