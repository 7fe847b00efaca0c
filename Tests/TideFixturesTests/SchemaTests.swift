import Foundation
import Testing

@testable import TideFixtures

/// `examples/fixtures.schema.json` says what the reader accepts.
struct SchemaTests {
  private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "examples")
  private let schema: Schema

  init() throws {
    schema = try Schema(path: Self.examples.appending(path: "fixtures.schema.json").path)
  }

  @Test(arguments: ["shares/fixtures.json", "shares/broken.json", "follow/fixtures.json"])
  func `the examples' fixtures are as the schema says`(name: String) throws {
    let path = Self.examples.appending(path: name).path
    #expect(try schema.accepts(String(contentsOfFile: path, encoding: .utf8)))
    #expect(try !Fixtures.load(path: path).exchanges.isEmpty)
  }

  @Test(arguments: [
    #"{"exchanges":[]}"#, "[]",
    #"[{"request":{"url":"/a/{b}/*","method":"*","query":true,"headers":{"A":["1",2]}},"failure":"dns","delay":1}]"#,
    #"[{"request":{"url":"http://x/","query":{"a":[1,true]},"form":{"a":"*"}},"responses":[{},{"failure":"reset"}]}]"#,
    #"[{"request":{"url":"/","json":null},"response":{"status":599,"delay":"1.5s","json":[]}}]"#,
    #"[{"request":{"url":"/","json_subset":{"a":1}},"response":{"text":"a"}}]"#,
    #"[{"request":{"url":"/","json_where":{"a":1,"$.b":{"min":1,"exists":true},"c":[1]}},"response":{"body":"a"}}]"#,
  ])
  func `what the schema accepts is read`(text: String) throws {
    #expect(try schema.accepts(text))
    #expect(problems(in: text) == [])
  }

  @Test(arguments: [
    "1", "{}", #"{"exchanges":{}}"#, #"{"exchanges":[],"x":1}"#, "[1]", #"[{"request":{"url":"/"}}]"#,
    #"[{"response":{}}]"#, #"[{"request":{"url":"/"},"response":{},"failure":"dns"}]"#,
    #"[{"request":{"url":"/"},"response":{},"delay":1}]"#, #"[{"request":{"url":"/"},"responses":[]}]"#,
    #"[{"request":{"url":"/"},"failure":"boom"}]"#, #"[{"request":{},"response":{}}]"#,
    #"[{"request":{"url":"x"},"response":{}}]"#, #"[{"request":{"url":"/","method":"get"},"response":{}}]"#,
    #"[{"request":{"url":"/","query":false},"response":{}}]"#,
    #"[{"request":{"url":"/","form":{},"json":1},"response":{}}]"#,
    #"[{"request":{"url":"/","json_subset":1,"json_where":{}},"response":{}}]"#,
    #"[{"request":{"url":"/","json_where":{"a":{"least":1}}},"response":{}}]"#,
    #"[{"request":{"url":"/","headers":{"a":null}},"response":{}}]"#,
    #"[{"request":{"url":"/"},"response":{"status":99}}]"#, #"[{"request":{"url":"/"},"response":{"status":"200"}}]"#,
    #"[{"request":{"url":"/"},"response":{"json":1,"text":"a"}}]"#,
    #"[{"request":{"url":"/"},"response":{"delay":"soon"}}]"#, #"[{"request":{"url":"/"},"response":{"delay":-1}}]"#,
    #"[{"request":{"url":"/"},"responses":[{"failure":"dns","status":1}]}]"#,
  ])
  func `what the schema refuses is refused`(text: String) throws {
    #expect(try !schema.accepts(text))
    #expect(problems(in: text) != [])
  }
}
