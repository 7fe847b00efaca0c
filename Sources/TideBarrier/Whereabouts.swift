#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the calling thread is at the moment: a lane, a worker, or a stranger. One thread-local word.
package enum Whereabouts {
  /// Runs `body` as `lane`.
  package static func on(lane: AnyObject, _ body: () -> Void) {
    visit(Unmanaged.passUnretained(lane).toOpaque(), body)
  }

  /// Runs `body` as a worker (or as the executor's timers, which must not be held up either).
  package static func onWorker(_ body: () -> Void) {
    visit(worker, body)
  }

  /// Whether the caller runs on `lane`.
  package static func isOn(lane: AnyObject) -> Bool {
    pthread_getspecific(slot.key) == UnsafeMutableRawPointer(Unmanaged.passUnretained(lane).toOpaque())
  }

  /// Why a thread here must not wait; nil for a stranger's.
  static var refusal: WaitRefused? {
    guard let place = pthread_getspecific(slot.key) else { return nil }
    return place == worker ? .worker : .lane
  }

  private static func visit(_ place: UnsafeMutableRawPointer, _ body: () -> Void) {
    let before = pthread_getspecific(slot.key)
    pthread_setspecific(slot.key, place)
    body()
    pthread_setspecific(slot.key, before)
  }

  /// No object's address.
  private static var worker: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 1)! }

  private static let slot = Slot()

  private struct Slot {
    let key: pthread_key_t

    init() {
      var key = pthread_key_t()
      guard pthread_key_create(&key, nil) == 0 else { fatalError("the process has no thread-local key left") }
      self.key = key
    }
  }
}
