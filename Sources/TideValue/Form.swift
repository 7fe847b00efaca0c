/// How a value is held: what its storage is, and what its offset and length mean.
enum Form: UInt8, Sendable {
  // Without storage.
  case null, no, yes
  /// An Int64 in the 64 bits of offset and length.
  case integer

  // Slices of a `Buffer` that are valid JSON, quotes and brackets included.
  case number
  /// A text without a backslash: what lies between its quotes is its value.
  case text
  /// A text with at least one escape.
  case escapedText
  /// A list or an object without white space around its tokens, at any depth.
  case array, object
  /// The same with white space somewhere.
  case spacedArray, spacedObject

  // Slices of a `Buffer` that are no JSON. A length of `UInt32.max` stands for the rest of the buffer.
  /// UTF-8 as it is, to be escaped when it is printed.
  case plain
  /// Any bytes at all.
  case bytes

  // Ranges of the slices of a `Composition`.
  /// `length` items from slice `offset` on.
  case list
  /// `length` fields, a key and a value each, from slice `offset` on.
  case record

  var kind: Value.Kind {
    switch self {
    case .null: .null
    case .no, .yes: .boolean
    case .integer, .number: .number
    case .text, .escapedText, .plain: .string
    case .array, .spacedArray, .list: .array
    case .object, .spacedObject, .record: .object
    case .bytes: .bytes
    }
  }

  /// Whether the value is a slice of a buffer.
  var isText: Bool { rawValue >= Form.number.rawValue && rawValue <= Form.bytes.rawValue }
  /// Whether the slice is JSON, to be printed as it is.
  var isJSON: Bool { rawValue >= Form.number.rawValue && rawValue <= Form.spacedObject.rawValue }
  var isArrayText: Bool { self == .array || self == .spacedArray }
  var isObjectText: Bool { self == .object || self == .spacedObject }
  var isSpaced: Bool { self == .spacedArray || self == .spacedObject }
  var isComposed: Bool { rawValue >= Form.list.rawValue }
}
