import TideBarrier
import TideGraph

/// Time limits: of an attempt, of a node.
extension Runner {
  /// The node is ready: its time runs from now on.
  func limit(_ node: NodeID, _ options: NodeOptions) {
    guard let deadline = options.deadline ?? (options.isAlways ? configuration.cleanupLimit : nil) else { return }
    withCourse(of: node) { course in
      let serial = course.serial
      course.deadline = configuration.executor.now.advanced(by: deadline)
      course.deadlineTimer = configuration.executor.after(deadline) { [inbox] in
        inbox.post(.deadline(node, serial: serial))
      }
    }
  }

  /// Limits the attempt that begins now by the node's `timeout`. Who keeps the limit itself gets a grace.
  func limitAttempt(of node: NodeID, grace: Duration) {
    guard let timeout = options(of: node)?.timeout else { return }
    withCourse(of: node) { course in
      let (serial, attempt) = (course.serial, course.attempt)
      course.attemptTimer = configuration.executor.after(timeout + grace) { [inbox] in
        inbox.post(.timedOut(node, serial: serial, attempt: attempt))
      }
    }
  }

  /// A timer that came too late to be stopped is of an attempt, or a guest, that is over.
  func attemptTimedOut(_ node: NodeID, _ serial: UInt32, attempt: Int) {
    let course = course(of: node)
    guard nodes[node].phase == .active, course.serial == serial, course.attempt == attempt,
      let timeout = options(of: node)?.timeout
    else { return }
    let work = nodes[node].work
    nodes[node].work = nil
    attemptFailed(node, Failure(.timeout, "no answer within \(timeout.readable), its 'timeout'"))
    work?.abort()
  }

  func deadlinePassed(_ node: NodeID, _ serial: UInt32) {
    guard nodes[node].phase == .active, course(of: node).serial == serial, let options = options(of: node) else {
      return
    }
    let work = nodes[node].work
    if let deadline = options.deadline {
      fail(node, Failure(.timeout, "did not end within \(deadline.readable), its 'deadline'"))
    } else {
      let limit = configuration.cleanupLimit.readable
      fail(node, Failure(.timeout, "did not end within \(limit), the limit of an 'always' node without a 'deadline'"))
    }
    work?.abort()
  }
}
