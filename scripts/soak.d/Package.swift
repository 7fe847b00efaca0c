// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "soak",
  dependencies: [.package(name: "tidegate", path: "../..")],
  targets: [
    .target(name: "CMemory"),
    .executableTarget(name: "soak", dependencies: ["CMemory", .product(name: "Tidegate", package: "tidegate")]),
  ],
  swiftLanguageModes: [.v6]
)
