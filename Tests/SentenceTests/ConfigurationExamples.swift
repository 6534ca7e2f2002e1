import Glibc

@testable import Host

extension Examples {
    static let configuration: [String] =
        configurationFile + configurationKinds.map(ConfigurationSentences.notString) + configurationValues

    private static var configurationFile: [String] {
        [
            ConfigurationSentences.unreadable(SystemError(code: ENOENT)),
            ConfigurationSentences.tooLarge(byteCountMax: 65_536),
            ConfigurationSentences.notUTF8,
            ConfigurationSentences.textWithoutQuotes("no value of TOML is written like this"),
            ConfigurationSentences.unknownSection(known: ["socket", "storage", "camera"]),
            ConfigurationSentences.sectionWithoutTable("camera", found: .string),
            ConfigurationSentences.unknownKey(of: "camera", known: ["address", "search", "interface", "scan-max"]),
        ]
    }

    private static var configurationValues: [String] {
        [
            ConfigurationSentences.notBoolean(found: .integer),
            ConfigurationSentences.notOneOf(["none", "jpeg", "all"], found: "some"),
            ConfigurationSentences.unknownCheck("iso", known: ["link", "battery", "iso-auto"]),
            ConfigurationSentences.unknownSearchMethod("arp", known: ["ssdp", "scan"]),
            ConfigurationSentences.notStrings(found: .string, example: ConfigurationSentences.exampleOfChecks),
            ConfigurationSentences.notStrings(
                found: .string,
                example: ConfigurationSentences.exampleOfSearchMethods(["ssdp", "scan"])
            ),
            ConfigurationSentences.elementNotString(found: .integer),
            ConfigurationSentences.notInterfaceName("wlan0/1"),
            ConfigurationSentences.notScanCount(0, .integer, possible: 1...2048),
            ConfigurationSentences.notScanCount(nil, .string, possible: 1...2048),
            ConfigurationSentences.notFileCount(1000, .integer, max: 999),
            ConfigurationSentences.notFileCount(nil, .string, max: 999),
            ConfigurationSentences.notFileSize("1 KB", possible: 1_000_000...1_000_000_000),
            ConfigurationSentences.notAbsolutePath("pictures"),
            ConfigurationSentences.pathWithZero,
            ConfigurationSentences.socketPathTooLong(byteCountMax: 107),
            ConfigurationSentences.lineMissing,
            ConfigurationSentences.notLineNumber(5000, max: 4095),
            ConfigurationSentences.chipMissing,
            ConfigurationSentences.notLine(found: .boolean),
            ConfigurationSentences.notLineName("", byteCountMax: 31),
            ConfigurationSentences.lineInUse(by: "button"),
            ConfigurationSentences.notTime("5 minutes", possible: Duration.milliseconds(500) ... .seconds(30)),
            ConfigurationSentences.notFramesPerSet(found: .string),
            ConfigurationSentences.notSpacing(3.5, .float),
            ConfigurationSentences.notSpacing(nil, .string),
            ConfigurationSentences.noAddress(isSearching: true),
            ConfigurationSentences.noAddress(isSearching: false),
            ConfigurationSentences.everyInterface,
            ConfigurationSentences.noLine,
            ConfigurationSentences.noFile,
            ConfigurationSentences.readAgain(waiting: []),
            ConfigurationSentences.readAgain(waiting: ["[socket] path", "[flight] files, size"]),
            ConfigurationSentences.unchanged(
                ConfigurationError(
                    file: "/etc/bracketd/bracketd.toml",
                    faults: [.init(line: 4, column: nil, message: "camera.address: only IPv6 addresses have brackets")]
                )
            ),
        ]
    }

    private static var configurationKinds: [TOMLValue.Kind] {
        [.table, .array, .integer, .float, .boolean, .date, .time, .dateTime]
    }
}
