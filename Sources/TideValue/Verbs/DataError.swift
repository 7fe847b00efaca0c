/// Why a verb can't do its work on the values that it got, and where.
public struct DataError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// A value of the wrong kind: a text where a list is expected.
    case type
    /// A path that leads to nothing.
    case missing
    /// Two values for one place.
    case collision
    /// Lists that should have been equally long.
    case lengths
    /// A text or a number that can't be read as what it should be.
    case unreadable
    /// More than fits into one value, or a number beyond what sums hold.
    case size
  }

  public let kind: Kind
  /// The input, from 0; nil for a verb that has one only.
  public let input: Int?
  /// The item of the input, from 0; nil if the input as a whole is wrong.
  public let item: Int?
  /// The path or the name of the field.
  public let path: String?
  /// What is wrong there, as in "an object, where a list is expected".
  public let message: String

  public init(_ kind: Kind, input: Int? = nil, item: Int? = nil, path: String? = nil, _ message: String) {
    self.kind = kind
    self.input = input
    self.item = item
    self.path = path
    self.message = message
  }

  public var description: String { description { "the input at index \($0)" } }

  /// Place and message, the input by the name that `input` has for it.
  public func description(naming input: (Int) -> String) -> String {
    var place = path.map { "'\($0)'" } ?? ""
    if let item { place += (place.isEmpty ? "" : " of ") + "the item at index \(item)" }
    if let index = self.input { place += (place.isEmpty ? "" : " of ") + input(index) }
    return place.isEmpty ? message : "\(place): \(message)"
  }
}

/// What becomes of two different values for one place.
public enum Collision: String, Sendable, Equatable, CaseIterable {
  /// An error that names the place.
  case error
  case first
  case last
  /// All of them in a list, in declared order.
  case list
  /// Lists are joined to one; where not all are lists it is an error.
  case concat
}
