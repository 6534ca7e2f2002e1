import CTOML
import Cameras
import Controller
import Varlink

extension Configuration {
    private static let fileSizeMax = ctoml_length_max

    /// Reads a configuration file (TOML 1.0).
    ///
    /// - Throws: an error with all faults, each with its line.
    package init(file: String, stateDirectory: String? = nil) throws(ConfigurationError) {
        func fault(_ message: String) -> ConfigurationError {
            ConfigurationError(file: file, faults: [.init(line: nil, message: message)])
        }
        let content: [UInt8]
        do {
            content = try readFile(file, sizeMax: Self.fileSizeMax)
        } catch {
            switch error {
            case .system(let error): throw fault(ConfigurationSentences.unreadable(error))
            case .tooLarge: throw fault(ConfigurationSentences.tooLarge(byteCountMax: Self.fileSizeMax))
            }
        }
        guard let text = String(validating: content, as: UTF8.self), !text.contains("\0") else {
            throw fault(ConfigurationSentences.notUTF8)
        }
        try self.init(text: text, file: file, stateDirectory: stateDirectory)
    }

    /// Whether the error is caused by a text without quotes, as in `address = 127.0.0.1:15740`.
    private static func isInBareText(_ error: TOMLError, of text: String) -> Bool {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard !error.isBound, let line = error.line, let column = error.column, lines.indices.contains(line - 1),
            let equals = lines[line - 1].firstIndex(of: "="),
            column > lines[line - 1][...equals].count
        else { return false }
        let value = lines[line - 1][equals...].dropFirst().drop { $0 == " " || $0 == "\t" }
        guard let first = value.first, first != "\r" else { return false }
        return !"\"'[{#".unicodeScalars.contains(first)
    }

    /// Reads the text of a configuration file. `file` is the file's name in messages.
    package init(text: String, file: String, stateDirectory: String? = nil) throws(ConfigurationError) {
        self.init(stateDirectory: stateDirectory)
        let root: TOMLValue
        do throws(TOMLError) {
            root = try TOMLValue(text: text)
        } catch {
            let isBare = Self.isInBareText(error, of: text)
            let message = isBare ? ConfigurationSentences.textWithoutQuotes(error.message) : error.message
            let fault = ConfigurationError.Fault(line: error.line, column: error.column, message: message)
            throw ConfigurationError(file: file, faults: [fault])
        }
        var reader = ConfigurationReader(root: root)
        reader.read(into: &self)
        guard reader.faults.isEmpty else {
            let faults = reader.faults.sorted { ($0.line ?? 0, $0.message) < ($1.line ?? 0, $1.message) }
            throw ConfigurationError(file: file, faults: faults)
        }
    }
}

struct ConfigurationReader {
    let root: TOMLValue
    var faults: [ConfigurationError.Fault] = []

    private static let sections: [(name: String, keys: [String])] = [
        ("socket", ["path"]), ("storage", ["directory"]), ("camera", ["address", "search", "interface", "scan-max"]),
        ("transfer", ["policy", "directory", "suspects"]), ("ledger", ["mode"]), ("preflight", ["skip"]),
        ("recovery", ["resume"]), ("flight", ["files", "size"]), ("button", buttonKeys), ("lamp", lampKeys),
        ("buzzer", lineKeys), ("plan", PlanKey.allCases.map(\.rawValue)),
    ]

    init(root: TOMLValue) {
        self.root = root
    }

    mutating func read(into configuration: inout Configuration) {
        for value in root.children {
            let name = value.key
            guard let section = Self.sections.first(where: { $0.name == name }) else {
                note([name], ConfigurationSentences.unknownSection(known: Self.sections.map(\.name)))
                continue
            }
            guard let table = value.table else {
                note([name], ConfigurationSentences.sectionWithoutTable(name, found: value.kind))
                continue
            }
            for value in table.children {
                read(value.key, value, of: section, into: &configuration)
            }
            // These checks concern several keys together.
            switch name {
            case "button": configuration.board.button.place = place(table, name)
            case "lamp": configuration.board.lamp.place = place(table, name)
            case "buzzer": configuration.board.buzzer.place = place(table, name)
            case "plan": configuration.plan = plan(table)
            default: break
            }
        }
        checkPlaces(configuration.board)
        // A configured path that equals the default path counts as not configured.
        if configuration.ownPicturesPath == Configuration.picturesPath(below: configuration.storagePath) {
            configuration.ownPicturesPath = nil
        }
        if configuration.ownSearchWays == configuration.usualSearchWays { configuration.ownSearchWays = nil }
    }

    private mutating func read(
        _ key: String,
        _ value: TOMLValue,
        of section: (name: String, keys: [String]),
        into configuration: inout Configuration
    ) {
        let path = [section.name, key]
        guard section.keys.contains(key) else {
            return note(path, ConfigurationSentences.unknownKey(of: section.name, known: section.keys))
        }
        switch section.name {
        case "button", "lamp", "buzzer": return readBoard(key, value, path, into: &configuration)
        case "plan":
            if key == PlanKey.strict.rawValue { configuration.planIsStrict = flag(value, path) ?? false }
            return
        default: break
        }
        if section.name == "preflight" { return configuration.skippedChecks = checkNames(value, path) }
        if path == ["camera", "search"] { return configuration.ownSearchWays = searchMethods(value, path) }
        if path == ["camera", "scan-max"] { return configuration.scanMax = scanMax(value, path) }
        if path == ["flight", "files"] { return configuration.flight.fileCountMax = fileCount(value, path) }
        if let text = string(value, path) { readText(text, path, into: &configuration) }
    }

