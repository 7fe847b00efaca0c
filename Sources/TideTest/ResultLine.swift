/// Hands results on in the order of their files, whichever is tested first. Lives on one lane.
final class ResultLine: @unchecked Sendable {
  private var results: [TestFileResult?]
  private var next = 0
  private let took: @Sendable (TestFileResult) -> Void
  private let done: @Sendable () -> Void

  init(
    count: Int, took: @escaping @Sendable (TestFileResult) -> Void, done: @escaping @Sendable () -> Void
  ) {
    results = Array(repeating: nil, count: count)
    self.took = took
    self.done = done
  }

  /// Takes a result, and hands on all that nothing earlier is missing for.
  func take(_ result: TestFileResult, at index: Int) {
    results[index] = result
    while next < results.count, let ready = results[next].take() {
      next += 1
      took(ready)
    }
    if next == results.count { done() }
  }
}
