/// The known name that a misspelt one most likely means: at most a third of its letters differ, or one of two
/// (optimal string alignment: insertion, deletion, substitution, and a swap of neighbours, each one step).
public func nearest(to word: String, among known: some Sequence<String>) -> String? {
  let limit = max(1, word.utf8.count / 3)
  var best: (name: String, distance: Int)?
  for name in known {
    let distance = editDistance(Array(word.utf8), Array(name.utf8), limit: limit)
    if distance <= limit, distance < name.utf8.count, distance < (best?.distance ?? .max) { best = (name, distance) }
  }
  return best?.name
}

/// `did you mean 'x'?`, or nil where nothing is near.
public func didYouMean(_ word: String, among known: some Sequence<String>) -> String? {
  nearest(to: word, among: known).map { "did you mean '\($0)'?" }
}

private func editDistance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int {
  guard abs(a.count - b.count) <= limit, max(a.count, b.count) < 256 else { return .max }
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
