import TideValue

/// Numbers that are the same in every run.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension Seeded {
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  /// JSON of at most this depth, with everything that makes scanning hard: escapes, brackets in texts, white space.
  mutating func json(_ depth: Int) -> String {
    switch below(depth > 0 ? 9 : 6) {
    case 0: return pick(["null", "true", "false"])
    case 1: return number()
    case 2, 3, 4, 5: return text()
    case 6, 7:
      let items = (0..<below(8)).map { _ in json(depth - 1) }
      return "[" + space() + items.joined(separator: space() + "," + space()) + space() + "]"
    default:
      let fields = (0..<below(8)).map { _ in text() + space() + ":" + space() + json(depth - 1) }
      return "{" + space() + fields.joined(separator: "," + space()) + space() + "}"
    }
  }

  mutating func number() -> String {
    var text = pick(["", "", "-"])
    text += pick(["0", "7", "12", "1234567", "123456789012345678901234567890"])
    text += pick(["", "", ".5", ".10", ".000000000000000000001"])
    return text + pick(["", "", "", "e3", "E-3", "e+400"])
  }

  mutating func text() -> String {
    let parts = [
      "a", "key", "{", "}", "[", "]", ",", ":", " ", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "é",
      "漢字", "😀", "a longer run of plain letters", "\\/", "0",
    ]
    return "\"" + (0..<below(6)).map { _ in pick(parts) }.joined() + "\""
  }

  private mutating func space() -> String { pick(["", "", "", " ", "\n  ", "\t", "\r\n", "          "]) }
}

/// What parsing `text` fails with.
func failure(_ text: String, maximumDepth: Int = Value.defaultMaximumDepth) -> JSONError? {
  failure(Array(text.utf8), maximumDepth: maximumDepth)
}

func failure(_ bytes: [UInt8], maximumDepth: Int = Value.defaultMaximumDepth) -> JSONError? {
  do throws(JSONError) {
    _ = try Value.parse(Buffer(copying: bytes), maximumDepth: maximumDepth)
    return nil
  } catch { return error }
}
