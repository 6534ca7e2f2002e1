// swift-tools-version: 6.1
import PackageDescription

// What can be measured of the package from outside, through its public products: the statechart engine. The rest is
// measured by `run` and by the target `measure` of the package itself. See docs/benchmarks.md.

let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "bracketd", path: ".."),
        // Without its own counting of allocations: ours counts every way to the heap, and nothing else. See
        // docs/adr/0007.
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
                // The chart imports `Cameras`, a name that the daemon's own package has taken.
                .unsafeFlags(["-module-alias", "Cameras=CameraTypes"]),
            ],
            plugins: [
                .plugin(name: "ChartPlugin", package: "bracketd"),
                .plugin(name: "BenchmarkPlugin", package: "benchmark"),
            ]
        ),
        // The engine beside the same machine written by hand, on the same script of events.
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
        // The types that the shooting chart imports, in the shape that they have in the daemon.
        .target(name: "CameraTypes", swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(name: "CAllocations"),
    ]
)
