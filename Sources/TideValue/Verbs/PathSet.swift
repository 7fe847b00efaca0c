/// Several paths, looked for in one walk over an item's fields.
final class PathSet {
  let paths: [Path]
  /// The different names that paths start with.
  private let names: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>
  /// By name: the last field of that name in the object that is being walked over.
  private let hits: UnsafeMutableBufferPointer<TextSlice?>
  private let arena = Arena()
  private let routes: [Route]
  private let isText: Bool

  /// How to follow a path in text.
  private struct Route {
    /// The name it starts with, if it does.
    let name: Int?
    let rest: [Path.Step]
  }

  init(_ paths: [Path]) {
    self.paths = paths
    var known: [[UInt8]] = []
    var isText = true
    routes = paths.map { path in
      guard case .singular(let steps) = path.query else {
        isText = false
        return Route(name: nil, rest: [])
      }
      guard case .name(let name)? = steps.first else { return Route(name: nil, rest: steps) }
      let index = known.firstIndex(of: name) ?? known.count
      if index == known.count { known.append(name) }
      return Route(name: index, rest: Array(steps.dropFirst()))
    }
    self.isText = isText
    names = .allocate(capacity: known.count)
    hits = .allocate(capacity: known.count)
    hits.initialize(repeating: nil)
    for (index, name) in known.enumerated() { names.initializeElement(at: index, to: arena.keep(name)) }
  }

  deinit {
    names.deallocate()
    hits.deallocate()
  }

  var count: Int { paths.count }

  /// Puts what each path leads to into `found` from `place` on.
  ///
  /// - Throws: that the search for one of them was given up.
  @inline(__always)
  func find(_ item: Int, in list: ItemList, _ found: inout [Found], at place: Int = 0) throws(DataError) {
    let slice = list.slice(item)
    guard isText, slice.form.isText else { return try findInValue(item, list, &found, at: place) }
    let text = list.composition.text(of: slice)
    if names.count > 0 { walk(text) }
    for (index, route) in routes.enumerated() {
      guard let start = route.name.map({ hits[$0] }) ?? text,
        let end = route.rest.isEmpty ? start : Path.find(route.rest, in: start)
      else {
        found[place + index] = .nothing
        continue
      }
      found[place + index] = .text(end, source: slice.source)
    }
  }

  private func walk(_ object: TextSlice) {
    for index in 0..<names.count { hits[index] = nil }
    guard object.form.isObjectText else { return }
    var fields = FieldCursor(object)
    while let field = fields.next() {
      for index in 0..<names.count where field.key.decodes(to: names[index]) {
        hits[index] = field.value
        break
      }
    }
  }

  private func findInValue(
    _ item: Int, _ list: ItemList, _ found: inout [Found], at place: Int
  ) throws(DataError) {
    let value = list.value(item)
    for (index, path) in paths.enumerated() {
      do {
        found[place + index] = try path.find(in: value).map { .value($0) } ?? .nothing
      } catch {
        throw list.error(.size, item: item, path: path.description, error.message)
      }
    }
  }

  /// A place for each path.
  var places: [Found] { Array(repeating: .nothing, count: paths.count) }
}
