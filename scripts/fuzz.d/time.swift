/// Texts and numbers as times, numbers and natural texts. Their order must not depend on where they stood.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTime(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: data, count: count)
  if let moment = Moment(rfc3339: bytes) {
    guard abs(moment.seconds) < 300_000_000_000 else { fatalError("a time out of range: \(moment.seconds)") }
    guard moment.fraction.last != UInt8(ascii: "0") else { fatalError("a fraction that ends with 0") }
  }
  var items: [Value] = []
  for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(40) {
    if let text = String(validating: line, as: UTF8.self) {
      items.append(Value(text))
      if let number = Value(numberText: text) { items.append(number) }
    }
  }
  for kind in [SortKind.time, .number, .natural, .text, .any] { check(items, kind) }
  if let sum = try? aggregated(.array(items.filter { $0.kind == .number }), totals), let whole = sum["sum"] {
    guard whole.kind == .number, Value(numberText: whole.numberText ?? "") == whole else {
      fatalError("no number: \(whole)")
    }
  }
  return 0
}

private var totals: [Aggregate] {
  guard let path = try? Path("$") else { return [] }
  return [Aggregate(name: "sum", .sum(path)), Aggregate(name: "mean", .mean(path))]
}

private func check(_ items: [Value], _ kind: SortKind) {
  guard let path = try? Path("$") else { return }
  let key = SortKey(path: path, kind: kind)
  guard let sorted = try? sorted(.array(items), by: [key]) else { fatalError("not sorted") }
  guard sorted.count == items.count else { fatalError("items were lost") }
  guard let again = try? Fuzz.sorted(sorted, by: [key]), again.json() == sorted.json() else {
    fatalError("sorted again it is in another order")
  }
  let limit = items.count / 9
  guard let first = try? Fuzz.sorted(.array(items), by: [key], limit: limit) else { fatalError("not sorted") }
  guard first.json() == (try? sliced(sorted, limit: limit))?.json() else { fatalError("a limit gives other items") }
}
