extension Value {
  /// Writes a text or bytes as they are, a list of texts with one of them a line, and anything else as a line of compact
  /// JSON. An empty list writes nothing.
  public func writeRaw(to output: inout ByteWriter) {
    switch kind {
    case .string: withSlice { $0.withDecoded { output.append(UnsafeRawBufferPointer($0)) } }
    case .bytes: withSlice { output.append(UnsafeRawBufferPointer($0.all)) }
    case .array where isListOfTexts:
      forEachItem { item in
        if output.isStopped { return }
        item.withSlice { $0.withDecoded { output.append(UnsafeRawBufferPointer($0)) } }
        output.append(UInt8(ascii: "\n"))
      }
    default:
      write(to: &output)
      output.append(UInt8(ascii: "\n"))
    }
  }

  private var isListOfTexts: Bool {
    struct Other: Error {}
    do {
      try forEachItem { (item) throws(Other) -> Void in if item.kind != .string { throw Other() } }
      return true
    } catch {
      return false
    }
  }
}
