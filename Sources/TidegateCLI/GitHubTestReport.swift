import TideGraph
import TideTest

/// Annotations of GitHub's workflows: an error at each line that failed, a notice for each that is pending.
struct GitHubTestReport: TestReport {
  private let write: @Sendable (String) -> Void

  init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  func begin(files: Int) {}

  func take(_ result: TestFileResult) {
    for test in result.results {
      switch test.outcome {
      case .passed: break
      case .pending(let why): annotate("notice", test.name, why ?? "pending", test.file, test.location)
      case .failed(let failures):
        for failure in failures { annotate(failure, test.name, result.file) }
      }
    }
    for failure in result.failures { annotate(failure, result.file, result.file) }
  }

  func end(_ totals: TestTotals) {
    write("\(totals.sentence) (seed \(totals.seed))\n")
  }

  private func annotate(_ failure: TestFailure, _ title: String, _ file: String) {
    annotate("error", title, failure.lines.joined(separator: "\n"), file, failure.location)
  }

  private func annotate(_ kind: String, _ title: String, _ message: String, _ file: String, _ location: Location?) {
    let place = "file=\(escaped(location?.file ?? file, isProperty: true)),line=\(location?.line ?? 1)"
    write("::\(kind) \(place),title=\(escaped(title, isProperty: true))::\(escaped(message, isProperty: false))\n")
  }

  /// As the runner reads it back (actions/toolkit, command.ts).
  private func escaped(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
