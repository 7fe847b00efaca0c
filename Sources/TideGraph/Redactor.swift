import TideValue

/// Takes secrets out of what is shown: each becomes `***`.
///
/// A secret is found as it is, and as URLs, forms, JSON and base64 (RFC 4648 section 4) write it; of a long one also
/// its beginning, which is what a shortened excerpt shows.
public struct Redactor: Sendable {
  /// What stands where a secret stood.
  public static let mask = "***"

  /// What is computed from a secret may be an ordinary word; one shorter than this is not looked for.
  private static let leastComputed = 4
  /// A beginning of so many bytes gives a secret away.
  private static let telling = 16
  /// Beyond so many texts nothing is searched any more, and everything is masked.
  private static let limit = 1000

  private var texts: Set<String> = []
  /// By their first byte.
  private var patterns: [UInt8: [[UInt8]]] = [:]
  private var masksEverything = false

  public init() {}

  /// Whether there is nothing to hide.
  public var isEmpty: Bool { texts.isEmpty }

  /// Hides the texts of a value from now on: what it holds, if it is a list or an object.
  ///
  /// - Parameter isGiven: a secret that somebody gave, and not one that was computed. It is hidden however short it is.
  public mutating func hide(_ value: Value, isGiven: Bool = false) {
    var pending = [value]
    while let next = pending.popLast() {
      switch next.kind {
      case .null, .boolean: break
      case .number, .string:
        guard let text = next.scalarText, text.utf8.count >= (isGiven ? 1 : Redactor.leastComputed) else { continue }
        hide(text: text)
        if masksEverything { return }
      case .array: next.forEachItem { pending.append($0) }
      case .object: next.forEachField { _, field in pending.append(field) }
      case .bytes: hide(text: String(next.description.dropFirst().dropLast()))
      }
    }
  }

  private mutating func hide(text: String) {
    guard texts.insert(text).inserted else { return }
    if texts.count > Redactor.limit { masksEverything = true }
    let bytes = Array(text.utf8)
    let inJSON = Array(Value(text).json().dropFirst().dropLast())
    for pattern in [bytes, Array(URLText.encodeSegment(text).utf8), Array(URLText.encodeForm(text).utf8), inJSON] {
      add(pattern)
    }
    for phase in 0..<3 {
      let pattern = inBase64(bytes, phase: phase)
      if pattern.count >= 8 { add(pattern) }
    }
  }

  private mutating func add(_ pattern: [UInt8]) {
    guard let first = pattern.first, patterns[first]?.contains(pattern) != true else { return }
    patterns[first, default: []].append(pattern)
  }

  /// The digits that `bytes` alone decide in a base64 text, where `phase` of the three bytes of a group come before them.
  private func inBase64(_ bytes: [UInt8], phase: Int) -> [UInt8] {
    let digits = Array(base64([UInt8](repeating: 0, count: phase) + bytes).utf8)
    let first = (phase * 8 + 5) / 6
    let end = (phase + bytes.count) * 8 / 6
    return first < end ? Array(digits[first..<end]) : []
  }
}

extension Redactor {
  /// The text without the secrets.
  public func redacted(_ text: String) -> String {
    if masksEverything { return Redactor.mask }
    guard !isEmpty else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var isHiding = false
    var place = 0
    while place < bytes.count {
      let length = secretLength(in: bytes, at: place)
      if length > 0 {
        if !isHiding { shown += Redactor.mask.utf8 }
        place += length
        // Half a character is none.
        while place < bytes.count, bytes[place] & 0xC0 == 0x80 { place += 1 }
      } else {
        shown.append(bytes[place])
        place += 1
      }
      isHiding = length > 0
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// How many bytes from `place` on belong to a secret: the longest that is there.
  private func secretLength(in bytes: [UInt8], at place: Int) -> Int {
    guard let candidates = patterns[bytes[place]] else { return 0 }
    var longest = 0
    for pattern in candidates {
      let end = min(pattern.count, bytes.count - place)
      var length = 0
      while length < end, bytes[place + length] == pattern[length] { length += 1 }
      if length == pattern.count || length >= Redactor.telling { longest = max(longest, length) }
    }
    return longest
  }

  /// The value without the secrets, the names of its fields included.
  public func redacted(_ value: Value) -> Value {
    guard !isEmpty else { return value }
    switch value.kind {
    case .null, .boolean: return value
    case .number, .bytes:
      let text = value.description
      let shown = redacted(text)
      return shown == text ? value : Value(Redactor.mask)
    case .string: return Value(redacted(value.string ?? ""))
    case .array: return .array(value.items.map { redacted($0) })
    case .object: return .object(value.fields.map { (key: redacted($0.key), value: redacted($0.value)) })
    }
  }

  /// The failure without the secrets.
  public func redacted(_ failure: Failure) -> Failure {
    guard !isEmpty else { return failure }
    var shown = failure
    shown.message = redacted(failure.message)
    shown.help = failure.help.map { redacted($0) }
    shown.body = failure.body.map { redacted($0) }
    return shown
  }

  /// What happened without the secrets.
  public func redacted(_ event: RunEvent.Kind) -> RunEvent.Kind {
    guard !isEmpty else { return event }
    switch event {
    case .attemptEnded(let instance, let attempt, let failure):
      return .attemptEnded(instance, attempt: attempt, failure.map { redacted($0) })
    case .itemProduced(let instance, let index, let value):
      return .itemProduced(instance, index: index, redacted(value))
    case .log(let instance, let text): return .log(instance, redacted(text))
    case .nodeEnded(let instance, let outcome, let failure, let blamed, let tookOtherwise):
      return .nodeEnded(
        instance, outcome, failure.map { redacted($0) }, blamed: blamed, tookOtherwise: tookOtherwise)
    case .runStarted, .nodeStarted, .attemptStarted, .lateAnswer, .runEnded: return event
    }
  }
}
