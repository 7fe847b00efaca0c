import Testing
import TideFixtures

@Suite struct SimulatedChoicesTests {
  @Test func `a seed's choices are the same everywhere`() {
    let choices = SeededChoices(seed: 42)
    #expect((0..<8).map { _ in choices.choose(1000) } == [741, 159, 278, 344, 38, 868, 218, 800])
    #expect("\(choices)" == "seed 42")
  }

  @Test func `a seed's choices are in range, and reach everything`() {
    let choices = SeededChoices(seed: .max)
    for count in [2, 3, 7, 10] {
      #expect(Set((0..<1000).map { _ in choices.choose(count) }) == Set(0..<count))
    }
  }

  @Test func `a script is followed, bent to what is possible, and ends in first choices`() {
    let choices = ScriptedChoices([1, 9, -4])
    #expect((0..<5).map { _ in choices.choose(3) } == [1, 2, 0, 0, 0])
    #expect(choices.made.map(\.count) == [3, 3, 3, 3, 3])
    #expect("\(choices)" == "choices [1, 2, 0, 0, 0]")
  }

  @Test func `every sequence of choices is led through once, also where one depends on another`() {
    var sequences: [[Int]] = []
    let runs = forEachOrder { choices in
      var sequence = [choices.choose(3)]
      for _ in 0..<sequence[0] { sequence.append(choices.choose(2)) }
      sequences.append(sequence)
    }
    #expect(runs == 7)
    #expect(
      sequences == [
        [0], [1, 0], [1, 1], [2, 0, 0], [2, 0, 1], [2, 1, 0], [2, 1, 1],
      ])
  }

  @Test func `a body without choices runs once, and a limit is kept`() {
    #expect(forEachOrder { _ in } == 1)
    #expect(forEachOrder(limit: 0) { _ in } == 0)
    #expect(forEachOrder(limit: 10) { choices in for _ in 0..<20 { _ = choices.choose(5) } } == 10)
  }

  @Test func `an error ends the exploration, and its choices can be replayed`() throws {
    struct Found: Error {}
    var found = ""
    func body(_ choices: any Choices) throws {
      if [choices.choose(2), choices.choose(3)] == [1, 2] {
        found = "\(choices)"
        throw Found()
      }
    }
    #expect(throws: Found.self) { try forEachOrder(body) }
    #expect(found == "choices [1, 2]")
    #expect(throws: Found.self) { try body(ScriptedChoices([1, 2])) }
  }

  @Test func `a body that is not repeatable is found out`() async {
    await #expect(processExitsWith: .failure) {
      var run = 0
      forEachOrder { choices in
        run += 1
        _ = choices.choose(run == 1 ? 3 : 2)
      }
    }
  }
}
