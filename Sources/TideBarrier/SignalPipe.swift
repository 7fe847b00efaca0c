import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The way from signal handlers to a queue: a handler may write a byte into a pipe, and little else.
///
/// A DispatchSource for signals would not do on Linux: it takes a signal's disposition over some time after it was
/// activated, only once in a process, never gives it back, and blocks the signal in whichever thread it arrives.
/// There is one pipe a process, and it is never closed: a late handler must not write into a stranger's file.
final class SignalPipe: Sendable {
  private struct Watch {
    let id: UInt64
    let handler: @Sendable (Int32) -> Void
  }

  private struct State {
    var added: UInt64 = 0
    /// The youngest last; never empty.
    var watches: [Int32: [Watch]] = [:]
    var before: [Int32: sigaction] = [:]
    var source: (any DispatchSourceRead)?
  }

  /// Nil if there was no file descriptor left.
  static let shared = SignalPipe()

  private let state = Locked(State())

  private init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    writeEnd = ends[1]
    let readEnd = ends[0]
    let source = DispatchSource.makeReadSource(
      fileDescriptor: readEnd, queue: DispatchQueue(label: "tidegate.signals", qos: .userInitiated))
    source.setEventHandler { [weak self] in self?.deliver(from: readEnd) }
    source.activate()
    state.withLock { $0.source = source }
  }

  func add(_ signals: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) -> UInt64 {
    state.withLock { state in
      state.added += 1
      let watch = Watch(id: state.added, handler: handler)
      for number in signals where state.watches[number] != nil || take(number, &state) {
        state.watches[number, default: []].append(watch)
      }
      return watch.id
    }
  }

  /// What the handler holds is released after the lock is.
  func remove(_ id: UInt64, _ signals: [Int32]) {
    let removed = state.withLock { state in
      signals.compactMap { number in
        let removed = state.watches[number]?.filter { $0.id == id }
        state.watches[number]?.removeAll { $0.id == id }
        if state.watches[number]?.isEmpty == true { giveBack(number, &state) }
        return removed
      }
    }
    _ = consume removed
  }

  /// False if the signal can't be caught.
  private func take(_ number: Int32, _ state: inout State) -> Bool {
    var before = sigaction()
    guard sigaction(number, nil, &before) == 0 else { return false }
    guard unsafeBitCast(signal(number, writeSignal), to: Int.self) != -1 else { return false }
    state.before[number] = before
    return true
  }

  private func giveBack(_ number: Int32, _ state: inout State) {
    state.watches[number] = nil
    if var before = state.before.removeValue(forKey: number) { sigaction(number, &before, nil) }
  }

  private func deliver(from readEnd: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    var arrived: [Int32] = []
    while true {
      let count = read(readEnd, &bytes, bytes.count)
      guard count > 0 else { break }
      for number in bytes[..<count].map(Int32.init) where !arrived.contains(number) { arrived.append(number) }
    }
    for number in arrived {
      let handler = state.withLock { $0.watches[number]?.last?.handler }
      handler?(number)
    }
  }
}

/// Set before the first handler is installed, and never again.
nonisolated(unsafe) private var writeEnd: Int32 = -1

private let writeSignal: @convention(c) (Int32) -> Void = { number in
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(writeEnd, &byte, 1)
  errno = before
}
