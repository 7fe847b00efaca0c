import Foundation

/// What `--summary` writes.
struct Summary: Decodable {
  var status: String
  var exit: Int
  var missing: [String]
  // The file's own spelling.
  var elapsed_ms: Double  // swift-format-ignore: AlwaysUseLowerCamelCase
  var nodes: [String: Node]

  struct Node: Decodable {
    var outcome: String
    var started_ms: Double?  // swift-format-ignore: AlwaysUseLowerCamelCase
    var ended_ms: Double?  // swift-format-ignore: AlwaysUseLowerCamelCase
    var attempts: Int
    var error: Failure?
    var blamed: String?
  }

  struct Failure: Decodable, Equatable {
    var kind: String
    var message: String
    var status: Int?
  }

  init(in file: URL) throws {
    self = try JSONDecoder().decode(Summary.self, from: Data(contentsOf: file))
  }
}
