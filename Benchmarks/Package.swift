// swift-tools-version: 6.1
import PackageDescription

// Benchmarks of the package's public products, that is, of the statechart engine. `run` and the package's own target
// `measure` cover the rest. See docs/benchmarks.md.

let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "bracketd", path: ".."),
        // Without traits: the package's own counting of allocations would change the heap. `CAllocations` counts them
        // instead. See docs/adr/0007.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Engine",
            dependencies: [
                "CAllocations",
                "CameraTypes",
                .product(name: "Statecharts", package: "bracketd"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Engine",
            exclude: ["Charts"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                // The chart imports `Cameras`, but the daemon's package already uses that name.
                .unsafeFlags(["-module-alias", "Cameras=CameraTypes"]),
            ],
            plugins: [
                .plugin(name: "ChartPlugin", package: "bracketd"),
                .plugin(name: "BenchmarkPlugin", package: "benchmark"),
            ]
        ),
        // The engine and the same machine written by hand. Both run the same script of events.
        .executableTarget(
            name: "Machines",
            dependencies: [
                "CameraTypes",
                .product(name: "Statecharts", package: "bracketd"),
                .product(name: "SCXML", package: "bracketd"),
            ],
            path: "Machines",
            exclude: ["Charts"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .unsafeFlags(["-module-alias", "Cameras=CameraTypes"]),
            ],
            plugins: [.plugin(name: "ChartPlugin", package: "bracketd")]
        ),
        // The types that the shooting chart imports. Their layout is that of the daemon's types.
        .target(name: "CameraTypes", swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(name: "CAllocations"),
    ]
)
