import TideFixtures
import TideGraph
import TideReport
import TideValue
import Tidegate

/// `tidegate run`.
@Sendable func runCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  let options = try RunOptions(invocation)
  let executor = DispatchExecutor()
  let engine = try engine(invocation, options, executor)
  let workflow = try load(invocation, on: executor, preparing: engine.transport)
  let inputs = try GivenInputs(invocation, options)
  let signals = try SignalFeed(invocation, of: workflow.plan)
  let sink = RunSink(of: workflow.plan)
  let interrupts = Interrupts()
  let run: Run
  do {
    run = try engine.start(workflow, inputs: inputs, timeout: options.timeout, sinks: [sink])
  } catch {
    throw .diagnostics(error)
  }
  interrupts.cancel(run)
  signals.feed(run)
  guard let report = try? run.completion.wait(allowingMainQueue: true) else { return .failed }
  interrupts.runIsOver()
  return RunEnding(report, record: sink.record, options).conclude()
}

private func engine(
  _ invocation: Invocation, _ options: RunOptions, _ executor: any Executor
) throws(Stop) -> Engine {
  guard let path = invocation.value(of: .fixtures) else { return Engine(executor: executor, jobs: options.jobs) }
  do {
    return Engine(executor: executor, fixtures: try Fixtures.load(path: path), jobs: options.jobs)
  } catch {
    throw .diagnostics(error)
  }
}

/// What the command line says about a run, its files aside.
struct RunOptions {
  let inputs: [(name: String, value: String)]
  let secrets: [(name: String, value: String)]
  let isStrict: Bool
  let format: ResultFormat
  let out: AtomicFile?
  let outPath: String
  let timeout: Duration?
  let jobs: Int?
  let summary: AtomicFile?
  let summaryPath: String

  /// - Throws: a value that can't be used, before anything is sent.
  init(_ invocation: Invocation) throws(Stop) {
    inputs = try invocation.pairs(of: .input)
    secrets = try invocation.pairs(of: .secret)
    if invocation.value(of: .inputs) == "-", invocation.value(of: .secrets) == "-" {
      throw .usage("inputs and secrets can't both come from stdin", help: "put one of them into a file")
    }
    isStrict = invocation.has(.strict)
    format =
      try invocation.value(of: .output).map { text throws(Stop) in
        if let format = ResultFormat(rawValue: text) { return format }
        let known = ResultFormat.allCases.map(\.rawValue)
        throw .usage(
          "'--output \(text)' is no format",
          help: didYouMean(text, among: known) ?? "one of: \(known.joined(separator: ", "))")
      } ?? .json
    timeout = try invocation.value(of: .timeout).map { text throws(Stop) in
      if let duration = Duration(text: text), duration > .zero { return duration }
      throw .usage(
        "'--timeout \(text)' is no length of time above zero", help: "write 500ms, 5s, 2m, 1h, or a number of seconds")
    }
    jobs = try invocation.value(of: .jobs).map { text throws(Stop) in
      if let number = Int(text), (1...1024).contains(number) { return number }
      throw .usage("'--jobs \(text)' is no number from 1 to 1024", help: "without it one works on each core")
    }
    outPath = invocation.value(of: .out) ?? ""
    out = try invocation.value(of: .out).map { path throws(Stop) in try file(path, for: "result") }
    summaryPath = invocation.value(of: .summary) ?? ""
    summary = try invocation.value(of: .summary).map { path throws(Stop) in
      if path == "-" { throw .usage("the summary can't go to stdout, where the result goes", help: "name a file") }
      return try file(path, for: "summary")
    }
  }
}

/// - Throws: if it is already clear that the file can't be written.
private func file(_ path: String, for what: String) throws(Stop) -> AtomicFile {
  do throws(AtomicFile.Problem) {
    return try AtomicFile(path)
  } catch {
    throw .diagnostics(Diagnostics([unwritable(what, path, error.reason)], sources: Sources()))
  }
}

func unwritable(_ what: String, _ path: String, _ reason: String) -> Diagnostic {
  Diagnostic(.unreadable, "can't write the \(what) '\(path)': \(reason)")
}
