import CCurl
import TideGraph

/// How libcurl ended a transfer that has no answer: all that a failure is made of.
struct TransferEnding {
  var code: CURLcode
  var stop = CCURL_WENT_ON
  /// libcurl's own words.
  var detail = ""
  /// The operating system's error number, or 0.
  var systemError: Int32 = 0
  /// What a body that is too long was announced with, or -1.
  var declared: Int64 = -1
  var received = 0
  var wasConnected = false
  var hasHead = false
  var hasWholeHead = false
  var elapsed: Duration = .zero
  var timeout: Duration = .zero
  var connectTimeout: Duration = .zero

  init(_ code: CURLcode) {
    self.code = code
  }

  init(
    _ slot: UnsafeMutablePointer<ccurl_transfer>, elapsed: Duration, timeout: Duration, connectTimeout: Duration
  ) {
    code = slot.pointee.code
    stop = slot.pointee.stop
    detail = String(cString: ccurl_message(slot))
    systemError = Int32(truncatingIfNeeded: ccurl_system_error(slot))
    declared = slot.pointee.declared
    received = slot.pointee.body_count
    wasConnected = ccurl_was_connected(slot)
    hasHead = slot.pointee.head_count > 0
    hasWholeHead = slot.pointee.head_ended
    self.elapsed = elapsed
    self.timeout = timeout
    self.connectTimeout = connectTimeout
  }

  /// The same, if what libcurl takes for a whole answer is the beginning of one.
  var cutOff: TransferEnding {
    var ending = self
    ending.code = CURLE_PARTIAL_FILE
    return ending
  }
}
