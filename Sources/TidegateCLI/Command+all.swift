import TideGraph

extension Command {
  /// In the order of the help.
  static let all = [run, check, plan, graph, test, mock, help]

  static let run = Command(
    "run", .script, summary: "Run a workflow and print its result.",
    details: [
      """
      Prints the result on stdout, as one line of JSON if nothing else is said, and everything else on stderr: what the \
      script logs, and what failed. A result that is there is printed also if the run failed.
      """,
      "A secret that nobody gives is taken from its environment variable.",
      """
      Ctrl-C (SIGINT) and SIGTERM stop what is in flight and end the run; a second one ends the process at once. If \
      whoever reads stdout goes away, nothing more is printed, and the exit code stays what the run makes it.
      """,
    ],
    options: [
      .input, .inputs, .secret, .secrets, .signal, .signals, .fixtures, .strict, .timeout, .jobs, .summary, .output,
      .out,
    ],
    examples: [
      "tidegate run shares.lua --input uid=7 --input session_id=s1",
      "tidegate run shares.lua --inputs inputs.json --timeout 30s --summary s.json",
      "tidegate run shares.lua --inputs - --fixtures fixtures.json < inputs.json",
    ],
    run: runCommand)

  static let check = Command(
    "check", .script, summary: "Say what is wrong with a script, without running it.",
    details: [
      """
      Reads the script and all that it requires, and prints every error and warning with its place. Nothing is sent, \
      no step is run, and no input is needed.
      """
    ],
    examples: ["tidegate check shares.lua"],
    run: checkCommand)

  static let plan = Command(
    "plan", .script, summary: "Show what a script would run, and what would wait for what.",
    details: [
      """
      Prints the nodes by the wave in which each can start at the earliest, what waits at which barrier, and the hosts \
      that requests go to. The network is not touched.
      """
    ],
    examples: ["tidegate plan shares.lua"],
    run: planCommand)

  static let graph = Command(
    "graph", .script, summary: "Draw a script's plan.",
    details: ["Prints the nodes of the plan and who waits for whom, to be drawn by Graphviz or Mermaid."],
    options: [.format],
    examples: ["tidegate graph shares.lua | dot -Tsvg > shares.svg", "tidegate graph shares.lua --format mermaid"],
    run: graphCommand)

  static let test = Command(
    "test", Operand(name: "PATH", isOptional: true, isRepeated: true), summary: "Test workflows, without the network.",
    details: [
      """
      Runs the tests in every file whose name ends in _test.lua under the PATHs, or under the current folder if none is \
      given. A test runs a workflow against fixtures, in virtual time: require "tidegate.test" gives it what it needs.
      """,
      """
      Tests run in random order, which the seed decides that is printed, and the files at once, each in a Lua state of \
      its own.
      """,
      """
      With --faults each request of each run fails in each way, one at a time, and a table shows how the run ended. With \
      --orders each run is repeated in every order in which its answers can come (up to seven at once; beyond 6,000 \
      orders, in 1,000 of them that the seed decides), and must end the same.
      """,
    ],
    options: [
      .filter, .failFast, .seed, .limit, .faults, .orders, .update, .testJobs, .testReport, .reportFile,
    ],
    examples: [
      "tidegate test", "tidegate test examples/shares --faults --orders",
      "tidegate test --report junit --out results.xml",
    ],
    run: testCommand)

  static let mock = Command(
    "mock", Operand(name: "FILE", isOptional: false), summary: "Serve fixtures over HTTP.",
    details: [
      """
      Answers requests from the exchanges in FILE (fixtures, a HAR, WireMock's mappings or a folder of them), as \
      'run --fixtures' does, but over HTTP and for any client. Whatever origin the exchanges have, the server's stands \
      in for it.
      """,
      """
      Prints its URL on stderr, then a line for each request. What no exchange matches is answered with 404 and how \
      the nearest exchange differs. Ctrl-C (SIGINT) and SIGTERM end it, with the exchanges that nobody asked for.
      """,
    ],
    options: [.port, .host],
    examples: ["tidegate mock fixtures.json --port 8080", "tidegate mock recorded.har"],
    run: mockCommand)

  static let help = Command(
    "help", Operand(name: "COMMAND", isOptional: true), summary: "Show this help, or that of a command.",
    details: ["'tidegate COMMAND --help' and 'tidegate COMMAND -h' show the same."],
    examples: ["tidegate help run"],
    run: helpCommand)

  static func named(_ name: String) throws(Stop) -> Command {
    if let command = all.first(where: { $0.name == name }) { return command }
    throw .usage(
      "there is no command '\(name)'", meant: nearest(to: name, among: all.map(\.name)), otherwise: "tidegate help")
  }
}
