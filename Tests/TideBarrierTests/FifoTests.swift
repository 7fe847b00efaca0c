import Testing

@testable import TideBarrier

@Suite struct FifoTests {
  @Test func `first in, first out, through any mixture`() {
    var fifo = Fifo<Int>()
    var (added, taken) = (0, 0)
    for round in 0..<3000 {
      for _ in 0..<(round % 7) {
        fifo.append(added)
        added += 1
      }
      for _ in 0..<(round % 5) where taken < added {
        let first = fifo.popFirst()
        #expect(first == taken)
        taken += 1
      }
      #expect(fifo.count == added - taken)
      #expect(fifo.isEmpty == (added == taken))
    }
    while taken < added {
      let first = fifo.popFirst()
      #expect(first == taken)
      taken += 1
    }
    let none = fifo.popFirst()
    #expect(none == nil && fifo.isEmpty)
  }

  @Test func `what was taken out is released`() {
    var fifo = Fifo<Token>()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      fifo.append(token)
      fifo.append(Token())
    }
    _ = fifo.popFirst()
    #expect(seen == nil)
    #expect(fifo.count == 1)
  }
}
