import Testing

@testable import TideFixtures

struct Base64TextTests {
  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE", "fooba"), (" Zm9v\r\nYmFy ", "foobar"),
  ])
  func `a text is decoded, padded or not`(text: String, expected: String) {
    #expect(Base64Text.decoded(text).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "Zm9v=", "=", "Zg==Zg==", "Z-9v", "Zm9vYmFyZ"])
  func `what is none is refused`(text: String) {
    #expect(Base64Text.decoded(text) == nil)
  }
}
