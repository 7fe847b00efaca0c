import CCurl
import TideBarrier
import TideGraph
import TideValue

/// What the transport's thread does, and all that belongs to it alone.
final class TransferLoop {
  private typealias Slot = UnsafeMutablePointer<ccurl_transfer>

  private let mailbox: Mailbox
  private let options: CurlTransport.Options
  private let library: CurlLibrary
  private let timeoutMilliseconds: Int
  private let connectMilliseconds: Int
  /// Handles that serve for one transfer after the other.
  private var idle: [Slot] = []
  private var active: [Transfer] = []
  private var waiting = Fifo<Transfer>()
  private lazy var sheet = RequestSheet()

  init(mailbox: Mailbox, options: CurlTransport.Options, library: CurlLibrary) {
    self.mailbox = mailbox
    self.options = options
    self.library = library
    timeoutMilliseconds = options.timeout.limitMilliseconds
    connectMilliseconds = options.connectTimeout.limitMilliseconds
  }

  /// Transfers until the mailbox refuses; then everything that is left fails, and what was opened is closed.
  func run() {
    do throws(Failure) {
      try library.demand()
      guard let multi = ccurl_multi_new(max(64, options.maximumTransfers)) else { throw .outOfMemory }
      serve(multi)
      ccurl_multi_free(multi)
    } catch {
      mailbox.refuse(error)
      var batch: [Mailbox.Message] = []
      if let refusal = mailbox.take(&batch) { drop(batch, refusal) }
    }
  }

  private func serve(_ multi: UnsafeMutableRawPointer) {
    let handle = Handle(multi: multi)
    let wake: @Sendable () -> Void = { ccurl_multi_wake(handle.multi) }
    var batch: [Mailbox.Message] = []
    while true {
      if let refusal = mailbox.take(&batch) { return close(batch, multi, refusal) }
      for message in batch { receive(message, multi) }
      batch.removeAll(keepingCapacity: batch.capacity <= 4096)
      var code = ccurl_multi_perform(multi)
      while let slot = ccurl_multi_finished(multi) { finish(slot, multi) }
      if code == CURLM_OK, mailbox.sleeps(wake: wake) { code = ccurl_multi_wait(multi, Self.longTime) }
      if code != CURLM_OK { mailbox.refuse(Failure(.reset, "libcurl has failed (CURLMcode \(code.rawValue))")) }
    }
  }

  /// libcurl wakes up by itself for its own time limits; this one ends nothing.
  private static let longTime: Int32 = 3_600_000

  private func receive(_ message: Mailbox.Message, _ multi: UnsafeMutableRawPointer) {
    switch message {
    case .start(let transfer):
      if active.count < max(1, options.maximumTransfers) { start(transfer, multi) } else { waiting.append(transfer) }
    case .abort(let transfer):
      if case .active(let slot, _) = transfer.phase {
        ccurl_transfer_cancel(slot, multi)
        retire(transfer, slot)
      }
      transfer.end(.failure(Failure(.cancelled, "the request was aborted")))
      startWaiting(multi)
    }
  }

  private func startWaiting(_ multi: UnsafeMutableRawPointer) {
    while active.count < max(1, options.maximumTransfers), let transfer = waiting.popFirst() { start(transfer, multi) }
  }

  /// One that was aborted while it waited is passed over.
  private func start(_ transfer: Transfer, _ multi: UnsafeMutableRawPointer) {
    guard case .waiting = transfer.phase else { return }
    if let complaint = transfer.request.complaint { return transfer.end(.failure(Failure(.request, complaint))) }
    guard let slot = idle.popLast() ?? ccurl_transfer_new(options.usesEnvironmentProxies && ccurl_is_proxied()) else {
      return transfer.end(.failure(.outOfMemory))
    }
    slot.pointee.owner = Unmanaged.passUnretained(transfer).toOpaque()
    transfer.phase = .active(slot, index: active.count)
    transfer.start = Nanoseconds.now
    active.append(transfer)
    send(transfer, slot, multi)
  }

  /// Sends the transfer's request, the first one or a redirected one.
  private func send(_ transfer: Transfer, _ slot: Slot, _ multi: UnsafeMutableRawPointer) {
    let request = transfer.request
    let limit = request.timeout?.limitMilliseconds ?? timeoutMilliseconds
    let spent = transfer.redirects == 0 ? 0 : Int((Nanoseconds.now - transfer.start) / 1_000_000)
    let limits = RequestSheet.Limits(
      timeoutMilliseconds: max(1, limit - spent),
      connectMilliseconds: request.connectTimeout?.limitMilliseconds ?? connectMilliseconds)
    let follows = transfer.redirects < request.maximumRedirects
    if sheet.start(request, limits: limits, follows: follows, slot: slot, multi: multi) { return }
    let failure = Failure(ending(of: transfer, slot), request)
    discard(transfer, slot)
    transfer.end(.failure(failure))
  }

