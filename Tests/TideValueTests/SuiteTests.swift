import Foundation
import Testing
import TideValue

private let suites = ProcessInfo.processInfo.environment["TIDEGATE_SUITES"]

/// JSONTestSuite by Nicolas Seriot: what every parser must accept (y), must refuse (n), and may decide (i).
@Suite(.enabled(if: suites != nil, "TIDEGATE_SUITES names no folder"))
struct SuiteTests {
  /// Of what parsers may decide: numbers of any size and lone surrogates are accepted, as is a byte order mark; what is
  /// not UTF-8 is refused.
  private static let accepted: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json", "i_object_key_lone_2nd_surrogate.json",
    "i_string_1st_surrogate_but_2nd_missing.json", "i_string_1st_valid_surrogate_2nd_invalid.json",
    "i_string_incomplete_surrogate_and_escape_valid.json", "i_string_incomplete_surrogate_pair.json",
    "i_string_incomplete_surrogates_escape_valid.json", "i_string_invalid_lonely_surrogate.json",
    "i_string_invalid_surrogate.json", "i_string_inverted_surrogates_U+1D11E.json",
    "i_string_lone_second_surrogate.json",
    "i_structure_500_nested_arrays.json", "i_structure_UTF-8_BOM_empty_object.json",
  ]

  private func files(_ prefix: String) throws -> [(name: String, buffer: Buffer)] {
    let folder = URL(fileURLWithPath: suites ?? "").appendingPathComponent("json/test_parsing")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }
    return try names.sorted().map { ($0, Buffer(copying: try Data(contentsOf: folder.appendingPathComponent($0)))) }
  }

  @Test func `every valid document is accepted and keeps its bytes`() throws {
    let files = try files("y_")
    #expect(files.count == 95)
    for (name, buffer) in files {
      let value = try Value.parse(buffer)
      let text = String(decoding: buffer.bytes, as: UTF8.self)
      #expect(
        String(decoding: value.json(.verbatim), as: UTF8.self) == text.trimmingCharacters(in: .whitespacesAndNewlines),
        "\(name)")
      #expect(try Value.parse(Buffer(copying: value.json())) == value, "\(name)")
      #expect(try Value.parse(Buffer(copying: value.json(.pretty))) == value, "\(name)")
    }
  }

  @Test func `every invalid document is refused`() throws {
    let files = try files("n_")
    #expect(files.count == 188)
    for (name, buffer) in files {
      #expect(throws: JSONError.self, "\(name)") { try Value.parse(buffer) }
    }
  }

  @Test func `what parsers may decide is decided`() throws {
    let files = try files("i_")
    #expect(files.count == 35)
    let accepted = files.filter { (try? Value.parse($0.buffer)) != nil }.map { $0.name }
    #expect(Set(accepted) == SuiteTests.accepted)
  }
}
