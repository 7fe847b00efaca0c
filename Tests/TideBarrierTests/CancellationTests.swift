import Testing
import TideBarrier

@Suite struct CancellationTests {
  @Test func `a cancel runs the handlers once, in their order`() {
    let log = Log<Int>()
    let cancellation = Cancellation()
    let registrations = (0..<20).map { number in cancellation.onCancel { log.append(number) } }
    #expect(!cancellation.isCancelled)
    cancellation.cancel()
    cancellation.cancel()
    #expect(cancellation.isCancelled)
    #expect(log.all == Array(0..<20))
    for registration in registrations { registration.remove() }
  }

  @Test func `a handler that comes too late runs at once`() {
    let log = Log<String>()
    let cancellation = Cancellation()
    cancellation.cancel()
    let registration = cancellation.onCancel { log.append("late") }
    log.append("returned")
    #expect(log.all == ["late", "returned"])
    registration.remove()
  }

  @Test func `a handler that was removed or dropped does not run, and is released`() {
    let log = Log<String>()
    let cancellation = Cancellation()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      let removed = cancellation.onCancel {
        token.touch()
        log.append("removed")
      }
      removed.remove()
      removed.remove()
    }
    #expect(seen == nil)
    _ = cancellation.onCancel { log.append("dropped") }
    let kept = cancellation.onCancel { log.append("kept") }
    cancellation.cancel()
    #expect(log.all == ["kept"])
    kept.remove()
  }

  @Test func `a cancel goes down, not up and not sideways`() {
    let root = Cancellation()
    let (left, right) = (root.child(), root.child())
    let below = left.child()
    left.cancel()
    #expect([root, left, right, below].map(\.isCancelled) == [false, true, false, true])
    root.cancel()
    #expect([root, left, right, below].map(\.isCancelled) == [true, true, true, true])
    #expect(left.child().isCancelled)
  }

  @Test func `a node's handlers run before those of its children, the eldest's first`() {
    let log = Log<String>()
    let root = Cancellation()
    let (eldest, youngest) = (root.child(), root.child())
    let grandchild = eldest.child()
    let registrations = [
      youngest.onCancel { log.append("youngest") }, grandchild.onCancel { log.append("grandchild") },
      eldest.onCancel { log.append("eldest") }, root.onCancel { log.append("root") },
      root.child().onCancel { log.append("dropped") },
    ]
    root.cancel()
    #expect(log.all == ["root", "eldest", "grandchild", "youngest"])
    for registration in registrations { registration.remove() }
  }

  @Test func `a child that is dropped is not kept, and one whose parent is dropped is still reached`() {
    let root = Cancellation()
    weak let gone = root.child()
    #expect(gone == nil)
    let grandchild = root.child().child()
    root.cancel()
    #expect(grandchild.isCancelled)
  }

  @Test func `a handler may use the cancellation that runs it`() {
    let log = Log<String>()
    let root = Cancellation()
    let child = root.child()
    let box = Locked<Registration?>(nil)
    let registration = root.onCancel {
      root.cancel()
      child.cancel()
      _ = root.onCancel { log.append("inner") }
      box.withLock { $0 }?.remove()
      log.append("outer")
    }
    box.withLock { $0 = registration }
    root.cancel()
    #expect(log.all == ["inner", "outer"])
    box.withLock { $0 = nil }
  }

  @Test func `a handler that is added while others cancel runs exactly once`() {
    for _ in 0..<200 {
      let root = Cancellation()
      let runs = Tally()
      let kept = Log<Registration>()
      onThreads(4) { thread in
        if thread == 0 {
          root.cancel()
        } else {
          kept.append(root.child().onCancel { runs.add() })
          kept.append(root.onCancel { runs.add() })
        }
      }
      // The children are gone by now, each with its handler unless that has run.
      #expect((3...6).contains(runs.value))
      #expect(kept.all.count == 6)
    }
  }

  @Test func `a chain of a hundred thousand is cancelled, and freed`() {
    let root = Cancellation()
    let log = Tally()
    weak var middle: Cancellation?
    do {
      var last = root
      for depth in 0..<100_000 {
        last = last.child()
        if depth == 50_000 { middle = last }
      }
      let registration = last.onCancel { log.add() }
      root.cancel()
      #expect(last.isCancelled)
      #expect(log.value == 1)
      registration.remove()
    }
    #expect(middle == nil)
  }
}
