import CMicroHTTPD
import TideFixtures
import TideGraph
import TideValue

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Request {
  /// A request as it came in; its URL is its target, often a path only.
  init(received: cmhd_request) {
    var headers: [NamedText] = []
    if var text = received.headers {
      for _ in 0..<received.header_count {
        let name = String(cString: text)
        text += strlen(text) + 1
        headers.append(NamedText(name, String(cString: text)))
        text += strlen(text) + 1
      }
    }
    var body: Buffer?
    if received.body_count > 0, let bytes = received.body {
      body = Buffer(copying: UnsafeBufferPointer(start: bytes, count: received.body_count))
    } else if headers.contains(where: { $0.name.equalsIgnoringCase("Content-Length") }) {
      body = Buffer(copying: [])
    }
    self.init(
      method: String(cString: received.method), url: String(cString: received.target), headers: headers, body: body)
  }
}

extension cmhd_request {
  /// True if the answer never comes by itself.
  mutating func take(_ answer: Answer) -> Bool {
    switch answer.outcome {
    case .response(let status, let headers, let body): respond(status, headers, body)
    case .failure(let name, _):
      switch name {
      case .refused, .dns, .tls, .reset: way = CMHD_RESET
      case .truncated: way = CMHD_TRUNCATE
      case .malformed: way = CMHD_GARBAGE
      case .timeout, .never:
        way = CMHD_CLOSE
        return name == .never || answer.delay == nil
      }
    }
    return false
  }

  mutating func respond(_ status: Int, _ headers: [NamedText], _ body: Buffer) {
    way = CMHD_RESPOND
    self.status = UInt32(clamping: status)
    var bytes: [UInt8] = []
    for header in headers {
      bytes += Array(header.name.utf8) + [0] + Array(header.value.utf8) + [0]
    }
    answer_headers = copy(bytes)?.assumingMemoryBound(to: CChar.self)
    answer_header_count = answer_headers == nil ? 0 : headers.count
    answer = copy(body.bytes)?.assumingMemoryBound(to: UInt8.self)
    answer_count = answer == nil ? 0 : body.count
  }

  private func copy(_ bytes: some Collection<UInt8>) -> UnsafeMutableRawPointer? {
    guard !bytes.isEmpty, let memory = malloc(bytes.count) else { return nil }
    UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
    return memory
  }
}

extension Answer {
  /// As it reads in a log: `200`, or `reset`.
  var title: String {
    switch outcome {
    case .response(let status, _, _): "\(status)"
    case .failure(let name, _): name.rawValue
    }
  }
}
