/// A field of the objects that `mapped` makes.
public struct MapField: Sendable {
  public let name: String
  /// Where its value lies in an item.
  public let path: Path
  /// The value if the path leads to nothing.
  public let fallback: Value?

  public init(name: String, path: Path, fallback: Value? = nil) {
    self.name = name
    self.path = path
    self.fallback = fallback
  }
}

/// An object for each item of a list, with these fields in this order. A null counts as an empty list.
///
/// - Throws: the first item in which a path without a fallback leads to nothing; two fields of one name.
public func mapped(_ list: Value, fields: [MapField]) throws(DataError) -> Value {
  try projected(try ItemList(list), fields, leavingOut: false)
}

/// Of each object in a list, or of one object, what the paths lead to, in their order. The field of a path is named by
/// the last name of the path (`user.id` gives `id`).
///
/// - Parameter missing: what becomes of a path that leads to nothing.
/// - Throws: what is neither a list of objects nor an object; the first item in which a path leads to nothing, if that is
///   an error; two paths of one name.
public func picked(_ value: Value, _ paths: [Path], missing: Missing = .error) throws(DataError) -> Value {
  let fallback: Value? = missing == .null ? .null : nil
  let fields = paths.map { MapField(name: $0.lastName, path: $0, fallback: fallback) }
  let items = try ItemList(value.kind == .object ? .array([value]) : value)
  for index in 0..<items.count where items.slice(index).form.kind != .object {
    throw items.error(.type, item: index, "\(items.slice(index).form.kind.name), where an object is expected")
  }
  do {
    let list = try projected(items, fields, leavingOut: missing == .leaveOut)
    return value.kind == .object ? list[0] ?? .object([]) : list
  } catch {
    guard value.kind == .object else { throw error }
    throw DataError(error.kind, path: error.path, error.message)
  }
}

/// What becomes of a path that leads to nothing.
public enum Missing: String, Sendable, CaseIterable {
  case error
  case leaveOut = "omit"
  case null
}

private func projected(_ items: ItemList, _ fields: [MapField], leavingOut: Bool) throws(DataError) -> Value {
  if let name = firstRepeat(fields.map(\.name)) {
    throw DataError(.collision, path: name, "two fields of this name")
  }
  let paths = PathSet(fields.map(\.path))
  var found = paths.places
  var composer = RecordComposer(reserving: items.count, fields: fields.count)
  let names = composer.names(fields.map(\.name))
  let fallbacks = fields.map { field in field.fallback.map { composer.slice($0) } }
  let places = composer.places(of: items.composition)
  for index in 0..<items.count {
    try paths.find(index, in: items, &found)
    for field in fields.indices {
      if case .nothing = found[field] {
        if leavingOut { continue }
        guard let fallback = fallbacks[field] else {
          let path = fields[field].path
          let reason = path.missing(in: items.value(index)) ?? "leads to nothing"
          throw items.error(.missing, item: index, path: path.description, reason)
        }
        composer.append(names[field])
        composer.append(fallback)
      } else {
        composer.append(names[field])
        composer.append(found[field], of: items, places)
      }
    }
    composer.endRecord()
  }
  return try composer.list()
}

/// The first name that stands there twice.
func firstRepeat(_ names: [String]) -> String? {
  var seen = Set<[UInt8]>()
  return names.first { !seen.insert(Array($0.utf8)).inserted }
}
