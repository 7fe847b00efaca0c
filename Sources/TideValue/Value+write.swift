/// How JSON is laid out.
public enum JSONStyle: Sendable {
  /// No white space around tokens.
  case compact
  /// One item or field a line, indented by two spaces a level; empty lists and objects stay on their line.
  case pretty
  /// What was parsed with its white space as it was; what was put together without any.
  case verbatim
}

extension Value: CustomStringConvertible {
  /// Compact JSON.
  public var description: String { String(decoding: json(), as: UTF8.self) }

  /// The value as JSON. Numbers and texts that were parsed keep their bytes; bytes become a text of their base64.
  public func json(_ style: JSONStyle = .compact) -> [UInt8] {
    var writer = ByteWriter()
    write(to: &writer, style: style)
    return writer.bytes
  }

  /// Writes the value as JSON. Needs no memory but the writer's, and no recursion.
  public func write(to output: inout ByteWriter, style: JSONStyle = .compact) {
    guard form.isComposed, let composition else {
      return JSONWriter.leaf(self, to: &output, style: style, depth: 0)
    }
    JSONWriter.composed(self, composition, to: &output, style: style)
  }
}

/// Lays out values.
enum JSONWriter {
  /// A composed value that is being written: the next slice and the one after the last.
  private struct Frame {
    let composition: Composition
    let isList: Bool
    let first: Int
    var next: Int
    let end: Int

    init(_ value: Value, _ composition: Composition) {
      self.composition = composition
      isList = value.form == .list
      first = Int(value.offset)
      next = first
      end = first + Int(value.length) * (isList ? 1 : 2)
    }
  }

  static func composed(_ value: Value, _ composition: Composition, to output: inout ByteWriter, style: JSONStyle) {
    var outer: [Frame] = []
    var frame = Frame(value, composition)
    output.append(frame.isList ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    while !output.isStopped {
      let nested = items(of: &frame, to: &output, style: style, depth: outer.count + 1)
      if let nested, let composition = nested.composition {
        outer.append(frame)
        frame = Frame(nested, composition)
        output.append(frame.isList ? UInt8(ascii: "[") : UInt8(ascii: "{"))
      } else {
        if style == .pretty { newline(outer.count, to: &output) }
        output.append(frame.isList ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        guard let next = outer.popLast() else { return }
        frame = next
      }
    }
  }

  /// Text that is to be written, and the source that it is a part of.
  private struct Run {
    let start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    let source: UInt32

    /// Whether `text` of `source` follows after nothing but the separator.
    @inline(__always)
    func isFollowed(by text: TextSlice, of source: UInt32, after separator: UInt8) -> Bool {
      self.source == source && text.start == end + 1 && end.pointee == separator
    }
  }

  /// Writes what follows in a frame, up to the first composed item, which is the result, or to its end. What lies side by
  /// side in one text, as in lists that were joined and objects with a field more, is written at once.
  private static func items(
    of frame: inout Frame, to output: inout ByteWriter, style: JSONStyle, depth: Int
  ) -> Value? {
    let composition = frame.composition
    var run: Run?
    while frame.next < frame.end, !output.isStopped {
      if frame.next & 63 == 0 {
        // Beyond the end too: the next object's fields often lie after this one's.
        composition.readAhead(frame.next..<min(frame.next + 64, composition.slices.count))
      }
      let slice = composition.slices[frame.next]
      let place = frame.next - frame.first
      let separator = frame.isList || place & 1 == 0 ? UInt8(ascii: ",") : UInt8(ascii: ":")
      frame.next += 1
      let isCopied = slice.form.isJSON && style != .pretty && (style == .verbatim || !slice.form.isSpaced)
      if isCopied, let last = run {
        let text = composition.text(of: slice)
        if last.isFollowed(by: text, of: slice.source, after: separator) {
          run?.end = text.end
          continue
        }
      }
      if let last = run { output.append(last.start, last.end) }
      run = nil
      if place > 0 { output.append(separator) }
      if style == .pretty { pretty(separator, place, depth, to: &output) }
      if isCopied {
        let text = composition.text(of: slice)
        run = Run(start: text.start, end: text.end, source: slice.source)
      } else if slice.form.isText {
        text(composition.text(of: slice), to: &output, style: style, depth: depth)
      } else if slice.form.isComposed, slice.length > 0 {
        return composition.value(of: slice)
      } else {
        leaf(composition.value(of: slice), to: &output, style: style, depth: depth)
      }
    }
    if let last = run { output.append(last.start, last.end) }
    return nil
  }

  /// What follows a separator, or the bracket.
  private static func pretty(_ separator: UInt8, _ place: Int, _ depth: Int, to output: inout ByteWriter) {
    if separator == UInt8(ascii: ",") { newline(depth, to: &output) } else { output.append(UInt8(ascii: " ")) }
  }

  /// Writes a value that holds no composition.
  static func leaf(_ value: Value, to output: inout ByteWriter, style: JSONStyle, depth: Int) {
    switch value.form {
    case .null: output.append("null")
    case .yes: output.append("true")
    case .no: output.append("false")
    case .integer: output.append(String(value.inlineInteger))
    case .list: output.append("[]")
    case .record: output.append("{}")
    default: value.withSlice { text($0, to: &output, style: style, depth: depth) }
    }
  }

  /// Writes a slice of text.
  static func text(_ slice: TextSlice, to output: inout ByteWriter, style: JSONStyle, depth: Int) {
    switch slice.form {
    case .plain: quoted(slice.all, to: &output)
    case .bytes: base64(slice.all, to: &output)
    case .array, .object, .spacedArray, .spacedObject:
      switch style {
      case .verbatim: output.append(slice.start, slice.end)
      case .compact:
        if slice.form.isSpaced { compact(slice, to: &output) } else { output.append(slice.start, slice.end) }
      case .pretty: pretty(slice, to: &output, depth: depth)
      }
    default: output.append(slice.start, slice.end)
    }
  }

  static func newline(_ depth: Int, to output: inout ByteWriter) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { output.append("  ") }
  }
}
