import Testing
import TideBarrier

@Suite struct LockedTests {
  @Test func `threads take turns`() {
    let counts = Locked([Int](repeating: 0, count: 4))
    onThreads(4) { thread in
      for _ in 0..<5000 {
        counts.withLock { counts in
          for index in counts.indices { counts[index] += thread }
        }
      }
    }
    #expect(counts.withLock { $0 } == [Int](repeating: 5000 * (0 + 1 + 2 + 3), count: 4))
  }

  @Test func `an error passes through, and the lock is free again`() {
    struct Refused: Error {}
    let state = Locked(1)
    #expect(throws: Refused.self) {
      try state.withLock { state in
        state = 2
        throw Refused()
      }
    }
    #expect(state.withLock { $0 } == 2)
  }

  @Test func `the state is released with the lock`() {
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      let state = Locked(token)
      state.withLock { $0.touch() }
    }
    #expect(seen == nil)
  }
}
