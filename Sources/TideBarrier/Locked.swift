#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// State that threads share, behind a pthread mutex.
///
/// (`Synchronization.Mutex` would do, but ThreadSanitizer does not understand it and reports races that are none.)
/// The lock is not recursive, and nothing that can call back (a handler, the last release of a closure) belongs inside.
public final class Locked<State>: @unchecked Sendable {
  // Both in one piece of memory, the mutex first.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  public init(_ state: consuming State) {
    let size = MemoryLayout<pthread_mutex_t>.size
    let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<State>.alignment)
    let offset = (size + alignment - 1) / alignment * alignment
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + MemoryLayout<State>.size, alignment: alignment)
    mutex = memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    self.state = (memory + offset).initializeMemory(as: State.self, to: state)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    state.deinitialize(count: 1)
    UnsafeMutableRawPointer(mutex).deallocate()
  }

  /// Runs `body` with the state while no other thread has it; rethrows what `body` throws.
  @inlinable
  public func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
