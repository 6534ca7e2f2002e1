// swift-tools-version: 6.1
import PackageDescription

// The targets, from the lowest layer up; each imports only lower ones. See docs/architecture.md.

// `./test --fuzz` builds everything with libFuzzer's counters. See docs/fuzzing.md.
let isFuzzing = Context.environment["BRACKETD_FUZZ"] != nil

// C++ for fuzzing: undefined behavior traps, without a runtime library.
let strictly = ["-fsanitize=fuzzer-no-link,undefined", "-fsanitize-trap=undefined"]

// `BRACKETD_TESTS=ControllerTests,WorldTests swift test` builds only these test targets.
let wantedTests = Context.environment["BRACKETD_TESTS"].map { Set($0.split(separator: ",").map(String.init)) }

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])] : [])

/// Flags for the compiler. SwiftPM permits none in a package that it fetched as a dependency of another.
func flags(_ flags: [String], _ configuration: BuildConfiguration) -> [SwiftSetting] {
    let isFetched = Context.packageDirectory.contains("/checkouts/")
    return isFetched || isFuzzing ? [] : [.unsafeFlags(flags, .when(configuration: configuration))]
}

// The pure targets. Tests run them for minutes without optimization, so a debug build optimizes them too. Assertions
// stay.
let pure = settings + flags(["-O", "-assert-config", "Debug"], .debug)

// The compiler of charts. SwiftPM compiles it twice for each release, and the release then uses it for a second.
let chartCompiler = pure + flags(["-Onone"], .release)

// The table of library functions is filled at program start and is read-only afterwards.
let hardened: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"],
        .when(platforms: [.linux])
    )
]

// Saves memory that an ordinary link wastes. Relocations take 24 bytes each and are read once (packed they take a
// hundredth). Nothing uses the table of all symbols. Constants stay read-only, by a script for the linker. Each program
// of a board has these settings. See docs/adr/0019, 0031 and 0035.
let lean: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=bfd", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
            "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/deploy/constants.ld",
        ],
        .when(platforms: [.linux], configuration: .release)
    )
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let ground: [Target] = [
    .target(name: "Statecharts", swiftSettings: pure),
    .target(name: "SCXML", dependencies: ["Statecharts"], swiftSettings: chartCompiler),
    // Makes text from outside printable.
    .target(name: "PrintableText", swiftSettings: pure),
    // Reads and writes JSON from outside, with limits.
    .target(name: "JSON", dependencies: ["PrintableText"], swiftSettings: pure),
    // A program with Exposure alone has no other library that brings the functions which round.
    .target(
        name: "Exposure",
        dependencies: ["PrintableText"],
        swiftSettings: pure,
        linkerSettings: [.linkedLibrary("m")]
    ),
    .target(name: "PTP", dependencies: ["PrintableText", nioCore], swiftSettings: pure),
    .target(name: "CLinux"),
    // The TOML reader: toml++, with the headers of libtomlplusplus-dev. See docs/adr/0023 and 0026.
    .target(name: "CTOML", cxxSettings: isFuzzing ? [.unsafeFlags(strictly)] : []),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // Decodes JPEG with libjpeg-turbo, whose errors must not cross Swift code. See docs/adr/0037.
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
    // The interface language, and its compiler to Swift, used when the package is built.
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
    // The build step for pictures of charts, so that a program that shows them does not need SCXML.
    .plugin(name: "ChartPicturePlugin", capability: .buildTool(), dependencies: ["chartc"]),
]

let core: [Target] = [
    .target(
        name: "Cameras",
        dependencies: ["PTP", "Exposure", "JSON", "PrintableText", nioCore],
        swiftSettings: pure
    ),
    .target(
        name: "Controller",
        dependencies: ["Cameras", "Exposure", "Statecharts", nioCore],
        swiftSettings: pure,
        plugins: ["ChartPlugin"]
    ),
    // The flight recorder: inputs as bytes, and their replay through the core.
    .target(
        name: "Flight",
        dependencies: ["Cameras", "Controller", "Exposure", "PTP", nioCore],
        swiftSettings: pure
    ),
    // Simulated bodies with faults, without the daemon.
    .target(name: "Bodies", dependencies: ["Cameras", "Exposure", "JSON", "PTP", nioCore], swiftSettings: pure),
    // The daemon's core among simulated bodies, on a virtual network, disk and clock.
    .target(
        name: "Worlds",
        dependencies: ["Bodies", "Cameras", "Controller", "Exposure", "PTP", nioCore],
        swiftSettings: pure
    ),
]

