import TideGraph
import TideTest
import TideValue
import Tidegate

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `tidegate test`.
@Sendable func testCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  let options = try TestOptions(invocation)
  let format = try TestReportFormat(invocation)
  let path = invocation.value(of: .reportFile)
  let file = try path.map { path throws(Stop) in try reportFile(path) }
  let files = try TestFiles(under: invocation.operands).paths
  guard !files.isEmpty else {
    let places = invocation.operands.isEmpty ? "the current folder" : invocation.operands.joined(separator: ", ")
    throw .usage("there is no test under \(places)", help: "tests are in files whose name ends in \(TestFiles.suffix)")
  }
  let output = Locked(FileOutput(1))
  let kept = Locked("")
  let isKept = file != nil
  let write: @Sendable (String) -> Void = { text in
    if !isKept { output.withLock { _ = $0.write(text) } } else { kept.withLock { $0 += text } }
  }
  let totals = run(files, options, format.report(seed: options.seed, write))
  if totals.tests == 0, totals.failures == 0, let filter = options.filter {
    throw .usage(
      "no test has \"\(filter)\" in its name", help: "the full name counts: the blocks' names and the test's own")
  }
  let code: ExitCode = totals.failures > 0 ? .testFailed : .ok
  guard let file, let path else { return output.withLock { Standard.exitCode(after: code, $0) } }
  do {
    let text = kept.withLock { $0 }
    try file.write { $0.append(text) }
    return code
  } catch {
    Console.show(unwritable("report", path, (error as? AtomicFile.Problem)?.reason ?? "\(error)"))
    return code == .ok ? .usage : code
  }
}

/// Runs the tests to their end, and reports them as they come.
private func run(_ files: [String], _ options: TestOptions, _ report: any TestReport) -> TestTotals {
  let began = ContinuousClock.now
  let state = Locked((report: report, totals: TestTotals(seed: options.seed)))
  let ended = Completion<Void>()
  state.withLock { $0.report.begin(files: files.count) }
  let session = TestSession(options)
  session.run(
    files, on: DispatchExecutor(),
    took: { result in
      state.withLock { state in
        state.totals.take(result)
        state.report.take(result)
      }
    },
    done: { ended.complete(()) })
  try? ended.wait(allowingMainQueue: true)
  return state.withLock { state in
    state.totals.elapsed = began.duration(to: .now)
    state.report.end(state.totals)
    return state.totals
  }
}

private func reportFile(_ path: String) throws(Stop) -> AtomicFile {
  do throws(AtomicFile.Problem) {
    return try AtomicFile(path)
  } catch {
    throw .diagnostics(Diagnostics([unwritable("report", path, error.reason)], sources: Sources()))
  }
}

extension TestOptions {
  /// - Throws: a value that can't be used.
  fileprivate init(_ invocation: Invocation) throws(Stop) {
    self.init()
    filter = invocation.value(of: .filter)
    isFailFast = invocation.has(.failFast)
    checksFaults = invocation.has(.faults)
    checksOrders = invocation.has(.orders)
    updatesSnapshots = invocation.has(.update)
    if updatesSnapshots, let ci = getenv("CI"), ci.pointee != 0 {
      throw .usage(
        "'--update' in CI: a snapshot that is written there proves nothing",
        help: "update it where somebody looks at it, and commit it")
    }
    seed =
      try invocation.checked(.seed, "is no seed", help: "a whole number, as an earlier run has printed it") {
        UInt64($0)
      } ?? .random(in: 0...999_999)
    // Faults and orders are many runs of the same.
    limit =
      try invocation.checked(
        .limit, "is no length of time above zero", help: "write 500ms, 5s, 2m, or a number of seconds"
      ) { text in
        Duration(text: text).flatMap { $0 > .zero ? $0 : nil }
      } ?? (checksFaults || checksOrders ? .seconds(60) : .seconds(10))
    jobs =
      try invocation.checked(
        .testJobs, "is no number from 1 to 1024", help: "without it one file a core is tested at once"
      ) { text in
        Int(text).flatMap { (1...1024).contains($0) ? $0 : nil }
      } ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    files = { FolderFiles(folder: $0) }
  }
}

extension Invocation {
  /// What `read` makes of an option's value; nil if it is not given.
  ///
  /// - Throws: the complaint, if it makes nothing of it.
  fileprivate func checked<Result>(
    _ option: Option, _ complaint: String, help: String, _ read: (String) -> Result?
  ) throws(Stop) -> Result? {
    guard let text = value(of: option) else { return nil }
    if let result = read(text) { return result }
    throw .usage("'--\(option.name) \(text)' \(complaint)", help: help)
  }
}
