// swift-tools-version: 6.2
import PackageDescription

// Our own scripts set TIDEGATE_STRICT. A package that depends on this one inherits its flags, and must not inherit these.
let strict = Context.environment["TIDEGATE_STRICT"] != nil
let settings: [SwiftSetting] = strict ? [.treatAllWarnings(as: .error)] : []
/// For targets that touch no C and no raw memory.
let safe: [SwiftSetting] = settings + (strict ? [.strictMemorySafety()] : [])

let package = Package(
  name: "tidegate",
  products: [
    .library(name: "Tidegate", targets: ["Tidegate"]),
    .library(name: "TidegateTesting", targets: ["TideTest"]),
    .executable(name: "tidegate", targets: ["TidegateCLI"]),
  ],
  targets: [
    // C: what Swift can't call as it is.
    .target(
      name: "CLua",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m"), .linkedLibrary("dl")]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("dl")]),

    // Pure: no thread, no file, no clock.
    .target(name: "TideValue", swiftSettings: settings),
    .target(name: "TideGraph", dependencies: ["TideValue"], swiftSettings: safe),

    // Edges: one system each.
    .target(name: "TideBarrier", swiftSettings: settings),
    .target(name: "TideEngine", dependencies: ["TideValue", "TideGraph", "TideBarrier"], swiftSettings: settings),
    .target(
      name: "TideScript", dependencies: ["CLua", "CCrypto", "TideValue", "TideGraph", "TideBarrier"],
      swiftSettings: settings),
    .target(
      name: "TideHTTP", dependencies: ["CCurl", "TideValue", "TideGraph", "TideBarrier"], swiftSettings: settings),
    .target(name: "TideFixtures", dependencies: ["TideValue", "TideGraph", "TideBarrier"], swiftSettings: settings),
    .target(
      name: "TideTest",
      dependencies: ["TideValue", "TideGraph", "TideBarrier", "TideEngine", "TideScript", "TideFixtures"],
      swiftSettings: settings),
    .target(name: "TideReport", dependencies: ["TideValue", "TideGraph"], swiftSettings: safe),

    // What people use.
    .target(
      name: "Tidegate",
      dependencies: [
        "TideValue", "TideGraph", "TideBarrier", "TideEngine", "TideScript", "TideHTTP", "TideFixtures", "TideReport",
      ], swiftSettings: settings),
    .executableTarget(
      name: "TidegateCLI",
      dependencies: ["Tidegate", "TideValue", "TideGraph", "TideReport", "TideFixtures", "TideTest"],
      swiftSettings: settings),

    .testTarget(name: "TideValueTests", dependencies: ["TideValue"], swiftSettings: settings),
    .testTarget(name: "TideGraphTests", dependencies: ["TideValue", "TideGraph"], swiftSettings: settings),
    .testTarget(name: "TideBarrierTests", dependencies: ["TideBarrier", "TideFixtures"], swiftSettings: settings),
    .testTarget(
      name: "TideEngineTests",
      dependencies: ["TideValue", "TideGraph", "TideBarrier", "TideEngine", "TideFixtures"], swiftSettings: settings),
    .testTarget(
      name: "TideScriptTests",
      dependencies: ["CLua", "TideValue", "TideGraph", "TideBarrier", "TideScript", "TideFixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "TideHTTPTests", dependencies: ["TideHTTP", "CCurl", "TideGraph", "TideValue", "TideBarrier"],
      swiftSettings: settings),
    .testTarget(
      name: "TideFixturesTests", dependencies: ["TideValue", "TideGraph", "TideBarrier", "TideFixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "TideReportTests", dependencies: ["TideValue", "TideGraph", "TideReport"], swiftSettings: settings),
    .testTarget(
      name: "TidegateTests",
      dependencies: ["TideValue", "TideGraph", "TideBarrier", "TideEngine", "TideFixtures", "Tidegate"],
      swiftSettings: settings),
    .testTarget(
      name: "TideTestTests",
      dependencies: ["TideValue", "TideGraph", "TideBarrier", "TideEngine", "TideScript", "TideFixtures", "TideTest"],
      swiftSettings: settings),
    .testTarget(
      name: "TidegateCLITests", dependencies: ["TidegateCLI"], exclude: ["Help"], swiftSettings: settings),
    .testTarget(
      name: "HazardTests",
      dependencies: [
        "TideValue", "TideGraph", "TideBarrier", "TideEngine", "TideScript", "TideHTTP", "TideFixtures", "Tidegate",
      ], swiftSettings: settings),
    .testTarget(name: "ExampleTests", dependencies: ["TidegateCLI"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
