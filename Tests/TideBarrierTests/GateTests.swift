import Foundation
import Testing
import TideBarrier

@Suite struct GateTests {
  @Test func `a gate has as many permits as it is wide`() {
    let gate = Gate(width: 2)
    #expect(gate.width == 2 && gate.available == 2)
    #expect(gate.tryTake())
    #expect(gate.tryTake())
    #expect(gate.available == 0)
    #expect(!gate.tryTake())
    #expect(gate.giveBack())
    #expect(gate.available == 1)
    #expect(gate.tryTake())
  }

  @Test(arguments: [0, -1, .min]) func `a gate without width lets nobody through`(width: Int) {
    let gate = Gate(width: width)
    #expect(gate.width == 0)
    #expect(!gate.tryTake())
    #expect(!gate.giveBack())
    #expect(gate.available == 0)
  }

  @Test func `giving back more than was taken is refused`() {
    let gate = Gate(width: 1)
    #expect(!gate.giveBack())
    #expect(gate.tryTake())
    #expect(gate.giveBack())
    #expect(!gate.giveBack())
    #expect(gate.available == 1)
    #expect(gate.tryTake())
    #expect(!gate.tryTake())
  }

  @Test(arguments: [1, 3]) func `threads never hold more than there are, and none is lost`(width: Int) {
    let gate = Gate(width: width)
    let (held, most, taken) = (Tally(), Tally(), Tally())
    onThreads(6) { _ in
      for _ in 0..<5000 where gate.tryTake() {
        most.raise(to: held.add())
        taken.add()
        held.add(-1)
        gate.giveBack()
      }
    }
    #expect((1...width).contains(most.value))
    #expect(taken.value >= 1)
    #expect(gate.available == width)
    for _ in 0..<width { #expect(gate.tryTake()) }
    #expect(!gate.tryTake())
  }

  @Test func `of threads that give back one permit at once one is accepted`() {
    let gate = Gate(width: 3)
    let (accepted, most, done) = (Tally(), Tally(), Tally())
    onThreads(3) { thread in
      if thread == 0 {
        for _ in 0..<200_000 {
          while !gate.tryTake() {}
          if gate.giveBack() { accepted.add() }
        }
        done.add()
      } else {
        while done.value == 0 {
          if gate.giveBack() { accepted.add() }
          most.raise(to: gate.available)
        }
      }
    }
    #expect(most.value <= 3)
    #expect(accepted.value == 200_000)
    #expect(gate.available == 3)
    #expect((0..<4).map { _ in gate.tryTake() } == [true, true, true, false])
  }

  @Test func `a bare semaphore that is dropped while taken crashes, a gate does not`() async {
    await #expect(processExitsWith: .failure) {
      let semaphore = DispatchSemaphore(value: 2)
      semaphore.wait()
    }
    await #expect(processExitsWith: .success) {
      do {
        let gate = Gate(width: 2)
        guard gate.tryTake(), gate.tryTake() else { exit(1) }
      }
      exit(0)
    }
  }
}
