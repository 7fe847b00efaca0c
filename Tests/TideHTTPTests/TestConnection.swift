import Foundation
import TideBarrier

/// The server's end of a connection.
final class TestConnection: @unchecked Sendable {
  private let socket: Int32
  private let isEnded = Locked(false)
  /// Touched by the connection's thread only.
  private var unread: [UInt8] = []

  init(_ socket: Int32) {
    self.socket = socket
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Reads until the other side closes.
  func waitForClose() {
    while readMore() {}
  }

  /// Whether anything arrives, other than the end, before the other side closes or the server stops.
  func readMore() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(socket, &bytes, bytes.count, 0)
    if count > 0 { unread += bytes[..<count] }
    return count > 0
  }

  /// Has the connection end with a reset in place of an orderly end.
  func resetsAtEnd() {
    var lingers = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingers, socklen_t(MemoryLayout<linger>.size))
  }

  /// Wakes the connection's thread, from another one.
  func interrupt() {
    isEnded.withLock { isEnded in
      if !isEnded { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  func end() {
    isEnded.withLock { isEnded in
      isEnded = true
      close(socket)
    }
  }

  /// Nil when the other side has closed.
  func readRequest() -> ReceivedRequest? {
    let blank = Array("\r\n\r\n".utf8)
    while true {
      if let end = unread.firstRange(of: blank) {
        let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<end.upperBound)
        return readBody(head)
      }
      guard readMore() else { return nil }
    }
  }

  private func readBody(_ head: String) -> ReceivedRequest? {
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
      return (name: line[..<colon].lowercased(), value: value)
    }
    let count = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    while unread.count < count {
      guard readMore() else { return nil }
    }
    let body = Array(unread[..<count])
    unread.removeSubrange(..<count)
    return ReceivedRequest(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }
}
