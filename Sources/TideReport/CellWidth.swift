extension Character {
  /// How many cells of a terminal it takes: 2 for wide East Asian characters and emoji (Unicode's UAX #11, in its large
  /// blocks), 0 for what only joins others, else 1.
  var cellWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return Character.isWide(first.value) ? 2 : 1
    }
  }

  private static func isWide(_ code: UInt32) -> Bool {
    guard code >= 0x1100 else { return false }
    let blocks: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
    return blocks.contains { $0.contains(code) }
  }
}

extension String {
  /// How many cells of a terminal it takes.
  var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }

  /// Filled with spaces up to so many cells.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - cellWidth)) }

  func leftPadded(to width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - cellWidth)) + self }

  /// On one line, and harmless on a terminal: what is no space of ours and controls one becomes U+FFFD. What a server or
  /// a script wrote must not be able to move the cursor.
  var oneLine: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var clean = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": if clean.last != " " { clean.append(" ") }
      default: clean.append(scalar.isControl ? "\u{FFFD}" : scalar)
      }
    }
    return String(clean)
  }
}

extension Unicode.Scalar {
  /// A control character, or one that turns the direction of writing.
  var isControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value) || value == 0x2028 || value == 0x2029
  }
}
