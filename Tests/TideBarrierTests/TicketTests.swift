import Testing
import TideBarrier

@Suite struct TicketTests {
  private struct Delivery: Equatable, Sendable {
    let tag: UInt64
    let settlement: Settlement<String>
  }

  @Test func `the first settle is the outcome, a second is refused and delivered as such`() {
    let log = Log<Delivery>()
    let ticket = Ticket<String>(tag: 7) { log.append(Delivery(tag: $0, settlement: $1)) }
    #expect(ticket.tag == 7)
    #expect(ticket.settle("a"))
    #expect(!ticket.settle("b"))
    #expect(
      log.all == [Delivery(tag: 7, settlement: .outcome("a")), Delivery(tag: 7, settlement: .refused("b"))])
  }

  @Test func `a ticket that is dropped unsettled is lost, one that was settled is not`() {
    let log = Log<Delivery>()
    let office = TicketOffice<String> { log.append(Delivery(tag: $0, settlement: $1)) }
    _ = office.issue(1)
    #expect(log.all == [Delivery(tag: 1, settlement: .lost)])
    do {
      let ticket = office.issue(2)
      ticket.settle("x")
    }
    #expect(log.all == [Delivery(tag: 1, settlement: .lost), Delivery(tag: 2, settlement: .outcome("x"))])
  }

  @Test func `a callback that is never called loses its ticket when it is released`() {
    let log = Log<Delivery>()
    func send(_ callback: @escaping @Sendable (String) -> Void) {}
    do {
      let ticket = Ticket<String>(tag: 3) { log.append(Delivery(tag: $0, settlement: $1)) }
      send { ticket.settle($0) }
    }
    #expect(log.all == [Delivery(tag: 3, settlement: .lost)])
  }

  @Test func `of threads that settle at once one wins, and every ticket has one end`() {
    let (ends, refused, wins) = (Tally(), Tally(), Tally())
    let office = TicketOffice<Int> { _, settlement in
      switch settlement {
      case .outcome, .lost: ends.add()
      case .refused: refused.add()
      }
    }
    let tickets = Locked((0..<500).map { office.issue(UInt64($0)) })
    onThreads(4) { thread in
      let mine = tickets.withLock { $0 }
      for ticket in mine.dropFirst(100) where ticket.settle(thread) { wins.add() }
    }
    tickets.withLock { $0 = [] }
    waitUntil { ends.value == 500 }
    #expect(wins.value == 400)
    #expect(ends.value == 500)
    #expect(refused.value == 3 * 400)
  }
}
