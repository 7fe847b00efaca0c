/// The items of a list sorted by one key after the other, stably; without keys by the items themselves. A null counts as
/// an empty list. Items are not copied: the result keeps the buffers of the list.
///
/// An item that lacks a key, or has null there, is last, also when the key is descending; first if the key says so.
/// - Parameter limit: how many items the result has at most.
/// - Throws: the first item that a key can't read as its kind, or what the value was if it is no list.
public func sorted(_ list: Value, by keys: [SortKey], limit: Int? = nil) throws(DataError) -> Value {
  guard list.kind == .array || list.isNull else {
    throw DataError(.type, "\(list.kind.name) can't be sorted, only a list")
  }
  let items = list.form == .list ? list : itemized([list].filter { !$0.isNull })
  let limit = max(0, limit ?? .max)
  guard let composition = items.composition, limit > 0 else { return .array([]) }
  let first = Int(items.offset)
  let range = first..<first + Int(items.length)
  let sorter = Sorter(composition, range, keys.isEmpty ? [SortKey(path: .root)] : keys, limit: limit)
  try sorter.run()
  return sorter.result()
}

/// One sort.
///
/// Entries are sorted by the prefixes of their keys. Where prefixes tie, a run of entries is sorted by the next bytes of
/// its texts, or by the next key, until nothing is left to tell them apart. With a limit, what lies behind it is left as
/// it is as soon as that is known.
final class Sorter {
  typealias Text = UnsafeBufferPointer<UInt8>

  /// Entries that tie so far, and what tells them apart next.
  struct Run {
    enum Stage {
      /// The key of this number, which nobody has looked at yet.
      case key
      /// The texts of the key from this byte on.
      case texts(Int)
      /// The exact numbers of the key.
      case numbers
      /// The lists, objects or bytes of the key.
      case values
    }

    var range: Range<Int>
    var key: Int
    var stage: Stage
  }

  let list: Composition
  let items: Range<Int>
  let keys: [SortKey]
  /// How many of the first entries have to be in order.
  let limit: Int
  let entries: UnsafeMutableBufferPointer<SortEntry>
  private(set) var scratch: UnsafeMutableBufferPointer<SortEntry>
  /// By item: the text of its key, of the last key that had one.
  let texts: UnsafeMutableBufferPointer<Text>
  let arena = Arena()
  /// What all texts of the key that was read last start with; their prefixes are what follows. Nil if nobody knows.
  var guess: Text?
  private var pending: [Run] = []

  init(_ list: Composition, _ items: Range<Int>, _ keys: [SortKey], limit: Int) {
    self.list = list
    self.items = items
    self.keys = keys
    self.limit = min(limit, items.count)
    entries = .allocate(inLargePages: items.count)
    scratch = .allocate(inLargePages: items.count)
    texts = .zeroed(items.count)
    for index in 0..<items.count {
      entries.initializeElement(at: index, to: SortEntry(prefix: 0, index: UInt32(index), rank: 0))
    }
  }

  deinit {
    entries.deallocate()
    scratch.deallocate()
    texts.free()
  }

  func run() throws(DataError) {
    pending = [Run(range: 0..<items.count, key: 0, stage: .key)]
    while let run = pending.popLast() {
      switch run.stage {
      case .key:
        try read(run.key, of: run.range)
        let run = sort(run)
        split(run) { [self] in stage(of: $0, key: keys[run.key]) }
      case .texts(let skip):
        let skip = skip + sharedPrefix(run.range, skip)
        for place in run.range {
          let prefix = SortPrefix.text(texts[Int(entries[place].index)], skip: skip)
          entries[place].prefix = keys[run.key].descending ? ~prefix : prefix
        }
        let run = sort(run)
        split(run) { [self] entry in
          let goesOn = SortPrefix.textGoesOn(keys[run.key].descending ? ~entry.prefix : entry.prefix)
          return goesOn ? .texts(skip + 7) : .key
        }
      case .numbers: sortByComparing(run) { [self] in order(ofNumbers: $0, $1) }
      case .values: sortByComparing(run, values(of: run)) { Value.compare($0, $1) }
      }
    }
  }

  /// Sorts a run by its prefixes, and gives the part of it that matters.
  private func sort(_ run: Run) -> Run {
    var run = run
    let wanted = limit - run.range.lowerBound
    if wanted < run.range.count / 8 { run.range = entries.select(wanted, of: run.range, scratch: scratch) }
    entries.sortStably(run.range, scratch: scratch)
    return run
  }

  /// The first items in their order.
  func result() -> Value {
    // What was needed for sorting only makes room for the result.
    scratch.deallocate()
    scratch = .allocate(capacity: 0)
    let count = limit
    let slices = ContiguousArray<Composition.Slice>(unsafeUninitializedCapacity: count) { slices, initialized in
      list.slices.withUnsafeBufferPointer { source in
        for place in 0..<count {
          slices.initializeElement(at: place, to: source[items.lowerBound + Int(entries[place].index)])
        }
      }
      initialized = count
    }
    let sorted = Composition(sources: list.sources, texts: list.texts, slices: slices)
    return Value(storage: sorted, offset: 0, length: UInt32(clamping: count), form: .list)
  }

  /// Leaves what still ties for later. `stage` says how to go on with entries like this one.
  func split(_ run: Run, _ stage: (SortEntry) -> Run.Stage) {
    var start = run.range.lowerBound
    while start < run.range.upperBound {
      var end = start + 1
      while end < run.range.upperBound, entries[end].ties(with: entries[start]) { end += 1 }
      if end - start > 1 { goOn(start..<end, key: run.key, stage(entries[start])) }
      start = end
    }
  }

  private func goOn(_ range: Range<Int>, key: Int, _ stage: Run.Stage) {
    guard range.lowerBound < limit else { return }
    if case .key = stage {
      if key + 1 < keys.count { pending.append(Run(range: range, key: key + 1, stage: .key)) }
    } else {
      pending.append(Run(range: range, key: key, stage: stage))
    }
  }

  /// How many bytes from `skip` on all texts of a range have in common.
  private func sharedPrefix(_ range: Range<Int>, _ skip: Int) -> Int {
    var shared = rest(of: range.lowerBound, skip)
    for place in range.dropFirst() where shared.count > 0 {
      shared = Text(rebasing: shared[..<shared.shared(with: rest(of: place, skip))])
    }
    return shared.count
  }

  private func rest(of place: Int, _ skip: Int) -> Text {
    let text = texts[Int(entries[place].index)]
    return Text(rebasing: text[min(skip, text.count)...])
  }

  private func order(ofNumbers left: SortEntry, _ right: SortEntry) -> Int {
    guard let a = texts[Int(left.index)].baseAddress, let b = texts[Int(right.index)].baseAddress else { return 0 }
    return Decimal(a, a + texts[Int(left.index)].count)
      .order(against: Decimal(b, b + texts[Int(right.index)].count))
  }
}
