/// The colours of reports on a terminal (ECMA-48 section 8.3.117), or none.
struct Palette: Sendable {
  enum Role: Sendable { case error, warning, strong, frame, help }

  let isColoured: Bool

  func callAsFunction(_ role: Role, _ text: String) -> String {
    guard isColoured, !text.isEmpty else { return text }
    let code =
      switch role {
      case .error: "1;31"
      case .warning: "1;33"
      case .strong: "1"
      case .frame: "1;34"
      case .help: "36"
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
