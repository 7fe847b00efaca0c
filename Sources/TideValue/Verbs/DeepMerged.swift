/// One object with the fields of all objects, in the order in which their names appear first; where all values of one
/// name are objects they are merged in turn. Other values of one name are a collision, two lists too, and equal values
/// too. A null counts as an empty object. Runs without recursion.
///
/// - Throws: the first input that is no object; under `Collision.error` the first path that has several values, under
///   `concat` the first one that has several of which one is no list.
public func deepMerged(_ objects: [Value], collision: Collision = .error) throws(DataError) -> Value {
  var parts: [DeepMerge.Part] = []
  for (input, object) in objects.enumerated() where !object.isNull {
    guard object.kind == .object else {
      throw DataError(.type, input: input, "\(object.kind.name), where an object is expected")
    }
    parts.append(DeepMerge.Part(input: input, value: object))
  }
  var merge = DeepMerge(collision)
  return try merge.run(parts)
}

/// One merge of objects.
private struct DeepMerge {
  /// A value and the input that it comes from.
  struct Part {
    let input: Int
    let value: Value
  }

  /// Objects that are being merged.
  private struct Level {
    /// The fields in their order: the name as a text, and its value in each object that has it.
    var fields: [(name: Value, parts: [Part])] = []
    var next = 0
    var merged = Composer()

    init(_ objects: [Part]) {
      var places: [[UInt8]: Int] = [:]
      for object in objects {
        object.value.forEachNamed { name, value in
          let part = Part(input: object.input, value: value)
          let key = name.utf8Text ?? []
          guard let place = places[key] else {
            places[key] = fields.count
            fields.append((name, [part]))
            return
          }
          // Of equal names in one object the last counts.
          if fields[place].parts.last?.input == object.input { fields[place].parts.removeLast() }
          fields[place].parts.append(part)
        }
      }
    }
  }

  private let collision: Collision
  private var levels: [Level] = []

  init(_ collision: Collision) { self.collision = collision }

  mutating func run(_ objects: [Part]) throws(DataError) -> Value {
    levels = [Level(objects)]
    while true {
      let top = levels.count - 1
      if levels[top].next == levels[top].fields.count {
        let merged = levels.removeLast().merged.record()
        guard top > 0 else { return merged }
        levels[top - 1].merged.append(merged)
        continue
      }
      let field = levels[top].fields[levels[top].next]
      levels[top].next += 1
      levels[top].merged.append(field.name)
      if field.parts.count == 1 {
        levels[top].merged.append(field.parts[0].value)
      } else if field.parts.allSatisfy({ $0.value.kind == .object }) {
        levels.append(Level(field.parts))
      } else {
        levels[top].merged.append(try resolve(field.parts))
      }
    }
  }

  private func resolve(_ parts: [Part]) throws(DataError) -> Value {
    switch collision {
    case .first: return parts[0].value
    case .last: return parts[parts.count - 1].value
    case .list: return .array(parts.map(\.value))
    case .concat where parts.allSatisfy({ $0.value.kind == .array }): return itemized(parts.map(\.value))
    case .error, .concat:
      let kinds = parts.map(\.value.kind.name).joined(separator: " and ")
      throw DataError(
        .collision, input: parts[1].input, path: path,
        "stands in the input at index \(parts[0].input) too (\(kinds))")
    }
  }

  /// The names that lead to the field at hand.
  private var path: String {
    levels.map { $0.fields[$0.next - 1].name.string ?? "" }.joined(separator: ".")
  }
}

extension Value {
  /// Calls `body` with each field, its name as a text that shares the object's buffer.
  fileprivate func forEachNamed(_ body: (Value, Value) -> Void) {
    if form == .record {
      guard let composition else { return }
      for field in 0..<Int(length) {
        body(composition[Int(offset) + field * 2], composition[Int(offset) + field * 2 + 1])
      }
    } else if form.isObjectText {
      withSlice { slice in
        var fields = FieldCursor(slice)
        while let field = fields.next() { body(part(field.key), part(field.value)) }
      }
    }
  }
}
