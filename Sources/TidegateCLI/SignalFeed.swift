import TideGraph
import TideValue
import Tidegate

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where the signals of a run come from: `--signal` at its start, then the lines of `--signals`.
struct SignalFeed {
  private let atStart: [String]
  private let path: String?

  /// - Throws: a name that no node waits for, and a workflow that waits for what nobody can give.
  init(_ invocation: Invocation, of plan: Plan) throws(Stop) {
    let known = plan.signals.map { plan.nodes[$0].name }
    atStart = invocation.values(of: .signal)
    path = invocation.value(of: .signals)
    for name in atStart where !known.contains(name) {
      throw .usage(
        "the workflow waits for no signal '\(name)'",
        help: didYouMean(name, among: known)
          ?? (known.isEmpty ? "it has no signal node" : "its signals are: \(known.joined(separator: ", "))"))
    }
    guard let path else {
      for node in plan.signals {
        let name = plan.nodes[node].name
        guard case .signal(let spec) = plan.nodes[node].verb, atStart.count(where: { $0 == name }) < spec.count else {
          continue
        }
        throw .usage(
          "the workflow waits for the signal '\(name)', and none can come",
          help: "give it at the start with --signal \(name), or say where signals come from with --signals FILE")
      }
      return
    }
    if path == "-", invocation.value(of: .inputs) == "-" || invocation.value(of: .secrets) == "-" {
      throw .usage("inputs or secrets and signals can't both come from stdin", help: "put one of them into a file")
    }
    var status = stat()
    if path != "-", stat(path, &status) != 0 || access(path, R_OK) != 0 {
      let reason = String(cString: strerror(errno))
      throw .diagnostics(
        Diagnostics([Diagnostic(.unreadable, "can't read the signals '\(path)': \(reason)")], sources: Sources()))
    }
  }

  /// Gives the run its signals; what comes later is read on a thread of its own, which ends with the process.
  func feed(_ run: Run) {
    guard !run.signals.isEmpty else { return }
    for name in atStart { run.signal(name) }
    guard let path else { return run.endSignals() }
    let reader = Unmanaged.passRetained(Reader(path, run))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().read() }
        return nil
      }, reader.toOpaque())
    guard status == 0 else {
      reader.release()
      Console.warning("there is no thread to read signals with: \(String(cString: strerror(status)))")
      return run.endSignals()
    }
    pthread_detach(thread)
  }

  private final class Reader: Sendable {
    let path: String
    let run: Run

    init(_ path: String, _ run: Run) {
      self.path = path
      self.run = run
    }

    /// Reads to the end. A FIFO has none: when its last writer has gone, it waits for the next.
    func read() {
      defer { run.endSignals() }
      repeat {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let file = fdopen(descriptor, "r") else {
          return Console.warning("can't read the signals '\(path)': \(String(cString: strerror(errno)))")
        }
        defer { if descriptor > 0 { fclose(file) } }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while case let count = getline(&line, &capacity, file), count > 0 {
          guard let line else { break }
          take(String(decoding: UnsafeRawBufferPointer(start: line, count: count), as: UTF8.self))
        }
      } while isFIFO
    }

    private var isFIFO: Bool {
      var status = stat()
      return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private func take(_ line: String) {
      let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
      guard let name = words.first.map(String.init) else { return }
      let rest = words.count > 1 ? String(words[1].reversed().drop { $0.isWhitespace }.reversed()) : ""
      let value = rest.isEmpty ? Value.null : (try? Value.parse(rest)) ?? Value(rest)
      if !run.signal(name, value) {
        let known = run.signals.joined(separator: ", ")
        Console.warning("a signal that nobody waits for: '\(name)' (the workflow's signals are: \(known))")
      }
    }
  }
}
