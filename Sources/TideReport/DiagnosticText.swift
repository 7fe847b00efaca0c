import TideGraph

/// Diagnostics as compilers print them (DESIGN section 6):
///
/// ```
/// error[T0301]: field 'items' of a nil value
///   --> shares.lua:27:10  in step "joined", declared at :24
/// 27 |   return users.items[1].id
///    |          ^^^^^^^^^^^
///    waited for: login -> users -> joined (failed) -> page (blocked)
///    help: ...
/// ```
public struct DiagnosticText: Sendable {
  private let paint: Palette
  private let width: Int

  /// - Parameters:
  ///   - isColoured: for a terminal that shows colours.
  ///   - width: how many cells of a source's line are shown at most.
  public init(isColoured: Bool = false, width: Int = 100) {
    paint = Palette(isColoured: isColoured)
    self.width = max(20, width)
  }

  /// All of them, a blank line between two; ends with a line break unless there are none.
  public func render(_ diagnostics: Diagnostics) -> String {
    diagnostics.all.map { render($0, sources: diagnostics.sources) }.joined(separator: "\n")
  }

  /// One of them, with excerpts from `sources`; ends with a line break.
  public func render(_ diagnostic: Diagnostic, sources: Sources) -> String {
    let locations = [diagnostic.location].compactMap { $0 } + diagnostic.related.map(\.location)
    let gutter = locations.map { String($0.line).count }.max() ?? 1
    let margin = String(repeating: " ", count: gutter + 1)
    var lines = headline(diagnostic)
    if let location = diagnostic.location {
      lines += place(location, remark: diagnostic.context, gutter: gutter)
      lines += excerpt(location, sources: sources, gutter: gutter)
    } else if let context = diagnostic.context {
      lines.append(margin + context.oneLine)
    }
    for related in diagnostic.related {
      lines += place(related.location, remark: related.message, gutter: gutter)
      lines += excerpt(related.location, sources: sources, gutter: gutter)
    }
    lines += diagnostic.notes.map { margin + $0.oneLine }
    if let help = diagnostic.help { lines.append("\(margin)\(paint(.help, "help:")) \(help.oneLine)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The message keeps its line breaks: a Lua error may have several lines.
  private func headline(_ diagnostic: Diagnostic) -> [String] {
    let (role, severity): (Palette.Role, String) =
      switch diagnostic.severity {
      case .error: (.error, "error")
      case .warning: (.warning, "warning")
      }
    let lines = diagnostic.message.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    let first = lines.first.map { String($0).oneLine } ?? ""
    return ["\(paint(role, "\(severity)[\(diagnostic.code)]"))\(paint(.strong, ": \(first)"))"]
      + lines.dropFirst().map { "  " + String($0).oneLine }
  }

  private func place(_ location: Location, remark: String?, gutter: Int) -> [String] {
    let column = location.columns.map { ":\($0.lowerBound)" } ?? ""
    let arrow = paint(.frame, String(repeating: " ", count: gutter) + "-->")
    let remark = remark.map { "  \($0.oneLine)" } ?? ""
    return ["\(arrow) \(location.file.oneLine):\(location.line)\(column)\(remark)"]
  }

  private func excerpt(_ location: Location, sources: Sources, gutter: Int) -> [String] {
    guard let line = sources.line(at: location) else { return [] }
    let excerpt = Excerpt(of: line, columns: location.columns, width: width)
    let number = paint(.frame, "\(String(location.line).leftPadded(to: gutter)) |")
    var lines = [excerpt.text.isEmpty ? number : "\(number) \(excerpt.text)"]
    if let underlined = excerpt.underlined {
      let carets = paint(.error, String(repeating: "^", count: underlined.count))
      let bar = paint(.frame, String(repeating: " ", count: gutter) + " |")
      lines.append("\(bar) \(String(repeating: " ", count: underlined.lowerBound))\(carets)")
    }
    return lines
  }
}
