import Dispatch

/// Whether the caller runs on the main queue: its thread may be any, before and after `dispatchMain()`.
public func isOnMainQueue() -> Bool {
  DispatchQueue.getSpecific(key: MainQueue.mark) != nil
}

private enum MainQueue {
  static let mark: DispatchSpecificKey<Void> = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()
}
