// swift-tools-version: 6.1
import PackageDescription

// The house, from the ground up: each target imports only what stands below it. See docs/architecture.md.

// Where `./test --fuzz` asks for it, and only there, all is built with libFuzzer's counters. See docs/fuzzing.md.
let isFuzzing = Context.environment["BRACKETD_FUZZ"] != nil

// How C++ is built for that: what the language leaves undefined is a trap, without a library of its own.
let strictly = ["-fsanitize=fuzzer-no-link,undefined", "-fsanitize-trap=undefined"]

// `BRACKETD_TESTS=ControllerTests,WorldTests swift test` builds these test targets alone: shorter builds while working.
let wantedTests = Context.environment["BRACKETD_TESTS"].map { Set($0.split(separator: ",").map(String.init)) }

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])] : [])

// The table of the functions of libraries is filled before the program starts, and is read-only from then on.
let hardened: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"],
        .when(platforms: [.linux])
    )
]

// What an ordinary link leaves in memory for nothing: relocations of 24 bytes each, which are read once (packed they take
// a hundredth), and a table of every symbol, which nobody looks up. See docs/adr/0019.
let lean: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
        .when(platforms: [.linux], configuration: .release)
    )
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let ground: [Target] = [
    .target(name: "Statecharts", swiftSettings: settings),
    .target(name: "SCXML", dependencies: ["Statecharts"], swiftSettings: settings),
    // Where text from outside becomes printable.
    .target(name: "PrintableText", swiftSettings: settings),
    .target(name: "Exposure", dependencies: ["PrintableText"], swiftSettings: settings),
    .target(name: "PTP", dependencies: ["PrintableText", nioCore], swiftSettings: settings),
    .target(name: "CLinux"),
    // The reader of TOML: toml++, whose headers come from libtomlplusplus-dev. See docs/adr/0023 and 0026.
    .target(name: "CTOML", cxxSettings: isFuzzing ? [.unsafeFlags(strictly)] : []),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    // The language of interfaces, and what compiles interfaces to Swift when the package is built.
    .target(name: "VarlinkIDL", swiftSettings: settings),
    .executableTarget(
        name: "varlinkc",
        dependencies: ["VarlinkIDL"] + (isFuzzing ? ["UncountedCoverage"] : []),
        swiftSettings: settings
    ),
    .plugin(name: "InterfacePlugin", capability: .buildTool(), dependencies: ["varlinkc"]),
    // The compiler of charts, and the build step that runs it.
    .executableTarget(
        name: "chartc",
        dependencies: ["SCXML"] + (isFuzzing ? ["UncountedCoverage"] : []),
        swiftSettings: settings
    ),
    .plugin(name: "ChartPlugin", capability: .buildTool(), dependencies: ["chartc"]),
    // The same for pictures of charts: a program that shows them needs nothing of SCXML.
    .plugin(name: "ChartPicturePlugin", capability: .buildTool(), dependencies: ["chartc"]),
]

let core: [Target] = [
    .target(
        name: "Cameras",
        dependencies: ["PTP", "Exposure", "PrintableText", nioCore],
        swiftSettings: settings
    ),
    .target(
        name: "Controller",
        dependencies: ["Cameras", "Exposure", "Statecharts", nioCore],
        swiftSettings: settings,
        plugins: ["ChartPlugin"]
    ),
    // What passes the queue as bytes, and from bytes through the core once more.
    .target(
        name: "Flight",
        dependencies: ["Cameras", "Controller", "Exposure", "PTP", nioCore],
        swiftSettings: settings
    ),
    // Simulated bodies with their faults, and nothing of the daemon.
    .target(name: "Bodies", dependencies: ["Cameras", "Exposure", "PTP", nioCore], swiftSettings: settings),
    // The daemon's core among simulated bodies, on a virtual network, disk and clock.
    .target(
        name: "Worlds",
        dependencies: ["Bodies", "Cameras", "Controller", "Exposure", "PTP", nioCore],
        swiftSettings: settings
    ),
]

