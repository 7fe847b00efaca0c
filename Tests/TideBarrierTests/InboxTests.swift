import Testing
import TideBarrier

@Suite struct InboxTests {
  private struct Message: Sendable, Equatable {
    let sender: Int
    let number: Int
  }

  @Test(arguments: Form.allCases)
  func `every message arrives once, each sender's in order, one batch at a time`(form: Form) {
    let rig = form.rig()
    let received = Log<Message>()
    let (running, most, empty) = (Tally(), Tally(), Tally())
    let inbox = Inbox<Message>(on: rig.executor) { batch in
      most.raise(to: running.add())
      if batch.isEmpty { empty.add() }
      for message in batch { received.append(message) }
      running.add(-1)
    }
    rig.together(8) { sender in
      for number in 0..<1000 { inbox.post(Message(sender: sender, number: number)) }
    }
    rig.run { received.all.count == 8000 }
    for sender in 0..<8 {
      #expect(received.all.filter { $0.sender == sender }.map(\.number) == Array(0..<1000))
    }
    #expect(most.value == 1)
    #expect(empty.value == 0)
  }

  @Test func `messages that are waiting come as one batch`() {
    let rig = Form.simulated.rig()
    let batches = Log<[Int]>()
    let inbox = Inbox<Int>(on: rig.executor) { batches.append($0) }
    for number in 0..<5 { inbox.post(number) }
    inbox.post(contentsOf: 5..<8)
    rig.run { !batches.all.isEmpty }
    #expect(batches.all == [Array(0..<8)])
    inbox.post(9)
    rig.run { batches.all.count == 2 }
    #expect(batches.all == [Array(0..<8), [9]])
  }

  @Test(arguments: Form.allCases)
  func `a message posted while receiving comes in a later batch`(form: Form) {
    let rig = form.rig()
    let batches = Log<[Int]>()
    let box = Locked<Inbox<Int>?>(nil)
    let inbox = Inbox<Int>(on: rig.executor) { batch in
      batches.append(batch)
      if batch[0] < 3 { box.withLock { $0 }?.post(batch[0] + 1) }
    }
    box.withLock { $0 = inbox }
    inbox.post(1)
    rig.run { batches.all.count == 3 }
    #expect(batches.all == [[1], [2], [3]])
    box.withLock { $0 = nil }
  }

  @Test(arguments: Form.allCases)
  func `posting nothing wakes nobody, and waking without messages receives nothing`(form: Form) {
    let rig = form.rig()
    let batches = Log<[Int]>()
    let inbox = Inbox<Int>(on: rig.executor) { batches.append($0) }
    inbox.post(contentsOf: [])
    inbox.lane.wake()
    let flushed = Tally()
    rig.executor.barrier(on: inbox.lane) { flushed.add() }.open()
    rig.run { flushed.value == 1 }
    #expect(batches.all.isEmpty)
  }

  @Test(arguments: Form.allCases)
  func `a dropped inbox still delivers, then releases its receiver`(form: Form) {
    let rig = form.rig()
    let received = Log<Int>()
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      let inbox = Inbox<Int>(on: rig.executor) { batch in
        token.touch()
        for message in batch { received.append(message) }
      }
      inbox.post(7)
    }
    rig.run { seen == nil }
    #expect(received.all == [7])
    #expect(seen == nil)
  }

  @Test(arguments: Form.allCases)
  func `an owner that the receiver holds weakly can go`(form: Form) {
    final class Owner: Sendable {
      let inbox = Locked<Inbox<Int>?>(nil)
      let sum = Tally()

      init(on executor: any Executor) {
        inbox.withLock { inbox in
          inbox = Inbox(on: executor) { [weak self] in self?.sum.add($0.reduce(0, +)) }
        }
      }
    }
    let rig = form.rig()
    weak var gone: Owner?
    do {
      let owner = Owner(on: rig.executor)
      gone = owner
      owner.inbox.withLock { $0?.post(contentsOf: [1, 2, 3]) }
      rig.run { owner.sum.value == 6 }
    }
    rig.run { gone == nil }
    #expect(gone == nil)
  }

  @Test(arguments: Form.allCases)
  func `the inbox keeps no message that it has delivered`(form: Form) {
    let rig = form.rig()
    let received = Tally()
    let inbox = Inbox<Token>(on: rig.executor) { received.add($0.count) }
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      inbox.post(token)
    }
    rig.run { seen == nil }
    #expect(received.value == 1)
    #expect(seen == nil)
  }
}
