/// Something that is wrong with a plan, or with the engine, and the run that shows it.
public struct Finding: Sendable {
  public enum Kind: Sendable {
    /// The run did what no run may do: a defect of the engine, or of what answers.
    case complaints([String])
    /// With the same answers another run ended in another way.
    case differs(from: Observation, in: [String])
  }

  public let kind: Kind
  public let run: Observation

  /// The way there: ``Exploration/replay(_:)``.
  public var trail: Trail { run.trail }
}

extension Finding: CustomStringConvertible {
  /// What is wrong, and how to see it again; of two runs that differ both.
  public var description: String {
    switch kind {
    case .complaints(let complaints): "\(complaints.joined(separator: "\n"))\n\(run)"
    case .differs(let other, let differences):
      "\(differences.joined(separator: "\n"))\none run: \(run)\nthe other: \(other)"
    }
  }
}

/// Holds runs against each other that got the same answers.
struct Comparison {
  var summary = Exploration.Summary()
  private var first: [[String]: Observation] = [:]

  mutating func take(_ run: Observation) {
    summary.runs += 1
    if !run.complaints.isEmpty { summary.findings.append(Finding(kind: .complaints(run.complaints), run: run)) }
    guard run.isComparable else { return }
    guard let other = first[run.answersGiven] else {
      first[run.answersGiven] = run
      return
    }
    let differences = run.differences(to: other)
    if !differences.isEmpty { summary.findings.append(Finding(kind: .differs(from: other, in: differences), run: run)) }
  }
}
