extension Value: Equatable {
  /// Equality of what the JSON means: numbers by exact value (2 and 2.0, 0 and -0), texts by their decoded code points,
  /// objects by the last field of each name in any order.
  public static func == (left: Value, right: Value) -> Bool { compare(left, right) == 0 }

  /// The total order over all values: negative, 0 or positive as `left` comes before, with or after `right`.
  ///
  /// null < false < true < numbers < texts < lists < objects < bytes. Numbers by exact value, at any length; texts by
  /// code point; lists item by item, then the shorter first; objects by their sorted names as a list, then by the values
  /// in the order of those names; bytes as unsigned bytes. Runs without recursion.
  public static func compare(_ left: Value, _ right: Value) -> Int {
    var pairs: [Pair] = []
    var order = shallow(left, right, &pairs)
    while order == 0, var pair = pairs.popLast() {
      guard pair.next < min(pair.left.count, pair.right.count) else {
        order = pair.left.count - pair.right.count
        continue
      }
      let next = pair.next
      pair.next += 1
      pairs.append(pair)
      order = shallow(pair.left[next], pair.right[next], &pairs)
    }
    return order.signum()
  }

  /// Two lists that are being compared.
  private struct Pair {
    let left: [Value]
    let right: [Value]
    var next = 0
  }

  /// Compares two values; what two lists or objects hold is left to do in `pairs`.
  private static func shallow(_ left: Value, _ right: Value, _ pairs: inout [Pair]) -> Int {
    let kind = left.kind
    guard kind == right.kind else { return Int(kind.rawValue) - Int(right.kind.rawValue) }
    if left.isIdentical(to: right) { return 0 }
    switch kind {
    case .null: return 0
    case .boolean: return left.form == right.form ? 0 : left.form == .no ? -1 : 1
    case .number: return numbers(left, right)
    case .string:
      return left.withSlice { a in
        right.withSlice { b in a.withDecoded { a in b.withDecoded { b in a.order(against: b) } } }
      }
    case .bytes: return left.withSlice { a in right.withSlice { b in a.all.order(against: b.all) } }
    case .array:
      pairs.append(Pair(left: left.items, right: right.items))
      return 0
    case .object:
      let (a, b) = (left.sortedFields(), right.sortedFields())
      for (one, other) in zip(a, b) {
        let order = one.name.withUnsafeBufferPointer { one in
          other.name.withUnsafeBufferPointer { other in one.order(against: other) }
        }
        if order != 0 { return order }
      }
      guard a.count == b.count else { return a.count - b.count }
      pairs.append(Pair(left: a.map { $0.value }, right: b.map { $0.value }))
      return 0
    }
  }

  /// The same slice of the same storage.
  private func isIdentical(to other: Value) -> Bool {
    storage === other.storage && offset == other.offset && length == other.length && form == other.form
  }

  private static func numbers(_ left: Value, _ right: Value) -> Int {
    if left.form == .integer && right.form == .integer {
      return left.inlineInteger == right.inlineInteger ? 0 : left.inlineInteger < right.inlineInteger ? -1 : 1
    }
    return left.withDecimal { a in right.withDecimal { b in a.order(against: b) } }
  }

  private func withDecimal<R>(_ body: (Decimal) -> R) -> R {
    guard form == .integer else { return withSlice { body(Decimal($0)) } }
    var text = String(inlineInteger)
    return text.withUTF8 { bytes in
      let start = bytes.baseAddress.unsafelyUnwrapped
      return body(Decimal(start, start + bytes.count))
    }
  }

  /// The last field of each name, by name.
  func sortedFields() -> [(name: [UInt8], value: Value)] {
    var last: [[UInt8]: Value] = [:]
    forEachMember { key, value in last[key.withDecoded { Array($0) }] = value }
    return last.map { (name: $0.key, value: $0.value) }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}