let edges: [Target] = [
    // The output of programs; a failed write is an error.
    .target(name: "ProgramOutput", swiftSettings: settings),
    // The run of a program whose arguments the argument parser reads. The daemon reads its own: see docs/adr/0033.
    .target(name: "ProgramCommands", dependencies: ["ProgramOutput", arguments], swiftSettings: settings),
    .target(
        name: "Varlink",
        dependencies: ["JSON", "PrintableText", "VarlinkIDL", nioCore, nioPosix],
        swiftSettings: settings
    ),
    // The requests and replies of io.bracketd, compiled to Swift, and their conversion to the core's types.
    .target(
        name: "Interface",
        dependencies: ["Cameras", "Controller", "Exposure", "PrintableText", "Varlink", nioCore],
        exclude: ["io.bracketd.varlink"],
        swiftSettings: settings,
        plugins: ["InterfacePlugin"]
    ),
    .target(
        name: "Ledger",
        dependencies: ["CSQLite", "Cameras", "Controller", "Exposure", "PrintableText"],
        swiftSettings: settings
    ),
    // Starts other programs, with limits.
    .target(name: "Processes", dependencies: ["CLinux"], swiftSettings: settings),
    // Reads an untrusted picture file with bracketd-exif, for the daemon and the client.
    .target(name: "PictureReader", dependencies: ["Controller", "Exposure", "Processes"], swiftSettings: settings),
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
        dependencies: ["Controller", "Host", "ProgramOutput"],
        swiftSettings: settings,
        linkerSettings: hardened + lean
    ),
    // Reads the metadata and the light of a picture in a process with minimal rights, because the file may be hostile.
    .executableTarget(
        name: "bracketd-exif",
        dependencies: ["CExif", "CJPEG", "CLinux"],
        swiftSettings: settings,
        linkerSettings: hardened + lean
    ),
    .executableTarget(
        name: "bracketctl",
        dependencies: [
            "Cameras", "CLinux", "Controller", "Exposure", "Flight", "Interface", "PictureReader", "PrintableText",
            "Processes", "ProgramCommands", "ProgramOutput", "Varlink", arguments,
        ],
        swiftSettings: settings,
        linkerSettings: hardened + lean,
        plugins: ["ChartPicturePlugin"]
    ),
    .executableTarget(
        name: "camerasim",
        dependencies: [
            "Bodies", "Cameras", "CLinux", "Exposure", "JSON", "PTP", "ProgramCommands", "ProgramOutput", nioCore,
            nioHTTP, nioPosix, arguments,
        ],
        swiftSettings: settings,
        linkerSettings: hardened + lean
    ),
    .executableTarget(
        name: "bracketsim",
        dependencies: [
            "Bodies", "Cameras", "Controller", "Exposure", "Interface", "ProgramCommands", "ProgramOutput", "Varlink",
            "Worlds", nioCore, arguments,
        ],
        swiftSettings: settings
    ),
    // Not in Sources/scxml, which is the same as Sources/SCXML on a disk that ignores case.
    .executableTarget(
        name: "scxml",
        dependencies: ["SCXML", "ProgramCommands", "ProgramOutput", arguments],
        path: "Sources/scxml-tool",
        swiftSettings: settings
    ),
    // Measured by Benchmarks/run: another package could not import the planner.
    .executableTarget(
        name: "planbench",
        dependencies: ["Exposure"],
        path: "Benchmarks/Planner",
        swiftSettings: settings
    ),
    // Measures downloads: the daemon's links and store with a core that does nothing else.
    .executableTarget(
        name: "downloadbench",
        dependencies: ["Cameras", "Controller", "Host", nioCore],
        path: "Benchmarks/Download",
        swiftSettings: settings
    ),
    // Measures the flight recorder: simulated shoots with and without it.
    .executableTarget(
        name: "flightbench",
        dependencies: ["Bodies", "Cameras", "Controller", "Flight", "Worlds", nioCore],
        path: "Benchmarks/Flight",
        swiftSettings: settings
    ),
    // Measures the time from the button to the shutter, in a daemon whose button edges come from a socket.
    .executableTarget(
        name: "buttonbench",
        dependencies: ["CLinux", "Host"],
        path: "Benchmarks/Button",
        swiftSettings: settings,
        linkerSettings: lean
    ),
    // A daemon whose core hangs, for the rig's test that systemd kills it. Neither a product nor packaged.
    .executableTarget(
        name: "stuckd",
        dependencies: ["Cameras", "Controller", "Host"],
        path: "Tests/Rig/StuckDaemon",
        swiftSettings: settings,
        linkerSettings: lean
    ),
    // Commits like a shoot, for tests that kill it in the middle.
    .executableTarget(
        name: "ledgerload",
        dependencies: ["Controller", "Exposure", "Ledger"],
        path: "Benchmarks/Ledger",
        swiftSettings: settings
    ),
    // All programs of a board, for deploy/build: a target that uses a program also links it.
    .target(
        name: "Board",
        dependencies: ["bracketctl", "bracketd", "bracketd-exif", "camerasim"],
        path: "deploy/Board",
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
        dependencies: ["Cameras", "JSON", "PTP", "Exposure", nioCore],
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
        dependencies: ["Bodies", "Cameras", "JSON", "PTP", "Exposure", nioCore],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "WorldTests",
        dependencies: ["Bodies", "Cameras", "Controller", "Exposure", "Worlds"],
        swiftSettings: settings
    ),
    // Makers that exist only in tests and only in their own directories.
    .testTarget(
        name: "MakerTests",
        dependencies: ["Bodies", "Cameras", "Controller", "Exposure", "Flight", "PTP", "Worlds", nioCore],
        swiftSettings: settings
    ),
    .testTarget(
        name: "SentenceTests",
        dependencies: [
            "bracketd", "Cameras", "camerasim", "Controller", "Exposure", "Flight", "Host", "Interface", "Ledger",
            "PictureReader", "Processes", "ProgramOutput", "PTP", "Varlink",
        ],
        exclude: ["Golden"],
        swiftSettings: settings
    ),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink", nioCore, nioPosix], swiftSettings: settings),
    .testTarget(
        name: "InterfaceTests",
        dependencies: ["Interface", "Cameras", "Controller", "Exposure", "Varlink", nioCore],
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
            "Ledger", "Cameras", "Controller", "Exposure",
            // A file system for SQLite that fails once.
            "CSQLite",
        ],
        exclude: ["Fixtures"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "HostTests",
        dependencies: [
            "Bodies", "Host", "CLinux", "Controller", "Cameras", "Exposure", "Flight", "Interface", "Ledger",
            "PictureReader",
            "Processes", "Varlink",
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
            "Bodies", "bracketctl", "Cameras", "Controller", "Exposure", "Flight", "Interface", "Ledger", "SCXML",
            "Varlink", nioCore, nioPosix,
            // Programs that the tests run.
            "bracketd", "bracketd-exif", "camerasim", "ledgerload",
        ],
        exclude: ["Fixtures", "Golden"],
        swiftSettings: settings
    ),
    // Tests with real processes, which need every program.
    .testTarget(
        name: "EndToEndTests",
        dependencies: ["bracketd", "bracketd-exif", "bracketctl", "camerasim"],
        exclude: ["foreign_client.py", "noise.py"],
        swiftSettings: settings
    ),
    // Independent programs from Debian on simulated bodies; ./test installs them.
    .testTarget(
        name: "ForeignTests",
        dependencies: ["bracketd", "bracketctl", "camerasim", "PTP", nioCore, nioPosix],
        exclude: ["sony_client.py"],
        swiftSettings: settings
    ),
    // Users, units and texts for systemd, checked with systemd's own programs; ./test installs them.
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
    "Bodies", "CLinux", "Cameras", "Controller", "Exposure", "Flight", "Host", "Interface", "JSON", "Ledger",
    "PTP", "PictureReader", "SCXML", "Varlink", "Worlds", nioCore,
    .product(name: "NIOEmbedded", package: "swift-nio"),
]

let notFuzzed = ["corpus", "dictionaries", "run"]

// Each fuzz target is a function of bytes. A test runs them on the checked-in inputs, …
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

// … and libFuzzer on generated ones.
let fuzzing: [Target] = [
    .executableTarget(
        name: "fuzz",
        dependencies: fuzzed,
        path: "Fuzz",
        exclude: notFuzzed + ["Tests", "Uncounted"],
        sources: ["Targets", "Driver"],
        swiftSettings: settings,
        // The default linker cannot read the library's debug information.
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
    ),
    // For the compiler of charts, which is also built with the counters but has no reader for them.
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
    ],
    targets: ground + core + edges
        + (isFuzzing ? fuzzing : programs + (tests + corpusTests).filter { wantedTests?.contains($0.name) ?? true }),
    cxxLanguageStandard: .cxx17
)
