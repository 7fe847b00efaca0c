import Synchronization

/// A wish to stop, passed down a tree: cancelling one cancels everything under it, and nothing above it or beside it.
///
/// A child keeps its parent alive and not the other way round: a child that is dropped is forgotten. All methods may be
/// called from any thread; handlers run on the thread that cancels, with no lock held.
public final class Cancellation: Sendable {
  private enum Member {
    case handler(@Sendable () -> Void)
    case child(WeakCancellation)
  }

  private struct State {
    var isCancelled = false
    var added: UInt64 = 0
    var members: [UInt64: Member] = [:]

    mutating func add(_ member: Member) -> UInt64? {
      guard !isCancelled else { return nil }
      added += 1
      members[added] = member
      return added
    }
  }

  private let state = Locked(State())
  private let flag = Atomic<Bool>(false)
  /// Written while the child is made, and when nobody else has the child any more.
  nonisolated(unsafe) private var parent: (node: Cancellation, key: UInt64)?

  public init() {}

  /// Leaves the tree, and takes along, one after the other, the ancestors that only this one kept: a chain of them is
  /// not freed by recursion, which would overflow the stack.
  deinit {
    var above = leave()
    while isKnownUniquelyReferenced(&above) { above = above?.leave() }
  }

  /// Whether it, or anything above it, was cancelled. Costs a load.
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Cancels it and what is under it: each one's handlers in the order in which they were added, each once, then
  /// those of its children, the eldest's first. Doing it again does nothing.
  public func cancel() {
    var line = [self]
    while let next = line.popLast() {
      var children: [Cancellation] = []
      for member in next.takeMembers() {
        switch member {
        case .handler(let handler): handler()
        case .child(let child):
          if let child = child.node { children.append(child) }
        }
      }
      line.append(contentsOf: children.reversed())
    }
  }

  /// A new cancellation under this one; born cancelled if this one is.
  public func child() -> Cancellation {
    let child = Cancellation()
    if let key = state.withLock({ $0.add(.child(WeakCancellation(child))) }) {
      child.parent = (self, key)
    } else {
      child.cancel()
    }
    return child
  }

  /// Runs `handler` once, when this is cancelled: at once, here, if it is already. Keep the registration: dropping it
  /// takes the handler away.
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Registration {
    if let key = state.withLock({ $0.add(.handler(handler)) }) {
      return Registration(on: self, key: key)
    }
    handler()
    return Registration(on: nil, key: 0)
  }

  /// What it holds is released after the lock is.
  fileprivate func forget(_ key: UInt64) {
    let member = state.withLock { $0.members.removeValue(forKey: key) }
    _ = consume member
  }

  private func leave() -> Cancellation? {
    guard let (node, key) = parent.take() else { return nil }
    node.forget(key)
    return node
  }

  private func takeMembers() -> [Member] {
    let members = state.withLock { state in
      state.isCancelled = true
      flag.store(true, ordering: .releasing)
      defer { state.members = [:] }
      return state.members
    }
    return members.sorted { $0.key < $1.key }.map(\.value)
  }
}

private struct WeakCancellation: Sendable {
  weak let node: Cancellation?

  init(_ node: Cancellation) {
    self.node = node
  }
}

/// A handler's place at a ``Cancellation``, which it does not keep alive.
public final class Registration: Sendable {
  private let cancellation: WeakRegistration
  private let key: UInt64

  fileprivate init(on cancellation: Cancellation?, key: UInt64) {
    self.cancellation = WeakRegistration(node: cancellation)
    self.key = key
  }

  deinit {
    remove()
  }

  /// Takes the handler away, if it has not run, and releases what it holds. It may be running on another thread at this
  /// moment. As often as one likes.
  public func remove() {
    cancellation.node?.forget(key)
  }
}

private struct WeakRegistration: Sendable {
  weak let node: Cancellation?
}
