import Foundation
import Testing

@testable import TideValue

/// The JSONPath compliance suite: jsonpath/cts.json in the folder that TIDEGATE_SUITES names.
private let suite = ProcessInfo.processInfo.environment["TIDEGATE_SUITES"].map { $0 + "/jsonpath/cts.json" }

@Suite(.enabled(if: suite != nil, "TIDEGATE_SUITES names no folder"))
struct ComplianceTests {
  @Test func `every case of the compliance suite comes out as it says`() throws {
    let text = try String(contentsOfFile: try #require(suite), encoding: .utf8)
    let cases = try #require(Value.parse(text)["tests"]).items
    #expect(cases.count >= 703)
    for test in cases { try check(test) }
  }

  private func check(_ test: Value) throws {
    let name = test["name"]?.string ?? ""
    let selector = test["selector"]?.string ?? ""
    guard let path = parsed(selector) else {
      #expect(test["invalid_selector"]?.bool == true, "refused: \(name): \(selector)")
      return
    }
    guard test["invalid_selector"]?.bool != true else {
      Issue.record("accepted: \(name): \(selector)")
      return
    }
    let found = Value.array(try path.nodes(in: test["document"] ?? .null))
    let allowed = test["result"].map { [$0] } ?? test["results"]?.items ?? []
    #expect(allowed.contains(found), "\(name): \(selector) gave \(found)")
  }

  private func parsed(_ selector: String) -> JSONPath? {
    var parser = JSONPathParser(selector)
    return try? parser.parse()
  }
}
