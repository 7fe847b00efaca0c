import TideBarrier
import TideGraph

/// Sends requests over the network, with libcurl, on one thread of its own.
///
/// The thread starts with the first request, or with ``prepare()``, and ends with ``shutdown()``, or when the transport is dropped. Completions are
/// called on it: they should post what they got somewhere and be done. libcurl is opened on first use; where it can't be,
/// every request fails and says so.
///
/// - Connections are kept open and shared by all requests of a transport. HTTP/2 is spoken where a TLS server offers it.
/// - Where a kept connection breaks before the first byte of an answer, as happens when the server closes it at that very
///   moment, the request is sent on another one if that is harmless (``Request/isRepeatable``; RFC 9110 section 9.2.2). Any
///   other fails: the server may have acted on it.
/// - Certificates are always verified. Cookies and `.netrc` are not used.
/// - The variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` mean what they mean to curl.
/// - A redirect to another origin (scheme, host, port) takes no `Authorization`, `Cookie` and `Host` along. After a 303, and
///   after a POST's 301 and 302, a GET without the body follows (RFC 9110 section 15.4).
public final class CurlTransport: Transport, Sendable {
  public struct Options: Sendable {
    /// Of a request that names none: from its start to the last byte, redirects included.
    public var timeout: Duration = .seconds(30)
    /// Of a request that names none: until a connection is ready, TLS included.
    public var connectTimeout: Duration = .seconds(10)
    /// So many requests are on their way at once; the others wait for their turn, and their time has not begun.
    public var maximumTransfers = 256
    /// Whether the environment's proxies are used.
    public var usesEnvironmentProxies = true

    public init() {}
  }

  private let mailbox: Mailbox

  public init(options: Options = .init()) {
    mailbox = Mailbox { TransferLoop(mailbox: $0, options: options, library: .shared).run() }
  }

  /// With a library that tests choose.
  init(options: Options = .init(), library: CurlLibrary) {
    mailbox = Mailbox { TransferLoop(mailbox: $0, options: options, library: library).run() }
  }

  deinit {
    shutdown()
  }

  /// Starts a request and returns at once. `completion` is called once, on the transport's thread, or here and now after
  /// ``shutdown()``.
  public func send(
    _ request: Request, completion: @escaping @Sendable (Result<Response, Failure>) -> Void
  ) -> any Abortable {
    let transfer = Transfer(request, mailbox: mailbox, completion: completion)
    if let refusal = mailbox.post(.start(transfer)) { completion(.failure(refusal)) }
    return transfer
  }

  /// Starts the thread, which opens libcurl at once: some milliseconds that a request need not wait for.
  public func prepare() {
    mailbox.begin()
  }

  /// Fails the requests that are on their way, closes the connections and ends the thread; a request that comes later fails.
  /// Returns when the thread has ended, unless it is called on that thread (by a completion) or while another call does the
  /// same. As often as one likes.
  public func shutdown() {
    mailbox.close()
  }
}
