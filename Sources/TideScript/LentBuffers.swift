import CLua
import TideValue

/// The buffers that the values of a step lie in: they are kept for as long as it runs or is suspended.
struct LentBuffers {
  /// A value of each, and the number under which the state knows its buffer.
  private var values: [Value] = []
  private var sources: [UInt32] = []
  private var numbers: [ObjectIdentifier: UInt32] = [:]
  private var last: (buffer: ObjectIdentifier, number: UInt32)?

  /// The number under which the state knows the buffer of `value`.
  mutating func number(of buffer: Buffer, _ value: Value, _ state: OpaquePointer) -> UInt32 {
    let id = ObjectIdentifier(buffer)
    if let last, last.buffer == id { return last.number }
    let number: UInt32
    if let known = numbers[id] {
      number = known
    } else {
      let bytes = buffer.bytes
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      number = clua_add_source(state, start, bytes.count)
      numbers[id] = number
      values.append(value)
      sources.append(number)
    }
    last = (id, number)
    return number
  }

  /// The list or object at `index` as it came, if nothing was changed in it.
  func untouched(_ stack: LuaStack, at index: Int32) -> Value? {
    var number: UInt32 = 0
    var offset = 0
    var length = 0
    guard !values.isEmpty, clua_find_untouched(stack.pointer, index, &number, &offset, &length) else { return nil }
    guard let place = sources.firstIndex(of: number) else { return nil }
    let value = values[place]
    let range = offset..<(offset + length)
    return value.place?.range == range ? value : value.neighbour(at: range)
  }

  /// The step has ended.
  mutating func giveBack(_ state: OpaquePointer) {
    guard !values.isEmpty else { return }
    for number in sources { clua_forget_source(state, number) }
    values.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    last = nil
  }
}
