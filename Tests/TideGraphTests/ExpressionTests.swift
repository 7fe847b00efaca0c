import Testing
import TideValue

@testable import TideGraph

struct ExpressionTests {
  private let a = NodeID(0)

  private func evaluate(_ expression: Expression, a: String) throws -> String {
    let said = Said(
      values: [NodeID(0): try value(a)], responses: [NodeID(0): try value("{\"status\":200}")], names: [NodeID(0): "a"])
    do {
      return try expression.evaluate(said).description
    } catch {
      return "\(error.kind): \(error.message)"
    }
  }

  @Test func `a field is one key, never a path`() throws {
    let field = Expression.field(.field(.value(of: a), "x.y"), "z")
    #expect(try evaluate(field, a: #"{"x.y":{"z":1}}"#) == "1")
    #expect(try evaluate(field, a: #"{"x":{"y":{"z":1}}}"#) == "missing: 'x.y' is missing in a, which has x")
    #expect(try evaluate(field, a: #"{"x.y":{}}"#) == "missing: 'z' is missing in a.x.y, which has no fields")
    #expect(try evaluate(field, a: "[1]") == "missing: 'x.y' is missing in a (a list)")
    #expect(try evaluate(.field(.value(of: a), "x"), a: #"{"x":null}"#) == "null")
  }

  @Test func `a path may have a fallback`() throws {
    let path = try Path("x.y")
    #expect(try evaluate(.path(.value(of: a), path, fallback: nil), a: #"{"x":{"y":2}}"#) == "2")
    #expect(try evaluate(.path(.value(of: a), path, fallback: Value(0)), a: "{}") == "0")
    #expect(
      try evaluate(.path(.value(of: a), path, fallback: nil), a: #"{"z":1}"#)
        == "missing: 'x' is missing in an object with the field z in a")
  }

  @Test func `texts, lists, objects, responses and questions are put together`() throws {
    let text = Expression.text([.text("n="), .joined(.value(of: a)), .raw(.value(of: a))])
    #expect(try evaluate(text, a: "1.50") == "\"n=1.501.50\"")
    #expect(try evaluate(text, a: "{}") == "type: the value of a is an object, which can't be joined to a text")
    #expect(try evaluate(.list([.literal(.null), .value(of: a)]), a: "[]") == "[null,[]]")
    #expect(try evaluate(.object([.init(key: "k", value: .value(of: a))]), a: "1") == #"{"k":1}"#)
    #expect(try evaluate(.field(.response(of: a), "status"), a: "1") == "200")
    #expect(try evaluate(.question(.ok, a), a: "1") == "true")
  }

  @Test func `a table without a handle is one literal, what has no value is named by its path`() throws {
    let table = Argument.fields(["a": .list([.number(1), .fields([:])]), "b": .list([])])
    #expect(try table.expression().constant?.description == #"{"a":[1,{}],"b":[]}"#)
    let error = #expect(throws: ArgumentError.self) {
      try Argument.fields(["a": .list([.number(1), .fields(["f": .queue(QueueID(0))])])]).expression(at: "json")
    }
    #expect(error == ArgumentError(path: "json.a[2].f", found: "a queue"))
    #expect(throws: ArgumentError(path: "[1]", found: "a function")) { try Argument.list([.run]).expression() }
  }
}
