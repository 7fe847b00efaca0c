import Testing
import TideGraph
import TideValue

@Suite struct RedactorTests {
  private func redactor(_ secrets: String...) -> Redactor {
    var redactor = Redactor()
    for secret in secrets { redactor.hide(Value(secret), isGiven: true) }
    return redactor
  }

  @Test func `without a secret everything stays as it is`() {
    #expect(Redactor().redacted("a *** b") == "a *** b")
    #expect(Redactor().isEmpty)
  }

  @Test(arguments: [
    ("key=s3cr3t&x=1", "key=***&x=1"),
    ("s3cr3ts3cr3t", "***"),
    ("s3cr3", "s3cr3"),
    ("", ""),
    ("s3cr3t", "***"),
  ])
  func `a secret is masked wherever it stands`(_ text: String, _ shown: String) {
    #expect(redactor("s3cr3t").redacted(text) == shown)
  }

  @Test(arguments: [
    ("GET /x?k=a%20b%2F%22%C3%A9", "GET /x?k=***"),
    ("k=a+b%2F%22%C3%A9&z", "k=***&z"),
    (#"{"k":"a b/\"é"}"#, #"{"k":"***"}"#),
  ])
  func `a secret is masked as URLs, forms and JSON write it`(_ text: String, _ shown: String) {
    #expect(redactor("a b/\"é").redacted(text) == shown)
  }

  @Test(arguments: ["", "u", "us", "use", "user:"])
  func `a secret is masked in base64 whatever stands before it`(_ before: String) {
    let shown = redactor("correct horse").redacted("Basic \(base64("\(before)correct horse".utf8))!")
    #expect(shown.hasPrefix("Basic ") && shown.contains("***") && shown.hasSuffix("!"))
    #expect(!shown.contains(base64("rrect horse".utf8).prefix(8)))
    #expect(shown.utf8.count <= "Basic ".utf8.count + 8 + 3 + 4 + 1)
  }

  @Test func `the beginning of a long secret is masked too`() {
    let redactor = redactor("0123456789abcdefghijklmnopqrstuvwxyz")
    #expect(redactor.redacted("it is 0123456789abcdefgh...") == "it is ***...")
    #expect(redactor.redacted("it is 0123456789") == "it is 0123456789")
  }

  @Test func `a masked beginning never leaves half a character behind`() {
    let redactor = redactor("0123456789abcdeéxyz")
    #expect(redactor.redacted("0123456789abcdeèxyz") == "***xyz")
  }

  @Test func `the longest of several secrets is masked as one`() {
    #expect(redactor("abc", "abcdef").redacted("abcdef abc") == "*** ***")
  }

  @Test func `what is computed is masked from four bytes on, what is given always`() {
    var computed = Redactor()
    computed.hide(Value("abc"))
    #expect(computed.redacted("abc") == "abc")
    computed.hide(Value("abcd"))
    #expect(computed.redacted("abcd") == "***")
    #expect(redactor("a").redacted("banana") == "b***n***n***")
  }

  @Test func `the texts and numbers inside a secret value are masked`() throws {
    var redactor = Redactor()
    redactor.hide(try Value.parse(#"{"token":"tok-1","list":[12345,true,null,["deep"]]}"#))
    #expect(redactor.redacted("tok-1 12345 deep true null token") == "*** *** *** true null token")
  }

  @Test func `values are masked in depth, their names too`() throws {
    let value = try Value.parse(#"{"s3cr3t":["x s3cr3t",1,null,{"a":"s3cr3t"}],"n":98765}"#)
    var redactor = redactor("s3cr3t")
    redactor.hide(Value(98765))
    #expect(redactor.redacted(value).description == #"{"***":["x ***",1,null,{"a":"***"}],"n":"***"}"#)
  }

  @Test func `failures are masked in message, help and body`() {
    let failure = Failure(.status, "at s3cr3t", status: 401, body: Value("s3cr3t!"), help: "try s3cr3t")
    let shown = redactor("s3cr3t").redacted(failure)
    #expect(shown.message == "at ***")
    #expect(shown.help == "try ***")
    #expect(shown.body == Value("***!"))
    #expect(shown.status == 401)
    #expect(shown.kind == .status)
  }

  @Test func `too many secrets to search for mask everything`() {
    var redactor = Redactor()
    redactor.hide(.array((0...1000).map { Value("text-\($0)") }))
    #expect(redactor.redacted("anything") == "***")
  }
}
