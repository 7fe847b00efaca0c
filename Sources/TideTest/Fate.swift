import TideBarrier
import TideFixtures
import TideGraph

/// Decides what goes wrong in one run, and writes down what was asked and what came of it.
///
/// Lives on the one thread of a simulated executor.
final class Fate: @unchecked Sendable {
  /// Where the faults come from.
  enum Draw {
    case nothing
    /// One ask in `odds` has one of the faults, until there were `most`.
    case chosen([Fault], by: any Choices, odds: Int, most: Int)
    /// The ask with this number has one.
    case single(Fault, ask: Int)
    /// Every ask for this has one: whoever answers it stays as he is.
    case every(Fault, subject: String)
  }

  private let draw: Draw
  private let executor: any Executor
  private let start: Instant
  private var turns: [String: Int] = [:]
  private var drawn = 0
  private(set) var asks: [Ask] = []
  /// The numbers of the asks in the order in which their answers came.
  private(set) var arrivals: [Int] = []
  /// Kept, so that nobody notices that nobody will answer.
  private var unanswered: [any Sendable] = []
  /// Cancels the run.
  var cancel: @Sendable () -> Void = {}
  private(set) var cancelsAskedFor = 0

  init(_ draw: Draw, executor: any Executor) {
    self.draw = draw
    self.executor = executor
    start = executor.now
  }

  private var time: Duration { start.duration(to: executor.now) }

  /// Whether the run waits for something that will never come.
  var isSilent: Bool { !unanswered.isEmpty }

  /// The number of a new ask, and what goes wrong with it.
  func ask(_ subject: String) -> (number: Int, fault: Fault?) {
    turns[subject, default: 0] += 1
    let number = asks.count
    let fault = fault(ofAsk: number, for: subject)
    asks.append(Ask(subject: subject, turn: turns[subject] ?? 1, fault: fault, askedAt: time))
    return (number, fault)
  }

  private func fault(ofAsk number: Int, for subject: String) -> Fault? {
    switch draw {
    case .nothing: return nil
    case .single(let fault, let ask): return ask == number ? fault : nil
    case .every(let fault, let wanted): return subject == wanted ? fault : nil
    case .chosen(let faults, let choices, let odds, let most):
      guard drawn < most, !faults.isEmpty, choices.choose(odds) == odds - 1 else { return nil }
      drawn += 1
      return faults.count == 1 ? faults[0] : faults[choices.choose(faults.count)]
    }
  }

  func arrived(_ number: Int, _ answer: Ask.Answer) {
    guard asks[number].answer == nil else { return }
    asks[number].answer = answer
    asks[number].answeredAt = time
    arrivals.append(number)
  }

  func keepSilent(about completion: some Sendable) {
    unanswered.append(completion)
  }

  /// Cancels the run, some time soon.
  func cancelSoon() {
    executor.submit { [weak self] in self?.cancelNow() }
  }

  func cancelNow() {
    cancelsAskedFor += 1
    cancel()
  }

  /// Lets everything go that it kept.
  func end() {
    unanswered = []
    cancel = {}
  }
}
