import Testing

@testable import TideBarrier

@Suite struct DueHeapTests {
  /// A generator of its own, so that a failure can be repeated.
  private struct Numbers {
    var state: UInt64

    mutating func next(below count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `what comes out is in order, whatever was taken out between`(seed: UInt64) {
    var numbers = Numbers(state: seed)
    var heap = DueHeap()
    var inside: [DueWork] = []
    var order: UInt64 = 0
    for _ in 0..<2000 {
      switch numbers.next(below: 5) {
      case 0, 1, 2:
        order += 1
        let work = DueWork(due: Instant(nanoseconds: Int64(numbers.next(below: 50))), order: order) {}
        heap.insert(work)
        inside.append(work)
      case 3 where !inside.isEmpty:
        let gone = inside.remove(at: numbers.next(below: inside.count))
        let (removed, again) = (heap.remove(gone), heap.remove(gone))
        #expect(removed && !again)
      default:
        let first = inside.min { ($0.due, $0.order) < ($1.due, $1.order) }
        #expect(heap.first === first)
        let popped = heap.popFirst()
        #expect(popped === first)
        inside.removeAll { $0 === first }
      }
      #expect(heap.count == inside.count)
    }
    let left = Set(heap.takeAll().map(\.order))
    #expect(left == Set(inside.map(\.order)))
    #expect(heap.first === nil && heap.count == 0)
  }
}
