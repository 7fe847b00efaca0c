import Foundation

/// How many threads the process has at the moment (proc(5)).
func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// What the process holds at the moment (proc(5)).
struct Holdings {
  /// In memory.
  let pages: Int
  let threads = threadCount()
  let descriptors: Int

  init() {
    let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    pages = fields.flatMap { Int($0[1]) } ?? 0
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
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
