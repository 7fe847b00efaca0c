import TideBarrier
import TideGraph

/// Asks for something in the name of a run, and does to the answer what fate has in store.
struct FatedWork<Result: Sendable>: Sendable {
  let fate: Fate
  let clock: AnswerClock
  /// Starts what answers.
  let start: @Sendable (@escaping @Sendable (Result) -> Void) -> any Abortable
  /// What arrives in place of the answer, without asking for it; nil where the answer itself is needed.
  let replacement: @Sendable (Fault) -> Result?
  /// What is made of the answer.
  let spoiled: @Sendable (Fault, Result) -> Result
  let record: @Sendable (Result) -> Ask.Answer

  /// Longer than any limit that a workflow has.
  static var lateness: Duration { .seconds(100 * 86400) }

  func begin(_ subject: String, _ completion: @escaping @Sendable (Result) -> Void) -> any Abortable {
    let (number, fault) = fate.ask(subject)
    let deliver: @Sendable (Result) -> Void = { [fate, record] result in
      fate.arrived(number, record(result))
      completion(result)
    }
    guard let fault else { return start(deliver) }
    if let result = replacement(fault) {
      clock.submit { deliver(result) }
      return NothingGoingOn()
    }
    switch fault {
    case .never:
      fate.keepSilent(about: completion)
      return NothingGoingOn()
    case .lost: return NothingGoingOn()
    case .twice:
      return start { [clock] result in
        deliver(result)
        clock.submit { deliver(result) }
      }
    case .late:
      return start { [clock] result in clock.timer(FatedWork.lateness) { deliver(result) } }
    case .cancel:
      fate.cancelSoon()
      return start(deliver)
    default:
      return start { [spoiled] result in deliver(spoiled(fault, result)) }
    }
  }
}
