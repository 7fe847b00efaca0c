/// One thing to sort by.
public struct SortKey: Sendable, Equatable {
  /// Where the items without a value go, whatever the direction.
  public enum Nulls: Sendable, Equatable { case first, last }

  /// What becomes of an item whose value can't be read as the key's kind.
  public enum Invalid: Sendable, Equatable {
    /// It counts as null.
    case likeNull
    case error
  }

  /// Where the value lies in an item.
  public var path: Path
  /// From the largest to the smallest; items that are equal keep their order all the same.
  public var descending: Bool
  public var nulls: Nulls
  /// What the values are read as.
  public var kind: SortKind
  public var invalid: Invalid

  public init(
    path: Path, descending: Bool = false, nulls: Nulls = .last, kind: SortKind = .any, invalid: Invalid = .likeNull
  ) {
    self.path = path
    self.descending = descending
    self.nulls = nulls
    self.kind = kind
    self.invalid = invalid
  }

  /// A path, with a '-' before it to sort from the largest to the smallest.
  ///
  /// - Throws: what is wrong with the path.
  public init(_ text: String) throws(PathError) {
    let descending = text.utf8.first == UInt8(ascii: "-")
    self.init(path: try Path(descending ? String(text.dropFirst()) : text), descending: descending)
  }
}

/// What the values of a sort key are read as. Null, and a key that is absent, is null for each of them.
public enum SortKind: Sendable, Equatable {
  /// As they are, in the total order of `Value.compare`.
  case any
  /// As texts, by code point. Numbers count by their text, booleans as "false" and "true".
  case text
  /// As numbers, by exact value. A text that is a JSON number counts as one.
  case number
  /// As moments. A text is read as RFC 3339 with any offset, in either case, to any precision. A number is seconds since
  /// 1970 below 10¹¹ in size, milliseconds below 10¹⁴, microseconds below 10¹⁷.
  case time
  /// As texts whose runs of digits count by their value ("a9" before "a10"), then by code point.
  case natural
}
