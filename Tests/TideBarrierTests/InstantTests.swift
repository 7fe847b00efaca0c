import Testing
import TideBarrier

@Suite struct InstantTests {
  @Test func `instants move by durations`() {
    let start = Instant(nanoseconds: 5)
    #expect(start.advanced(by: .microseconds(2)) == Instant(nanoseconds: 2005))
    #expect(start.advanced(by: .nanoseconds(-7)) == Instant(nanoseconds: -2))
    #expect(start < start.advanced(by: .nanoseconds(1)))
    #expect(start.duration(to: Instant(nanoseconds: 2005)) == .microseconds(2))
    #expect(start.duration(to: Instant(nanoseconds: 4)) == .nanoseconds(-1))
  }

  @Test func `arithmetic beyond the ends stays at the ends`() {
    let (first, last) = (Instant(nanoseconds: .min), Instant(nanoseconds: .max))
    #expect(last.advanced(by: .nanoseconds(1)) == last)
    #expect(first.advanced(by: .nanoseconds(-1)) == first)
    #expect(Instant(nanoseconds: 0).advanced(by: .seconds(Int64.max)) == last)
    #expect(Instant(nanoseconds: 0).advanced(by: .seconds(Int64.min)) == first)
    #expect(last.advanced(by: .seconds(Int64.min)) == Instant(nanoseconds: -1))
    #expect(first.duration(to: last) == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
  }
}
