import Testing
import TideEngine
import TideGraph
import TideTest
import TideValue

/// The model objects when a run is not as the plan says: it is shown the run of one plan as that of another.
@Suite struct ModelTests {
  private static func gather(_ wait: Wait, _ options: NodeOptions? = nil) -> Gather {
    var gather = Gather(3, wait: wait, options)
    gather.replies["r1"] = [Reply(content: .body("", status: 500)), Reply(content: .body("[1]"))]
    return gather
  }

  private static func complaints(_ shown: Gather, of run: Gather) -> [String] {
    let observation = run.exploration.replay(.choices([]))
    var model = Model(shown.plan, inputs: [:], signals: [], run: observation)
    return model.check()
  }

  @Test(arguments: [Wait.all, .settled, .atLeast(1), .atLeast(3)])
  func `it has no objection to the plan's own run`(_ wait: Wait) {
    #expect(Self.complaints(Self.gather(wait), of: Self.gather(wait)) == [])
  }

  @Test func `it objects to another end`() {
    let complaints = Self.complaints(Self.gather(.settled), of: Self.gather(.all))
    #expect(complaints.first == "'merged' is blocked, where ok is right")
    #expect(complaints.last == "the run is failed, where partial is right")
  }

  @Test func `it objects to a value that no order could give`() {
    let complaints = Self.complaints(
      Self.gather(.atLeast(3), NodeOptions(otherwise: json("[9]"))), of: Self.gather(.settled))
    #expect(complaints.contains("'r1' is failed (answered 500), where ok+ (answered 500) is right"))
  }

  @Test func `it objects to an attempt that should not be, and to one that is missing`() {
    let patient = Self.gather(.settled, NodeOptions(retry: Retry(times: 1)))
    let hasty = Self.gather(.settled)
    #expect(
      Self.complaints(hasty, of: patient).contains(
        "GET http://api.test/r1 was asked for 2 times, and 1 are accounted for"))
    #expect(
      Self.complaints(patient, of: hasty).contains(
        "'r1' asked for GET http://api.test/r1 1 times, where once more is right"))
  }
}
