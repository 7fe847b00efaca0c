extension Sorter {
  /// The kinds of keys in their order. Nulls lie outside of them, on the side that the key says.
  private enum Rank {
    static let nullsFirst: UInt8 = 0
    static let boolean: UInt8 = 1
    static let number: UInt8 = 2
    static let text: UInt8 = 3
    static let list: UInt8 = 4
    static let object: UInt8 = 5
    static let bytes: UInt8 = 6
    static let nullsLast: UInt8 = 7
  }

  /// Reads a key of the items of a range into their entries.
  func read(_ number: Int, of range: Range<Int>) throws(DataError) {
    let key = keys[number]
    guess = guessedPrefix(key, range)
    for place in range {
      let item = list.slices[items.lowerBound + Int(entries[place].index)]
      if key.path.isSingular, item.form.isObjectText || item.form.isArrayText {
        // The common case: no reference is counted.
        guard let slice = key.path.find(in: list.text(of: item)) else {
          setNull(key, place)
          continue
        }
        try read(slice, key, place)
      } else {
        try read(try value(of: key, place), key, place)
      }
    }
    if guess == nil { forgetTextPrefixes(key, range) }
  }

  private func value(of key: SortKey, _ place: Int) throws(DataError) -> Value {
    let index = Int(entries[place].index)
    do {
      return try key.path.find(in: list[items.lowerBound + index]) ?? .null
    } catch {
      throw DataError(.size, item: index, path: key.path.description, error.message)
    }
  }

  /// A text did not start as was guessed: all are sorted from their first byte on.
  private func forgetTextPrefixes(_ key: SortKey, _ range: Range<Int>) {
    let rank = key.descending ? Rank.nullsLast - Rank.text : Rank.text
    for place in range where entries[place].rank == rank { entries[place].prefix = 0 }
  }

  /// What a few texts of the range start with, for `setText` to skip: while a text is being read it is in the cache.
  private func guessedPrefix(_ key: SortKey, _ range: Range<Int>) -> Text? {
    guard key.kind == .any || key.kind == .text, range.count >= 64 else { return nil }
    var shared: Text?
    for place in stride(from: range.lowerBound, to: range.upperBound, by: range.count / 32) {
      let item = list.slices[items.lowerBound + Int(entries[place].index)]
      guard item.form.isObjectText, let slice = key.path.find(in: list.text(of: item)), slice.form == .text
      else { return nil }
      let length = shared.map { slice.content.shared(with: $0) } ?? slice.content.count
      shared = Text(rebasing: slice.content[..<length])
    }
    return shared
  }

  private func setText(_ text: Text, _ key: SortKey, _ place: Int) {
    var prefix: UInt64 = 0
    if let start = guess {
      if text.shared(with: start) == start.count {
        prefix = SortPrefix.text(text, skip: start.count)
      } else {
        guess = nil
      }
    }
    set(place, rank: Rank.text, prefix: prefix, text: text, key)
  }

  /// Reads a value that the list keeps alive.
  private func read(_ value: Value, _ key: SortKey, _ place: Int) throws(DataError) {
    switch value.form {
    case .integer:
      let text = arena.keep(Array(String(value.inlineInteger).utf8))
      let start = text.baseAddress.unsafelyUnwrapped
      let end = start + text.count
      try read(TextSlice(start: start, end: end, limit: end, form: .number), key, place)
    case .null, .yes, .no, .list, .record:
      // Nothing reads the bytes of these forms.
      let none = arena.keep([])
      let start = none.baseAddress.unsafelyUnwrapped
      try read(TextSlice(start: start, end: start, limit: start, form: value.form), key, place)
    default:
      try value.withSlice { (slice) throws(DataError) -> Void in try read(slice, key, place) }
    }
  }

  private func read(_ slice: TextSlice, _ key: SortKey, _ place: Int) throws(DataError) {
    if slice.form == .null { return setNull(key, place) }
    switch key.kind {
    case .any: readAny(slice, key, place)
    case .text, .natural:
      guard let text = text(slice) else { return try refuse(slice, "a text", key, place) }
      setText(key.kind == .natural ? arena.keep(NaturalText.encoded(text)) : text, key, place)
    case .number:
      guard let text = number(slice) else { return try refuse(slice, "a number", key, place) }
      setNumber(text, key, place)
    case .time:
      guard let moment = moment(slice) else { return try refuse(slice, "a time", key, place) }
      set(moment, key, place)
    }
  }

  private func readAny(_ slice: TextSlice, _ key: SortKey, _ place: Int) {
    switch slice.form.kind {
    case .null: break
    case .boolean: set(place, rank: Rank.boolean, prefix: slice.form == .yes ? 1 : 0, key)
    case .number: setNumber(slice.all, key, place)
    case .string: setText(decoded(slice), key, place)
    case .array: set(place, rank: Rank.list, prefix: 0, key)
    case .object: set(place, rank: Rank.object, prefix: 0, key)
    case .bytes: set(place, rank: Rank.bytes, prefix: 0, key)
    }
  }

  private func decoded(_ slice: TextSlice) -> Text {
    slice.form == .escapedText ? arena.keep(Escapes.decoded(slice.content)) : slice.content
  }

  /// What a scalar reads as when it is to be a text.
  private func text(_ slice: TextSlice) -> Text? {
    switch slice.form {
    case .text, .escapedText, .plain: decoded(slice)
    case .number: slice.all
    case .yes: arena.keep(Array("true".utf8))
    case .no: arena.keep(Array("false".utf8))
    default: nil
    }
  }

  private func number(_ slice: TextSlice) -> Text? {
    if slice.form == .number { return slice.all }
    guard slice.form.kind == .string else { return nil }
    let text = decoded(slice)
    guard let start = text.baseAddress, NumberText.end(of: start, start + text.count) == start + text.count
    else { return nil }
    return text
  }

  private func moment(_ slice: TextSlice) -> Moment? {
    if slice.form == .number { return Moment(epoch: slice.all, arena: arena) }
    return slice.form.kind == .string ? Moment(rfc3339: decoded(slice)) : nil
  }

  private func setNumber(_ text: Text, _ key: SortKey, _ place: Int) {
    if let prefix = SortPrefix.shortNumber(text) { return set(place, rank: Rank.number, prefix: prefix, key) }
    let start = text.baseAddress.unsafelyUnwrapped
    let prefix = SortPrefix.number(Decimal(start, start + text.count))
    set(place, rank: Rank.number, prefix: prefix, text: text, key)
  }

  /// Seconds, seven digits of the fraction, and whether more follow.
  private func set(_ moment: Moment, _ key: SortKey, _ place: Int) {
    var fraction: UInt64 = 0
    for index in 0..<7 {
      fraction = fraction * 10 + (index < moment.fraction.count ? UInt64(moment.fraction[index] & 0xF) : 0)
    }
    let goesOn = moment.fraction.count > 7
    let rest = goesOn ? Text(rebasing: moment.fraction[7...]) : nil
    // Seconds lie within ±3 · 10¹¹, far from the 39 bits that they have.
    let seconds = UInt64(bitPattern: moment.seconds + 200_000_000_000)
    set(
      place, rank: Rank.number, prefix: seconds << 25 | fraction << 1 | (goesOn ? 1 : 0), text: rest, key)
  }

  private func set(_ place: Int, rank: UInt8, prefix: UInt64, text: Text? = nil, _ key: SortKey? = nil) {
    let isDescending = key?.descending ?? false
    entries[place].rank = isDescending ? Rank.nullsLast - rank : rank
    entries[place].prefix = isDescending ? ~prefix : prefix
    if let text { texts[Int(entries[place].index)] = text }
  }

  /// What tells entries apart that tie like this one after their key was read.
  func stage(of entry: SortEntry, key: SortKey) -> Run.Stage {
    if entry.rank == Rank.nullsFirst || entry.rank == Rank.nullsLast { return .key }
    let prefix = key.descending ? ~entry.prefix : entry.prefix
    switch key.descending ? Rank.nullsLast - entry.rank : entry.rank {
    case Rank.text:
      guard let guess else { return .texts(0) }
      return SortPrefix.textGoesOn(prefix) ? .texts(guess.count + 7) : .key
    case Rank.number:
      guard SortPrefix.numberGoesOn(prefix) else { return .key }
      return key.kind == .time ? .texts(0) : .numbers
    case Rank.list, Rank.object, Rank.bytes: return .values
    default: return .key
    }
  }

  private func setNull(_ key: SortKey, _ place: Int) {
    set(place, rank: key.nulls == .first ? Rank.nullsFirst : Rank.nullsLast, prefix: 0)
  }

  /// What can't be read as the key's kind.
  private func refuse(_ slice: TextSlice, _ what: String, _ key: SortKey, _ place: Int) throws(DataError) {
    if key.invalid == .likeNull { return setNull(key, place) }
    var found = slice.form.kind.name
    if slice.form.kind == .string {
      let text = String(decoding: decoded(slice), as: UTF8.self)
      found = "the text '\(text.prefix(40))\(text.count > 40 ? "…" : "")'"
    } else if slice.form == .number {
      found = "the number \(String(decoding: slice.all.prefix(40), as: UTF8.self))"
    }
    throw DataError(
      .unreadable, item: Int(entries[place].index), path: key.path.description, "\(found) can't be read as \(what)")
  }
}
