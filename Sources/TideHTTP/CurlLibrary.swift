import CCurl
import TideGraph

/// libcurl, as far as opening it goes.
struct CurlLibrary: Sendable {
  /// Nil, or why it can't be used. Costs milliseconds the first time.
  let open: @Sendable () -> String?

  static let shared = CurlLibrary { ccurl_open().map { String(cString: $0) } }

  /// Throws a failure that says what to do.
  func demand() throws(Failure) {
    guard let complaint = open() else { return }
    throw Failure(
      .request, "no request can be sent, since libcurl can't be used: \(complaint)",
      help: "install it: scripts/setup does, or your system's package of libcurl (libcurl4, libcurl)")
  }
}
