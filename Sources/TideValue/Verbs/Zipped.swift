/// What `zipped` does with lists that are not equally long.
public enum Lengths: String, Sendable, CaseIterable {
  /// An error that says the lengths.
  case equal
  /// It ends with the shortest.
  case shortest
  /// It ends with the longest; null stands for what is missing.
  case longest
}

/// The first items of all lists in a list, then the second ones, and so on. A null counts as an empty list.
///
/// - Throws: the first input that is no list; the lengths if they differ and have to be equal.
public func zipped(_ lists: [Value], lengths: Lengths = .equal) throws(DataError) -> Value {
  var inputs: [ItemList] = []
  for (input, list) in lists.enumerated() { inputs.append(try ItemList(list, input: input)) }
  let counts = inputs.map(\.count)
  let (shortest, longest) = (counts.min() ?? 0, counts.max() ?? 0)
  if lengths == .equal, shortest != longest {
    throw DataError(.lengths, "the lists have different lengths: \(counts.map { "\($0)" }.joined(separator: ", "))")
  }
  var composer = RecordComposer(reserving: 0, fields: 0)
  let places = inputs.map { composer.places(of: $0.composition) }
  var row = inputs.map { _ in Composition.Slice.null }
  for index in 0..<(lengths == .shortest ? shortest : longest) {
    for (input, list) in inputs.enumerated() {
      if index < list.count {
        row[input] = list.slice(index)
        if !places[input].isEmpty { row[input].source = places[input][Int(row[input].source)] }
      } else {
        row[input] = .null
      }
    }
    composer.append(composer.list(of: row))
  }
  return try composer.values()
}