    private mutating func readText(_ text: String, _ path: [String], into configuration: inout Configuration) {
        switch (path[0], path[1]) {
        case ("socket", "path"):
            if text.utf8.count > VarlinkClient.pathLengthMax {
                note(path, ConfigurationSentences.socketPathTooLong(byteCountMax: VarlinkClient.pathLengthMax))
            }
            configuration.socketPath = checkedPath(text, path)
        case ("storage", "directory"): configuration.storagePath = checkedPath(text, path)
        case ("transfer", "policy"):
            if let policy: TransferPolicy = word(text, path) { configuration.transfer.policy = policy }
        case ("transfer", "directory"): configuration.ownPicturesPath = checkedPath(text, path)
        case ("transfer", "suspects"):
            if let suspects: Configuration.SuspectPolicy = word(text, path) {
                configuration.transfer.firesSuspectsAgain = suspects == .fireAgain
            }
        case ("ledger", "mode"):
            if let mode: LedgerMode = word(text, path) { configuration.ledger = mode }
        case ("recovery", "resume"):
            if let resume: Configuration.Resume = word(text, path) {
                configuration.resumesByItself = resume == .byItself
            }
        case ("flight", "size"): configuration.flight.fileSize = fileSize(text, path)
        case ("camera", "interface"): configuration.searchInterface = interfaceName(text, path)
        default:
            switch CameraAddress.parse(text) {
            case .success(let address): configuration.cameraAddress = address
            case .failure(let fault): note(path, fault.reason)
            }
        }
    }

    /// Returns the string. For another type it notes a fault and returns nil.
    mutating func string(_ value: TOMLValue, _ path: [String]) -> String? {
        if value.string == nil { note(path, ConfigurationSentences.notString(found: value.kind)) }
        return value.string
    }

    mutating func flag(_ value: TOMLValue, _ path: [String]) -> Bool? {
        if value.bool == nil { note(path, ConfigurationSentences.notBoolean(found: value.kind)) }
        return value.bool
    }

    /// Returns the value if the key accepts it. Otherwise it notes a fault and returns nil.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String,
        _ path: [String]
    ) -> Word? {
        if let word = Word(rawValue: text) { return word }
        note(path, ConfigurationSentences.notOneOf(Word.allCases.map(\.rawValue), found: text))
        return nil
    }

    private mutating func checkNames(_ value: TOMLValue, _ path: [String]) -> Set<String> {
        let names = strings(value, path, example: ConfigurationSentences.exampleOfChecks)
        for name in names where !Preflight.names.contains(name) {
            note(path, ConfigurationSentences.unknownCheck(name, known: Preflight.names))
        }
        return Set(names)
    }

    private mutating func searchMethods(_ value: TOMLValue, _ path: [String]) -> Set<SearchMethod> {
        let words = SearchMethod.allCases.map(\.rawValue)
        let names = strings(value, path, example: ConfigurationSentences.exampleOfSearchMethods(words))
        for name in names where !words.contains(name) {
            note(path, ConfigurationSentences.unknownSearchMethod(name, known: words))
        }
        return Set(names.compactMap(SearchMethod.init))
    }

    private mutating func strings(
        _ value: TOMLValue,
        _ path: [String],
        example: String
    ) -> [String] {
        guard let array = value.array else {
            note(path, ConfigurationSentences.notStrings(found: value.kind, example: example))
            return []
        }
        return array.compactMap { element in
            if let text = element.string { return text }
            note(path, ConfigurationSentences.elementNotString(found: element.kind))
            return nil
        }
    }

    /// The longest interface name (netdevice(7), IFNAMSIZ without the terminating zero).
    private static let interfaceLengthMax = 15

    private mutating func interfaceName(_ text: String, _ path: [String]) -> String {
        let isName =
            (1...Self.interfaceLengthMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        if !isName { note(path, ConfigurationSentences.notInterfaceName(text)) }
        return text
    }

    private mutating func scanMax(_ value: TOMLValue, _ path: [String]) -> Int {
        let possible = SearchRules.scanCounts
        guard let count = value.int, possible.contains(count) else {
            note(path, ConfigurationSentences.notScanCount(value.int, value.kind, possible: possible))
            return SearchRules.scanMaxDefault
        }
        return count
    }

    private mutating func fileCount(_ value: TOMLValue, _ path: [String]) -> Int {
        let possible = FlightLimits.fileCounts
        guard let count = value.int, possible.contains(count) else {
            note(path, ConfigurationSentences.notFileCount(value.int, value.kind, max: possible.upperBound))
            return 0
        }
        return count
    }

    private mutating func fileSize(_ text: String, _ path: [String]) -> Int {
        let possible = FlightLimits.fileSizes
        guard let size = ByteCount.parse(text), possible.contains(size) else {
            note(path, ConfigurationSentences.notFileSize(text, possible: possible))
            return possible.lowerBound
        }
        return size
    }

    mutating func checkedPath(_ text: String, _ path: [String]) -> String {
        if !text.hasPrefix("/") { note(path, ConfigurationSentences.notAbsolutePath(text)) }
        if text.unicodeScalars.contains("\0") { note(path, ConfigurationSentences.pathWithZero) }
        return text
    }

    mutating func note(_ path: [String], _ message: String) {
        let line = root.nearest(path).line
        faults.append(.init(line: line, message: "\(path.joined(separator: ".")): \(message)"))
    }
}
