import CLua
import TideBarrier
import TideGraph
import TideValue

/// A step's body from its start to its end: its coroutine, and those of the branches of `tide.all`. Confined to the
/// bench's lane.
final class StepBody {
  let run: StepRun
  /// By which the state's coroutines and iterators are known as this one's.
  let epoch: UInt64
  /// The line of its function.
  let definition: Location?
  /// What is lent to it while it is suspended.
  var lent = LentBuffers()
  /// By number; the body's own has the number 0, and branches are numbered in declared order.
  private(set) var strands: [UInt32: Strand] = [:]
  /// Those that can go on, from `head` on.
  private var ready: [UInt32] = []
  private var head = 0
  /// The one that runs.
  var current: UInt32 = 0
  /// By the number of the wait, the strand that waits.
  private var waiting: [UInt64: UInt32] = [:]
  private var waits: UInt64 = 0
  private var count: UInt32 = 0
  /// The last failure that a request of its came to: if the script passes it on, all of it is known again.
  var lastFailure: Failure?

  static let own: UInt32 = 0

  init(_ run: StepRun, epoch: UInt64, definition: Location?) {
    self.run = run
    self.epoch = epoch
    self.definition = definition
  }

  /// Adds a coroutine that can start.
  func add(_ strand: Strand) -> UInt32 {
    let number = count
    count += 1
    strands[number] = strand
    ready.append(number)
    return number
  }

  var canGoOn: Bool { head < ready.count }

  /// Of those that can go on by now, the one declared first goes first.
  func sortReady() {
    if ready.count - head > 1 { ready[head...].sort() }
  }

  /// The next one that can go on. Branches that were stopped meanwhile are left out.
  func nextReady() -> UInt32? {
    while canGoOn {
      let number = ready[head]
      head += 1
      if strands[number] != nil { return number }
    }
    ready.removeAll(keepingCapacity: true)
    head = 0
    return nil
  }

  /// Changes the state of a strand that is there, and lets it go on if it can.
  func set(_ number: UInt32, _ state: Strand.State) {
    strands[number]?.state = state
    if case .ready = state { ready.append(number) }
    if case .answered = state { ready.append(number) }
  }

  /// Keeps the registry's number of a strand.
  func hold(_ number: UInt32, as reference: Int32) {
    strands[number]?.reference = reference
  }

  /// The strand that runs waits from now on: `begin` starts what it waits for, under a number that the answer gives.
  func wait(at place: clua_place, _ begin: (UInt64) -> Strand.Wait) {
    waits += 1
    waiting[waits] = current
    set(current, .waiting(waits, at: place, begin(waits)))
  }

  /// False for an answer that comes late, or once more.
  func take(_ answer: StepMessage.Answer, to wait: UInt64) -> Bool {
    guard let number = waiting.removeValue(forKey: wait), case .waiting(_, let place, _)? = strands[number]?.state
    else { return false }
    set(number, .answered(answer, at: place))
    return true
  }

  /// Takes a strand out, and stops what it waits for.
  func remove(_ number: UInt32) -> Strand? {
    guard let strand = strands.removeValue(forKey: number) else { return nil }
    if case .waiting(let wait, _, let what) = strand.state {
      waiting[wait] = nil
      what.stop()
    }
    return strand
  }
}

/// One of the coroutines of a step's body.
struct Strand {
  enum State {
    /// It goes on with so many values, which lie on its stack, or raises the one on top.
    case ready(Int32, raises: Bool = false)
    case answered(StepMessage.Answer, at: clua_place)
    case running
    case waiting(UInt64, at: clua_place, Wait)
    /// In `tide.all`, until its branches have ended.
    case joining([UInt32], left: Int)
    /// With its value on top.
    case ended
  }

  enum Wait {
    case fetch(any Abortable)
    case sleep(any Timer)

    func stop() {
      switch self {
      case .fetch(let request): request.abort()
      case .sleep(let timer): timer.cancel()
      }
    }
  }

  let stack: LuaStack
  /// The one whose `tide.all` it is a branch of.
  let parent: UInt32?
  /// The registry's number of its coroutine; 0 while something else holds that.
  var reference: Int32 = 0
  var state: State
}
