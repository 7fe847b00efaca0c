import TideGraph
import TideReport
import Tidegate

/// `tidegate check`.
@Sendable func checkCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  let workflow = try load(invocation, on: DispatchExecutor())
  let misuses = (handleMisuses(in: workflow.plan.sources) + earlyUses(in: workflow.plan.sources)).filter {
    !workflow.warnings.contains($0)
  }
  if !misuses.isEmpty { throw .diagnostics(Diagnostics(misuses, sources: workflow.plan.sources)) }
  return Standard.print("\(invocation.script): ok\n")
}

/// `tidegate plan`.
@Sendable func planCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  Standard.print(PlanText.render(try load(invocation, on: DispatchExecutor()).plan))
}

/// `tidegate graph`.
@Sendable func graphCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  let draw: (Plan) -> String
  switch invocation.value(of: .format) ?? "dot" {
  case "dot": draw = PlanGraph.dot
  case "mermaid": draw = PlanGraph.mermaid
  case let other:
    let meant = nearest(to: other, among: ["dot", "mermaid"])
    throw .usage("there is no format '\(other)'", meant: meant, otherwise: "tidegate graph --help")
  }
  return Standard.print(draw(try load(invocation, on: DispatchExecutor()).plan))
}

/// `tidegate help`.
@Sendable func helpCommand(_ invocation: Invocation) throws(Stop) -> ExitCode {
  guard let name = invocation.operand else { return Standard.print(HelpText.overall) }
  return Standard.print(HelpText.of(try Command.named(name)))
}

/// Loads the script, and shows what is suspicious in it.
func load(
  _ invocation: Invocation, on executor: any Executor, preparing transport: (any Transport)? = nil
) throws(Stop) -> Workflow {
  do {
    let workflow = try Workflow(path: invocation.script, executor: executor, preparing: transport) {
      Standard.error($0 + "\n")
    }
    Console.show(Diagnostics(workflow.warnings, sources: workflow.plan.sources))
    return workflow
  } catch {
    throw .diagnostics(error)
  }
}