  private func finish(_ slot: Slot, _ multi: UnsafeMutableRawPointer) {
    guard let owner = slot.pointee.owner else { return }
    let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
    let result: Result<Response, Failure>
    do throws(Failure) {
      guard slot.pointee.code == CURLE_OK else { throw Failure(ending(of: transfer, slot), transfer.request) }
      if try follow(transfer, slot) { return send(transfer, slot, multi) }
      result = .success(try response(of: transfer, slot))
    } catch {
      result = .failure(error)
    }
    retire(transfer, slot)
    transfer.end(result)
    startWaiting(multi)
  }

  /// Whether the answer is a redirect, and the transfer's request is now where it leads.
  private func follow(_ transfer: Transfer, _ slot: Slot) throws(Failure) -> Bool {
    let request = transfer.request
    let status = ccurl_status(slot)
    guard request.maximumRedirects > 0, Request.isRedirect(status) else { return false }
    guard let place = ccurl_redirect(slot) else { return false }
    let origin = Origin(request.url).map(\.description) ?? ""
    guard transfer.redirects < request.maximumRedirects else {
      throw Failure(
        .redirects, "\(origin) redirects once more, after \(transfer.redirects) redirects", status: status,
        help: "redirects = n allows n of them")
    }
    transfer.request = request.redirected(to: String(cString: place), status: status)
    transfer.redirects += 1
    if let complaint = transfer.request.complaint {
      throw Failure(.redirects, "\(origin) redirects to where nothing can be sent: \(complaint)", status: status)
    }
    return true
  }

  private func response(of transfer: Transfer, _ slot: Slot) throws(Failure) -> Response {
    let status = ccurl_status(slot)
    guard status >= 200 else {
      throw Failure(
        .malformed,
        "\(Origin(transfer.request.url)?.description ?? "the server") answered \(status), which is no end of a request",
        status: status)
    }
    // A connection that ends within the head is an end like any other to libcurl.
    guard slot.pointee.head_ended else {
      throw Failure(ending(of: transfer, slot).cutOff, transfer.request)
    }
    let head = UnsafeRawBufferPointer(start: slot.pointee.head, count: slot.pointee.head_count)
    return Response(
      status: status, headerBlock: HeaderBlock(raw: [UInt8](head)), body: takeBody(of: slot), url: transfer.request.url,
      elapsed: .nanoseconds(Nanoseconds.now - transfer.start))
  }

  /// The body's memory, without a copy.
  private func takeBody(of slot: Slot) -> Buffer {
    ccurl_transfer_trim(slot)
    guard slot.pointee.body_count > 0, let body = slot.pointee.body else { return Self.nothing }
    slot.pointee.body = nil
    return Buffer(adopting: body, count: slot.pointee.body_count)
  }

  private static let nothing = Buffer(copying: [])

  private func ending(of transfer: Transfer, _ slot: Slot) -> TransferEnding {
    let request = transfer.request
    return TransferEnding(
      slot, elapsed: .nanoseconds(Nanoseconds.now - transfer.start), timeout: request.timeout ?? options.timeout,
      connectTimeout: request.connectTimeout ?? options.connectTimeout)
  }

  /// Takes the transfer out of the active ones; its handle serves again.
  private func retire(_ transfer: Transfer, _ slot: Slot) {
    remove(transfer)
    ccurl_transfer_rest(slot)
    idle.append(slot)
  }

  /// Takes the transfer out of the active ones, and its handle, which may be half set, out of use.
  private func discard(_ transfer: Transfer, _ slot: Slot) {
    remove(transfer)
    ccurl_transfer_free(slot)
  }

  private func remove(_ transfer: Transfer) {
    guard case .active(let slot, let index) = transfer.phase else { return }
    slot.pointee.owner = nil
    let last = active.removeLast()
    guard last !== transfer else { return }
    active[index] = last
    if case .active(let slot, _) = last.phase { last.phase = .active(slot, index: index) }
  }

  private func close(_ batch: [Mailbox.Message], _ multi: UnsafeMutableRawPointer, _ refusal: Failure) {
    for transfer in active {
      if case .active(let slot, _) = transfer.phase {
        ccurl_transfer_cancel(slot, multi)
        ccurl_transfer_free(slot)
      }
      transfer.end(.failure(refusal))
    }
    active = []
    while let transfer = waiting.popFirst() { transfer.end(.failure(refusal)) }
    drop(batch, refusal)
    for slot in idle { ccurl_transfer_free(slot) }
    idle = []
  }

  private func drop(_ batch: [Mailbox.Message], _ refusal: Failure) {
    for case .start(let transfer) in batch { transfer.end(.failure(refusal)) }
  }
}

/// A multi handle that another thread may wake.
private struct Handle: @unchecked Sendable {
  let multi: UnsafeMutableRawPointer
}
