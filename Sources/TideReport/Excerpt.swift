/// A line of a source as it is shown: tabs as spaces, a long line cut to what lies around the place that is meant.
struct Excerpt: Equatable {
  let text: String
  /// The cells of `text` to underline; nil where no columns are known.
  let underlined: Range<Int>?

  /// - Parameters:
  ///   - columns: 1-based, in bytes of `line`; what lies behind its end is put there.
  ///   - width: the number of cells that there are.
  init(of line: Substring, columns: Range<Int>?, width: Int) {
    var cells: [(text: String, width: Int)] = []
    var used = 0
    var offset = 0
    var span: (start: Int?, end: Int) = (nil, 0)
    for character in line {
      let bytes = character.utf8.count
      let shown = Excerpt.shown(character, at: used)
      let meant = columns.map { $0.lowerBound < offset + 1 + bytes && offset + 1 < $0.upperBound } ?? false
      if meant {
        span.start = span.start ?? used
        span.end = used + shown.width
      }
      cells.append(shown)
      used += shown.width
      offset += bytes
    }
    guard columns != nil else {
      (text, underlined) = Excerpt.cut(cells, total: used, around: 0..<0, width: width)
      return
    }
    let start = span.start ?? used
    let (text, underlined) = Excerpt.cut(cells, total: used, around: start..<max(start + 1, span.end), width: width)
    self.text = text
    self.underlined = underlined
  }

  private static func shown(_ character: Character, at column: Int) -> (text: String, width: Int) {
    if character == "\t" {
      let width = 4 - column % 4
      return (String(repeating: " ", count: width), width)
    }
    if character.unicodeScalars.contains(where: \.isControl) { return ("\u{FFFD}", 1) }
    return (String(character), character.cellWidth)
  }

  /// The part of a line that fits, with `...` where something is left out, and the range in it.
  private static func cut(
    _ cells: [(text: String, width: Int)], total: Int, around span: Range<Int>, width: Int
  ) -> (String, Range<Int>?) {
    let underline: Range<Int>? = span.isEmpty ? nil : span
    // The end of the line is a place of its own: the caret may stand there.
    guard max(total, span.upperBound) > width else { return (cells.map(\.text).joined().trimmedEnd, underline) }
    let room = max(8, width - 6)
    let first = span.lowerBound < room ? 0 : span.lowerBound - room / 3
    var text = first > 0 ? "..." : ""
    var shift: Int?
    var column = 0
    var isCut = false
    for cell in cells {
      defer { column += cell.width }
      guard column >= first else { continue }
      if shift == nil { shift = text.cellWidth - column }
      if column + cell.width > first + room {
        isCut = true
        break
      }
      text += cell.text
    }
    let end = text.cellWidth
    if isCut { text += "..." }
    guard let underline else { return (text.trimmedEnd, nil) }
    let moved = shift ?? (end - total)
    let lower = max(0, underline.lowerBound + moved)
    return (text.trimmedEnd, lower..<max(lower + 1, min(underline.upperBound + moved, max(end, lower + 1))))
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