let edges: [Target] = [
    // How programs write: what cannot be written is an error.
    .target(name: "ProgramOutput", dependencies: [arguments], swiftSettings: settings),
    .target(
        name: "Varlink",
        dependencies: ["PrintableText", "VarlinkIDL", nioCore, nioPosix],
        swiftSettings: settings
    ),
    // What the daemon can be asked and what it answers: io.bracketd, compiled to Swift, and the core's types as those.
    .target(
        name: "Interface",
        dependencies: ["Cameras", "Controller", "Exposure", "PrintableText", "Varlink"],
        exclude: ["io.bracketd.varlink"],
        swiftSettings: settings,
        plugins: ["InterfacePlugin"]
    ),
    .target(
        name: "Ledger",
        dependencies: [
            "CSQLite", "Controller", "Exposure", "PrintableText", .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: settings
    ),
    // Has a file that comes from outside read by bracketd-exif: for the daemon and for the client.
    .target(name: "PictureReader", dependencies: ["CLinux", "Controller"], swiftSettings: settings),
    .target(
        name: "Host",
        dependencies: [
            "Cameras", "CLinux", "Controller", "CSystemd", "CTOML", "Exposure", "Flight", "Interface", "Ledger",
            "PictureReader", "PrintableText", "Varlink", nioCore, nioHTTP, nioPosix,
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: settings
    ),
]

let programs: [Target] = [
    .executableTarget(
        name: "bracketd",
        dependencies: ["Controller", "Host", "ProgramOutput", arguments],
        swiftSettings: settings,
        linkerSettings: hardened + lean
    ),
    // Reads what a picture's file says of itself, so that a hostile file meets a process that may do nothing.
    .executableTarget(
        name: "bracketd-exif",
        dependencies: ["CExif", "CLinux"],
        swiftSettings: settings,
        linkerSettings: hardened
    ),
    .executableTarget(
        name: "bracketctl",
        dependencies: [
            "Controller", "Exposure", "Flight", "Interface", "PictureReader", "PrintableText", "ProgramOutput",
            "Varlink", arguments,
        ],
        swiftSettings: settings,
        linkerSettings: hardened,
        plugins: ["ChartPicturePlugin"]
    ),
    .executableTarget(
        name: "camerasim",
        dependencies: [
            "Bodies", "Cameras", "CLinux", "Exposure", "PTP", "ProgramOutput", nioCore, nioHTTP, nioPosix,
            arguments,
        ],
        swiftSettings: settings,
        linkerSettings: hardened
    ),
    .executableTarget(
        name: "bracketsim",
        dependencies: [
            "Bodies", "Cameras", "Controller", "Exposure", "Interface", "ProgramOutput", "Varlink", "Worlds", nioCore,
            arguments,
        ],
        swiftSettings: settings
    ),
    // Not in Sources/scxml: on a disk that ignores case that is Sources/SCXML.
    .executableTarget(
        name: "scxml",
        dependencies: ["SCXML", "ProgramOutput", arguments],
        path: "Sources/scxml-tool",
        swiftSettings: settings
    ),
    // Measured by Benchmarks/run: another package could not see the planner.
    .executableTarget(
        name: "planbench",
        dependencies: ["Exposure"],
        path: "Benchmarks/Planner",
        swiftSettings: settings
    ),
    // The same for what takes pictures: the daemon's links and its store, with a core that does nothing else.
    .executableTarget(
        name: "downloadbench",
        dependencies: ["Cameras", "Controller", "Host", nioCore],
        path: "Benchmarks/Download",
        swiftSettings: settings
    ),
    // What the flight recorder costs: simulated shoots, with it and without.
    .executableTarget(
        name: "flightbench",
        dependencies: ["Bodies", "Cameras", "Controller", "Flight", "Worlds", nioCore],
        path: "Benchmarks/Flight",
        swiftSettings: settings
    ),
    // The daemon with a button whose edges come from a socket: how long it takes from there to the shutter.
    .executableTarget(
        name: "buttonbench",
        dependencies: ["CLinux", "Host"],
        path: "Benchmarks/Button",
        swiftSettings: settings,
        linkerSettings: lean
    ),
    // The daemon with a core that gets stuck, which systemd is to kill: for the rig. Neither a product nor packaged.
    .executableTarget(
        name: "stuckd",
        dependencies: ["Cameras", "Controller", "Host"],
        path: "Tests/Rig/StuckDaemon",
        swiftSettings: settings,
        linkerSettings: lean
    ),
    // Commits as a shoot does, for tests that end it in the middle.
    .executableTarget(
        name: "ledgerload",
        dependencies: ["Controller", "Exposure", "Ledger"],
        path: "Benchmarks/Ledger",
        swiftSettings: settings
    ),
]

let tests: [Target] = [
    .testTarget(name: "StatechartsTests", dependencies: ["Statecharts", "SCXML"], swiftSettings: settings),
    .testTarget(
        name: "SCXMLTests",
        dependencies: ["Statecharts", "SCXML"],
        exclude: ["Charts", "Conformance", "Fixtures"],
        swiftSettings: settings,
        plugins: ["ChartPlugin"]
    ),
    .testTarget(name: "ScxmlToolTests", dependencies: ["scxml"], swiftSettings: settings),
    .testTarget(
        name: "ProgramOutputTests",
        dependencies: [
            "ProgramOutput",
            // Programs that the tests run.
            "bracketctl", "bracketd", "bracketsim", "camerasim", "scxml",
        ],
        swiftSettings: settings
    ),
    .testTarget(name: "PrintableTextTests", dependencies: ["PrintableText"], swiftSettings: settings),
    .testTarget(name: "ExposureTests", dependencies: ["Exposure"], swiftSettings: settings),
    .testTarget(name: "PTPTests", dependencies: ["PTP", nioCore], exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
        name: "CamerasTests",
        dependencies: ["Cameras", "PTP", "Exposure", nioCore],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "ControllerTests",
        dependencies: ["Bodies", "Controller", "Cameras", "Exposure", "SCXML", "Statecharts", "Worlds"],
        exclude: ["Golden"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "BodiesTests",
        dependencies: ["Bodies", "Cameras", "PTP", "Exposure", nioCore],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "WorldTests",
        dependencies: ["Bodies", "Cameras", "Controller", "Exposure", "Worlds"],
        swiftSettings: settings
    ),
    // Makers that exist in tests only: nothing outside of their folders knows them.
    .testTarget(
        name: "MakerTests",
        dependencies: ["Bodies", "Cameras", "Controller", "Exposure", "Flight", "PTP", "Worlds", nioCore],
        swiftSettings: settings
    ),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink", nioCore, nioPosix], swiftSettings: settings),
    .testTarget(
        name: "InterfaceTests",
        dependencies: ["Interface", "Cameras", "Controller", "Exposure", "Varlink"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "FlightTests",
        dependencies: ["Bodies", "Flight", "Cameras", "Controller", "Exposure", "PTP", "Worlds", nioCore],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "LedgerTests",
        dependencies: [
            "Ledger", "Controller", "Exposure", .product(name: "GRDB", package: "GRDB.swift"),
            // A file system of SQLite that fails once.
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "HostTests",
        dependencies: [
            "Host", "CLinux", "Controller", "Cameras", "Exposure", "Flight", "Interface", "Ledger", "PictureReader",
            "Varlink",
            nioCore, nioPosix,
            // Programs that the tests run.
            "bracketd-exif", "downloadbench", "ledgerload",
            .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "Logging", package: "swift-log"),
        ],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "BracketdTests",
        dependencies: ["bracketd", "bracketd-exif", "Host", "Varlink"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "CamerasimTests",
        dependencies: ["Bodies", "camerasim", "PTP", nioCore],
        swiftSettings: settings
    ),
    .testTarget(
        name: "BracketctlTests",
        dependencies: [
            "bracketctl", "Cameras", "Controller", "Exposure", "Flight", "Interface", "Ledger", "SCXML", "Varlink",
            nioCore, nioPosix,
            // Programs that the tests run.
            "bracketd", "bracketd-exif", "camerasim", "ledgerload",
        ],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    // Real processes: everything that runs has to be built.
    .testTarget(
        name: "EndToEndTests",
        dependencies: ["bracketd", "bracketd-exif", "bracketctl", "camerasim"],
        exclude: ["foreign_client.py", "noise.py"],
        swiftSettings: settings
    ),
    // Programs that are not ours, from Debian, on simulated bodies: ./test installs them.
    .testTarget(
        name: "ForeignTests",
        dependencies: ["bracketd", "bracketctl", "camerasim", "PTP", nioCore, nioPosix],
        swiftSettings: settings
    ),
    // Users, units and texts for systemd, judged by systemd's own programs: ./test installs them.
    .testTarget(
        name: "DeployTests",
        dependencies: [
            "Controller", "Host",
            // The programs that are installed.
            "bracketctl", "bracketd", "bracketd-exif", "camerasim",
        ],
        swiftSettings: settings
    ),
    .testTarget(name: "TidyTests", swiftSettings: settings),
]

let fuzzed: [Target.Dependency] = [
    "Bodies", "CLinux", "Cameras", "Controller", "Exposure", "Flight", "Host", "Interface", "Ledger", "PTP",
    "PictureReader", "SCXML", "Varlink", "Worlds", nioCore,
    .product(name: "NIOEmbedded", package: "swift-nio"),
]

let notFuzzed = ["corpus", "dictionaries", "run"]

// What is fuzzed is a function of bytes per target. A test runs them over the inputs that are checked in, ...
let corpusTests: [Target] = [
    .testTarget(
        name: "FuzzTests",
        dependencies: fuzzed,
        path: "Fuzz",
        exclude: notFuzzed + ["Driver", "Uncounted"],
        sources: ["Targets", "Tests"],
        swiftSettings: settings
    )
]

// ... and libFuzzer over those that it makes up.
let fuzzing: [Target] = [
    .executableTarget(
        name: "fuzz",
        dependencies: fuzzed,
        path: "Fuzz",
        exclude: notFuzzed + ["Tests", "Uncounted"],
        sources: ["Targets", "Driver"],
        swiftSettings: settings,
        // The linker that is taken otherwise cannot read what the library has for debuggers.
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
    ),
    // For the compiler of charts, which is built with the counters as well and has nobody who reads them.
    .target(name: "UncountedCoverage", path: "Fuzz/Uncounted"),
]

let products: [Product] = [
    .library(name: "Statecharts", targets: ["Statecharts"]),
    .library(name: "SCXML", targets: ["SCXML"]),
    .plugin(name: "ChartPlugin", targets: ["ChartPlugin"]),
    .executable(name: "bracketd", targets: ["bracketd"]),
    .executable(name: "bracketd-exif", targets: ["bracketd-exif"]),
    .executable(name: "bracketctl", targets: ["bracketctl"]),
    .executable(name: "camerasim", targets: ["camerasim"]),
    .executable(name: "scxml", targets: ["scxml"]),
]

let package = Package(
    name: "bracketd",
    products: isFuzzing ? [] : products,
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: ground + core + edges
        + (isFuzzing ? fuzzing : programs + (tests + corpusTests).filter { wantedTests?.contains($0.name) ?? true }),
    cxxLanguageStandard: .cxx17
)
