// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "plans",
  dependencies: [.package(name: "tidegate", path: "../../..")],
  targets: [
    .target(name: "CMemory"),
    .executableTarget(name: "plans", dependencies: ["CMemory", .product(name: "Tidegate", package: "tidegate")]),
  ],
  swiftLanguageModes: [.v6]
)
