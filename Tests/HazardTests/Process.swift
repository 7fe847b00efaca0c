import Foundation

/// How many threads the process has at the moment (proc(5)).
func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// Looks every millisecond whether something holds, for ten seconds at most. For tests on real threads: what it
/// returns is to be asserted, how long it took is not.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<10_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
