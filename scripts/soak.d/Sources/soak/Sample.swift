import CMemory
import Glibc

/// What the process holds at a moment at which nothing runs.
struct Sample {
  var allocated: Int
  var resident: Int
  var threads: Int
  var descriptors: Int

  static func now() -> Sample {
    Sample(
      allocated: allocated_bytes(), resident: residentBytes, threads: entries(of: "/proc/self/task"),
      descriptors: entries(of: "/proc/self/fd") - 1)
  }

  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  private static func entries(of folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      if entry.pointee.d_name.0 != 0x2E { count += 1 }
    }
    return count
  }
}

/// Samples over the whole soak, and whether they stay where they are.
struct Course {
  private(set) var samples: [Sample] = []

  /// One byte a sample would count as growth: all are taken at once.
  init(capacity: Int) {
    samples.reserveCapacity(capacity)
  }

  mutating func take() { samples.append(.now()) }

  /// The median over a part of the soak: 0 is its start, 1 its end.
  func median(_ part: ClosedRange<Double>, of key: KeyPath<Sample, Int>) -> Int {
    let last = Double(samples.count - 1)
    let values = samples[Int(part.lowerBound * last)...Int(part.upperBound * last)].map { $0[keyPath: key] }.sorted()
    return values[values.count / 2]
  }

  func most(_ part: ClosedRange<Double>, of key: KeyPath<Sample, Int>) -> Int {
    let last = Double(samples.count - 1)
    return samples[Int(part.lowerBound * last)...Int(part.upperBound * last)].map { $0[keyPath: key] }.max() ?? 0
  }
}
