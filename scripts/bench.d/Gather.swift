// What the three URLSession programs share: the two requests, the reading of an answer, the printing of the page. They
// differ in how they wait. The token is a constant, for FoundationEssentials and Foundation have no MD5 on Linux.
import Foundation
import FoundationNetworking

struct Gather {
  let session = URLSession(configuration: .ephemeral)
  let base: String
  let form: String

  init() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      print("usage: \(arguments[0]) BASE_URL UID SESSION_ID")
      exit(1)
    }
    base = arguments[1]
    form = "uid=\(arguments[2])&session_id=\(arguments[3])&token=d41d8cd98f00b204e9800998ecf8427e"
  }

  var detail: URLRequest { post("/relation/detail", form) }
  var reward: URLRequest { post("/relation/reward", "") }

  private func post(_ path: String, _ form: String) -> URLRequest {
    var request = URLRequest(url: URL(string: base + path)!)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(form.utf8)
    return request
  }

  /// The list of an answer; empty if there is none.
  func relation(_ data: Data?) -> [[String: Any]] {
    guard let data, let body = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      body["code"] as? String == "200", let content = body["data"] as? [String: Any]
    else { return [] }
    return content["relation"] as? [[String: Any]] ?? []
  }

  func printPage(_ detail: [[String: Any]], _ reward: [[String: Any]]) {
    let keyed = (detail + reward).map { (key: $0["createTime"] as? String ?? "", record: $0) }
    // Dates in one form sort by their bytes; String's own order would cost a normalization for each comparison.
    let page = keyed.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.record)
    guard let text = try? JSONSerialization.data(withJSONObject: page) else { exit(1) }
    FileHandle.standardOutput.write(text + Data("\n".utf8))
  }
}

/// One list that two callbacks fill, each under the lock.
final class Lists: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: (detail: [[String: Any]], reward: [[String: Any]]) = ([], [])

  func update(_ body: (inout (detail: [[String: Any]], reward: [[String: Any]])) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    body(&stored)
  }

  var all: (detail: [[String: Any]], reward: [[String: Any]]) {
    lock.lock()
    defer { lock.unlock() }
    return stored
  }
}
