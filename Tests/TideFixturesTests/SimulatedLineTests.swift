import Testing

@testable import TideFixtures

@Suite struct SimulatedLineTests {
  @Test func `anyone can be taken out, and the others keep their order`() {
    let choices = SeededChoices(seed: 11)
    var line = SimulatedLine<Int>()
    var model: [Int] = []
    for number in 0..<5000 {
      line.append(number)
      model.append(number)
      if choices.choose(3) > 0, !model.isEmpty {
        let index = model.count > 1 ? choices.choose(model.count) : 0
        let (removed, expected) = (line.remove(at: index), model.remove(at: index))
        #expect(removed == expected)
      }
      #expect(line.count == model.count)
    }
    #expect(line.firstIndex { $0 == model.last } == model.count - 1)
    #expect(line.firstIndex { $0 == -1 } == nil)
    for expected in model {
      let first = line.remove(at: 0)
      #expect(first == expected)
    }
    #expect(line.isEmpty)
  }
}
