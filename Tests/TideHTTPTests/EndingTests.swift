import CCurl
import Glibc
import Testing
import TideGraph

@testable import TideHTTP

/// What becomes of libcurl's codes that no test server can bring about.
struct EndingTests {
  private func failure(_ code: CURLcode, _ change: (inout TransferEnding) -> Void = { _ in }) -> Failure {
    var ending = TransferEnding(code)
    ending.detail = "its words"
    ending.timeout = .seconds(30)
    ending.connectTimeout = .seconds(10)
    change(&ending)
    return Failure(ending, Request(method: "GET", url: "https://u:secret@moon.example/a?token=secret"))
  }

  @Test func `no message holds what may be secret`() {
    for code in 1...99 { #expect(!failure(CURLcode(rawValue: UInt32(code))).message.contains("secret")) }
  }

  @Test(arguments: [
    (CURLE_COULDNT_RESOLVE_HOST, Failure.Kind.dns), (CURLE_COULDNT_RESOLVE_PROXY, .dns),
    (CURLE_COULDNT_CONNECT, .connect),
    (CURLE_SSL_CONNECT_ERROR, .tls), (CURLE_PEER_FAILED_VERIFICATION, .tls), (CURLE_SSL_CACERT_BADFILE, .tls),
    (CURLE_OPERATION_TIMEDOUT, .timeout), (CURLE_RECV_ERROR, .reset), (CURLE_SEND_ERROR, .reset),
    (CURLE_GOT_NOTHING, .reset), (CURLE_HTTP2, .reset), (CURLE_HTTP2_STREAM, .reset), (CURLE_PARTIAL_FILE, .truncated),
    (CURLE_WEIRD_SERVER_REPLY, .malformed), (CURLE_BAD_CONTENT_ENCODING, .malformed), (CURLE_OUT_OF_MEMORY, .memory),
    (CURLE_URL_MALFORMAT, .request),
  ])
  func `every code has a kind`(code: CURLcode, kind: Failure.Kind) {
    #expect(failure(code).kind == kind)
  }

  @Test func `a code that nobody knows keeps libcurl's words`() {
    #expect(
      failure(CURLcode(rawValue: 999)).message
        == "the connection to moon.example:443 broke before an answer (its words)")
  }

  @Test func `why there is no connection is told in the system's words`() {
    #expect(
      failure(CURLE_COULDNT_CONNECT) { $0.systemError = EHOSTUNREACH }.message
        == "no connection to moon.example:443 (no route to host)")
    #expect(failure(CURLE_COULDNT_CONNECT).message == "no connection to moon.example:443 (its words)")
  }

  @Test func `a time limit says which one it is`() {
    let connecting = failure(CURLE_OPERATION_TIMEDOUT) { $0.elapsed = .seconds(10) }
    #expect(connecting.message == "no connection to moon.example:443 within 10s, the limit for connecting")
    let whole = failure(CURLE_OPERATION_TIMEDOUT) {
      $0.elapsed = .seconds(30)
      $0.wasConnected = true
      $0.hasHead = true
      $0.received = 7
    }
    #expect(whole.message == "moon.example:443 did not answer within 30s: 7 bytes of the body had arrived")
  }

  @Test func `a lack of memory in a callback is told as one`() {
    #expect(failure(CURLE_WRITE_ERROR) { $0.stop = CCURL_OUT_OF_MEMORY }.kind == .memory)
  }

  @Test func `plain HTTP where TLS was expected is guessed`() {
    let failure = failure(CURLE_SSL_CONNECT_ERROR) { $0.detail = "error:0A00010B:SSL routines::wrong version number" }
    #expect(failure.help == "the server does not speak TLS at this port: is it http:// that is meant?")
  }

  @Test(arguments: [
    (Duration.zero, 1), (.nanoseconds(1), 1), (.milliseconds(1500), 1500), (.seconds(-5), 1),
    (.seconds(1 << 60), 2_000_000_000),
    (.microseconds(2900), 2),
  ])
  func `a time limit is never 0, which to libcurl is none`(limit: Duration, milliseconds: Int) {
    #expect(limit.limitMilliseconds == milliseconds)
  }
}
