import TideGraph
import TideValue

extension ExchangeReader {
  /// The fields of an object; nil, with a complaint, for anything else. Complains of every key that is not known.
  mutating func fields(of value: Value, at path: [JSONStep], known: [String]) -> [String: Value]? {
    fields(of: value, at: path, known: known, complaint: { "unknown key '\($0)'" }, listed: "known here")
  }

  /// The same, said in other words.
  mutating func fields(
    of value: Value, at path: [JSONStep], known: [String], complaint: (String) -> String, listed: String
  ) -> [String: Value]? {
    guard value.kind == .object else {
      mismatch(path, "an object", value)
      return nil
    }
    var fields: [String: Value] = [:]
    for field in value.fields {
      if known.contains(field.key) {
        fields[field.key] = field.value
      } else {
        complain(
          path + [.key(field.key)], complaint(field.key),
          help: didYouMean(field.key, among: known) ?? "\(listed): \(known.joined(separator: ", "))", aboutKey: true)
      }
    }
    return fields
  }

  mutating func text(_ value: Value?, at path: [JSONStep]) -> String? {
    guard let value else { return nil }
    if let text = value.string { return text }
    mismatch(path, "a text", value)
    return nil
  }

  mutating func duration(_ value: Value?, at path: [JSONStep]) -> Duration? {
    guard let value else { return nil }
    if let duration = Duration(value) { return duration }
    complain(
      path, "is \(value.excerpt), where a length of time is expected",
      help: "write \"500ms\", \"5s\", \"2m\", \"1h\", or a number of seconds")
    return nil
  }

  /// An object of names and values, a list where a name repeats.
  mutating func pairs(_ value: Value, at path: [JSONStep]) -> [NamedText] {
    guard value.kind == .object else {
      mismatch(path, "an object", value)
      return []
    }
    var pairs: [NamedText] = []
    for field in value.fields {
      let inner = path + [.key(field.key)]
      for item in field.value.kind == .array ? field.value.items : [field.value] {
        if let text = item.scalarText {
          pairs.append(NamedText(field.key, text))
        } else {
          complain(
            inner, "is \(item.excerpt), where a text, a number or a boolean is expected",
            help: item.isNull ? "a null is never sent: leave it out" : nil)
        }
      }
    }
    return pairs
  }

  /// Header lines: a name is a token, a value has no line break (RFC 9110 section 5.1 and 5.5).
  mutating func headers(_ value: Value?, at path: [JSONStep]) -> [NamedText] {
    guard let value else { return [] }
    let lines = pairs(value, at: path)
    for line in lines {
      let isToken = line.isNameToken
      if !isToken { complain(path + [.key(line.name)], "'\(line.name)' is no name of a header", aboutKey: true) }
      if line.value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
        complain(path + [.key(line.name)], "holds a line break, which no header can")
      }
    }
    return lines
  }

  /// The one of several keys that is given; complains of a second.
  mutating func oneOf(_ keys: [String], in fields: [String: Value], at path: [JSONStep]) -> String? {
    let given = keys.filter { fields[$0] != nil }
    if given.count > 1 {
      complain(path + [.key(given[1])], "'\(given[0])' and '\(given[1])' exclude each other", aboutKey: true)
    }
    return given.first
  }
}
