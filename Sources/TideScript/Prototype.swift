import CLua

/// What a function's code says about the variables that it captured: which of them it assigns, and where.
///
/// Read from the code as `string.dump` gives it (Lua 5.4: ldump.c, lopcodes.h). A variable that is assigned in an inner
/// function is traced outwards, to the function that has captured it.
struct Prototype {
  struct Assignment: Equatable {
    /// 1-based, as lua_getupvalue counts.
    let upvalue: Int
    let name: String
    let line: Int
  }

  /// Where the function stands: its first and its last line; 0 for a whole file.
  let lines: ClosedRange<Int>
  /// What this function, or one inside of it, assigns of what this one has captured.
  let assignments: [Assignment]
  let inner: [Prototype]
  /// The same, as the function around sees it: in its upvalues. What are its locals is not among it.
  fileprivate let passedOutwards: [Assignment]

  /// Nil if the code is not as expected.
  init?(code: UnsafeRawBufferPointer) {
    var reader = CodeReader(bytes: code)
    guard reader.readHeader(), let prototype = reader.readFunction() else { return nil }
    self = prototype
  }

  fileprivate init(
    lines: ClosedRange<Int>, assignments: [Assignment], inner: [Prototype], passedOutwards: [Assignment]
  ) {
    self.lines = lines
    self.assignments = assignments
    self.inner = inner
    self.passedOutwards = passedOutwards
  }

  /// The functions, this one and those inside, that assign something they have captured.
  func forEachAssigning(_ body: (Prototype) -> Void) {
    if !assignments.isEmpty { body(self) }
    for prototype in inner { prototype.forEachAssigning(body) }
  }
}

private struct CodeReader {
  let bytes: UnsafeRawBufferPointer
  var at = 0

  init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private struct Capture {
    let isLocalOfOuter: Bool
    let index: Int
  }

  private static let setUpvalue: UInt32 = 10
  private static let absoluteLine: Int8 = -128

  mutating func readHeader() -> Bool {
    let header: [UInt8] = [0x1B, 0x4C, 0x75, 0x61, 0x54, 0x00, 0x19, 0x93, 0x0D, 0x0A, 0x1A, 0x0A, 4, 8, 8]
    guard bytes.starts(with: header) else { return false }
    at = header.count + 8 + 8 + 1
    return true
  }

  private mutating func byte() -> UInt8? {
    guard at < bytes.count else { return nil }
    defer { at += 1 }
    return bytes[at]
  }

  private mutating func skip(_ count: Int?) -> Bool {
    guard let count, count >= 0, count <= bytes.count - at else { return false }
    at += count
    return true
  }

  /// Seven bits a byte, the highest first; the last byte has its top bit set.
  private mutating func size() -> Int? {
    var value = 0
    while let next = byte() {
      guard value < 1 << 48 else { return nil }
      value = value << 7 | Int(next & 0x7F)
      if next & 0x80 != 0 { return value }
    }
    return nil
  }

  private mutating func text() -> String? {
    guard let size = size() else { return nil }
    if size == 0 { return "" }
    let start = at
    guard skip(size - 1) else { return nil }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  mutating func readFunction() -> Prototype? {
    guard text() != nil, let first = size(), let last = size(), last >= first || last == 0, skip(3) else { return nil }
    guard let count = size(), count <= (bytes.count - at) / 4 else { return nil }
    let code = at
    at += count * 4
    guard skipConstants(), let captures = readCaptures(), let innerCount = size() else { return nil }
    var inner: [Prototype] = []
    for _ in 0..<innerCount {
      guard let prototype = readFunction() else { return nil }
      inner.append(prototype)
    }
    return finish(lines: first...max(first, last), code: code, count: count, captures: captures, inner: inner)
  }

  private mutating func skipConstants() -> Bool {
    guard let count = size() else { return false }
    for _ in 0..<count {
      switch byte() {
      case 0x03, 0x13: guard skip(8) else { return false }
      case 0x04, 0x14: guard text() != nil else { return false }
      case 0x00, 0x01, 0x11: break
      default: return false
      }
    }
    return true
  }

  private mutating func readCaptures() -> [Capture]? {
    guard let count = size() else { return nil }
    var captures: [Capture] = []
    for _ in 0..<count {
      guard let isLocal = byte(), let index = byte(), skip(1) else { return nil }
      captures.append(Capture(isLocalOfOuter: isLocal != 0, index: Int(index)))
    }
    return captures
  }

  /// The debug information, with which the assignments get their lines and names.
  private mutating func finish(
    lines: ClosedRange<Int>, code: Int, count: Int, captures: [Capture], inner: [Prototype]
  ) -> Prototype? {
    guard let lineOf = readLines(from: lines.lowerBound), skipLocals(), let nameCount = size() else { return nil }
    var names: [String] = []
    for _ in 0..<nameCount {
      guard let name = text() else { return nil }
      names.append(name)
    }
    var found: [Prototype.Assignment] = []
    func add(_ upvalue: Int, _ line: Int) {
      if found.contains(where: { $0.upvalue == upvalue + 1 }) { return }
      let name = names.indices.contains(upvalue) ? names[upvalue] : "?"
      found.append(Prototype.Assignment(upvalue: upvalue + 1, name: name, line: line))
    }
    for instruction in 0..<count {
      let word = bytes.loadUnaligned(fromByteOffset: code + instruction * 4, as: UInt32.self)
      if word & 0x7F == CodeReader.setUpvalue {
        add(Int(word >> 16 & 0xFF), lineOf.indices.contains(instruction) ? lineOf[instruction] : lines.lowerBound)
      }
    }
    for prototype in inner {
      for assignment in prototype.passedOutwards { add(assignment.upvalue - 1, assignment.line) }
    }
    let passed = found.compactMap { assignment -> Prototype.Assignment? in
      guard captures.indices.contains(assignment.upvalue - 1) else { return nil }
      let capture = captures[assignment.upvalue - 1]
      if capture.isLocalOfOuter { return nil }
      return Prototype.Assignment(upvalue: capture.index + 1, name: assignment.name, line: assignment.line)
    }
    return Prototype(lines: lines, assignments: found, inner: inner, passedOutwards: passed)
  }

  /// The line of each instruction.
  private mutating func readLines(from first: Int) -> [Int]? {
    guard let count = size(), count <= bytes.count - at else { return nil }
    let deltas = bytes[at..<(at + count)].map { Int8(bitPattern: $0) }
    at += count
    guard let absoluteCount = size() else { return nil }
    var absolute: [Int] = []
    for _ in 0..<absoluteCount {
      guard size() != nil, let line = size() else { return nil }
      absolute.append(line)
    }
    var line = first
    var next = 0
    return deltas.map { delta in
      if delta == CodeReader.absoluteLine, next < absolute.count {
        line = absolute[next]
        next += 1
      } else {
        line += Int(delta)
      }
      return line
    }
  }

  private mutating func skipLocals() -> Bool {
    guard let count = size() else { return false }
    for _ in 0..<count { guard text() != nil, size() != nil, size() != nil else { return false } }
    return true
  }
}
