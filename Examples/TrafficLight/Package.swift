// swift-tools-version: 6.1
import PackageDescription

// The minimum that a package needs to run charts: one dependency, one product and one plugin.

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
    name: "traffic-light",
    products: [
        .library(name: "TrafficLight", targets: ["TrafficLight"]),
        .executable(name: "trafficlight", targets: ["Timeline"]),
    ],
    dependencies: [
        // From another repository: .package(url: "https://github.com/OWNER/bracketd", from: "VERSION")
        .package(name: "bracketd", path: "../..")
    ],
    targets: [
        .target(
            name: "TrafficLight",
            dependencies: [.product(name: "Statecharts", package: "bracketd")],
            swiftSettings: settings,
            plugins: [.plugin(name: "ChartPlugin", package: "bracketd")]
        ),
        .executableTarget(name: "Timeline", dependencies: ["TrafficLight"], swiftSettings: settings),
        .testTarget(
            name: "TrafficLightTests",
            dependencies: ["TrafficLight", .product(name: "SCXML", package: "bracketd")],
            swiftSettings: settings
        ),
    ]
)
