import Foundation
import Testing
import TideBarrier

/// Signals are the process's: each test has a process of its own. (`raise` would not do: Dispatch's threads block
/// signals.)
@Suite struct SignalWatchTests {
  @Test func `a watched signal comes to the handler, time after time`() async {
    await #expect(processExitsWith: .success) {
      let log = Log<Int32>()
      let watch = SignalWatch([SIGUSR1, SIGUSR2]) { log.append($0) }
      for (round, number) in [SIGUSR1, SIGUSR1, SIGUSR2].enumerated() {
        kill(getpid(), number)
        waitUntil { log.all.count == round + 1 }
      }
      watch.cancel()
      exit(log.all == [SIGUSR1, SIGUSR1, SIGUSR2] ? 0 : 1)
    }
  }

  @Test func `after a cancel the signal does what it did before`() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      let watch = SignalWatch([SIGUSR1]) { _ in }
      watch.cancel()
      watch.cancel()
      kill(getpid(), SIGUSR1)
      waitUntil { false }
    }
    await #expect(processExitsWith: .success) {
      signal(SIGUSR1, SIG_IGN)
      let log = Log<Int32>()
      do {
        let watch = SignalWatch([SIGUSR1]) { log.append($0) }
        kill(getpid(), SIGUSR1)
        waitUntil { log.all == [SIGUSR1] }
        watch.cancel()
      }
      var now = sigaction()
      sigaction(SIGUSR1, nil, &now)
      let isIgnored = unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == 1
      kill(getpid(), SIGUSR1)
      exit(isIgnored && log.all == [SIGUSR1] ? 0 : 1)
    }
  }

  @Test func `a second watch works after the first, and takes over during it`() async {
    await #expect(processExitsWith: .success) {
      let log = Log<String>()
      let first = SignalWatch([SIGUSR1]) { _ in log.append("first") }
      var second: SignalWatch? = SignalWatch([SIGUSR1]) { _ in log.append("second") }
      kill(getpid(), SIGUSR1)
      waitUntil { log.all == ["second"] }
      _ = second
      second = nil
      kill(getpid(), SIGUSR1)
      waitUntil { log.all == ["second", "first"] }
      first.cancel()
      let third = SignalWatch([SIGUSR1]) { _ in log.append("third") }
      kill(getpid(), SIGUSR1)
      waitUntil { log.all == ["second", "first", "third"] }
      third.cancel()
      exit(log.all == ["second", "first", "third"] ? 0 : 1)
    }
  }

  @Test func `a signal that can't be caught is left alone`() async {
    await #expect(processExitsWith: .success) {
      let watch = SignalWatch([SIGKILL, -1, 4000]) { _ in }
      watch.cancel()
      exit(0)
    }
  }
}
