import Cameras
import Controller
import Testing

@testable import Host

private let sections = """
    [socket], [storage], [camera], [transfer], [ledger], [preflight], [recovery], [flight], [button], [lamp], \
    [buzzer], [plan]
    """

struct ConfigurationTests {
    @Test func `an empty file gives the defaults`() throws {
        let configuration = try Configuration(text: "", file: "c.toml")
        #expect(configuration == Configuration())
        #expect(configuration.socketPath == "/run/bracketd/io.bracketd")
        #expect(configuration.storagePath == "/var/lib/bracketd")
        #expect(configuration.cameraAddress == nil)
        #expect(configuration.search == SearchRules(ways: [.known, .ssdp, .scan]))
        #expect(configuration.transfer == TransferConfiguration(policy: .none, firesSuspectsAgain: false))
        #expect(configuration.picturesPath == "/var/lib/bracketd/pictures")
        #expect(configuration.ledger == .required)
        #expect(configuration.skippedChecks == [])
        #expect(!configuration.resumesByItself)
        #expect((configuration.flight.fileCountMax, configuration.flight.fileSize) == (8, 16_000_000))
    }

    @Test func `the service manager's state directory is the default for storage`() {
        #expect(Configuration(stateDirectory: "/srv/a:/srv/b").storagePath == "/srv/a")
        #expect(Configuration(stateDirectory: "").storagePath == "/var/lib/bracketd")
        #expect(Configuration(stateDirectory: "relative").storagePath == "/var/lib/bracketd")
    }

    @Test(arguments: [
        "[socket]\npath = \"/s\"\n[storage]\ndirectory = '/d'\n[camera]\naddress = \"cam:99\"\n",
        "socket.path = \"/s\"\nstorage = { directory = \"/d\" }\ncamera . address = \"cam:99\" # comment\n",
    ])
    func `every key is read in every notation`(text: String) throws {
        let configuration = try Configuration(text: text, file: "c.toml", stateDirectory: "/srv/a")
        #expect(configuration.socketPath == "/s")
        #expect(configuration.storagePath == "/d")
        #expect(configuration.cameraAddress == CameraAddress(host: "cam", port: 99))
    }

    @Test func `a printed configuration is read back unchanged`() throws {
        var configuration = Configuration()
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
        configuration.socketPath = "/a \"quoted\" \\ ü\n\u{7F}"
        configuration.storagePath = "/d"
        configuration.cameraAddress = CameraAddress(host: "fe80::1%wlan0", port: 1)
        configuration.transfer = TransferConfiguration(policy: .both, firesSuspectsAgain: true)
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
        configuration.ledger = .bestEffort
        configuration.skippedChecks = Set(Preflight.names)
        configuration.resumesByItself = true
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
        configuration.flight = FlightLimits(fileCountMax: 0, fileSize: 1_500_000)
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
        configuration.ownPicturesPath = "/mnt/disk"
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
    }

    private static let searches: [(lines: String, ways: Set<SearchMethod>, interface: String?)] = [
        ("", [.known, .ssdp, .scan], nil), ("address = \"cam\"", [], nil),
        ("address = \"cam\"\nsearch = [\"ssdp\"]", [.ssdp], nil), ("search = []", [], nil),
        ("search = [\"scan\", \"known\", \"scan\"]", [.known, .scan], nil),
        ("search = [\"known\", \"ssdp\", \"scan\"]\ninterface = \"wlan0\"", [.known, .ssdp, .scan], "wlan0"),
        ("interface = \"enx0123456789ab\"", [.known, .ssdp, .scan], "enx0123456789ab"),
    ]

    @Test(arguments: searches)
    func `the ways to search are read, and without an address they are all`(
        lines: String,
        ways: Set<SearchMethod>,
        interface: String?
    ) throws {
        let configuration = try Configuration(text: "[camera]\n\(lines)\n", file: "c.toml")
        #expect(configuration.search == SearchRules(ways: ways, interface: interface))
        // `printed` is the configuration as `bracketd --check` prints it, with every key.
        let printed = try Configuration(text: configuration.text, file: "c.toml")
        #expect(printed == configuration)
        #expect(printed.search == configuration.search)
    }

    private static let scanCounts: [(line: String, count: Int?)] = [
        ("", nil), ("scan-max = 254", nil), ("scan-max = 1022", 1022), ("scan-max = 1", 1),
    ]

    @Test(arguments: scanCounts)
    func `the number of addresses in a wave is read, and one network of 254 is the default`(
        line: String,
        count: Int?
    ) throws {
        let configuration = try Configuration(text: "[camera]\n\(line)\n", file: "c.toml")
        #expect(configuration.search.scanMax == count)
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
    }

    private static let searchFaults: [(line: String, message: String)] = [
        (
            "search = \"ssdp\"",
            "search: expected an array of strings, found a string; "
                + "write search = [\"known\", \"ssdp\", \"scan\"]"
        ),
        ("search = [\"known\", 5]", "search: expected an array of strings, found an integer in the array"),
        ("search = [\"SSDP\"]", "search: unknown search method \"SSDP\"; the methods are known, ssdp, scan"),
        ("interface = 1", "interface: expected a string, found an integer"),
        ("interface = \"\"", "interface: expected an interface name such as \"wlan0\", found \"\""),
        (
            "interface = \"wlan 0\"",
            "interface: expected an interface name such as \"wlan0\", found \"wlan 0\""
        ),
        (
            "interface = \"../wlan0\"",
            "interface: expected an interface name such as \"wlan0\", found \"../wlan0\""
        ),
        (
            "interface = \"wlan0\\u0000\"",
            "interface: expected an interface name such as \"wlan0\", found \"wlan0\0\""
        ),
        (
            "interface = \"wlan0123456789ab\"",
            "interface: expected an interface name such as \"wlan0\", found \"wlan0123456789ab\""
        ),
        ("scan-max = 0", "scan-max: expected a number of addresses from 1 to 2048, found 0"),
        ("scan-max = 2049", "scan-max: expected a number of addresses from 1 to 2048, found 2049"),
        ("scan-max = \"254\"", "scan-max: expected a number of addresses from 1 to 2048, found a string"),
        ("interfaces = []", "interfaces: unknown key; the keys of [camera] are address, search, interface, scan-max"),
    ]

    @Test(arguments: searchFaults)
    func `an invalid value in [camera] is reported with the valid ones`(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "[camera]\n\(line)\n", file: "c.toml")
        }
        #expect(error?.description == "c.toml:2: camera.\(message)")
    }

    @Test(arguments: [
        ("sokcet = 1", "c.toml:1: sokcet: unknown section; the sections are \(sections)"),
        ("\n[socket]\n\npth = \"/s\"", "c.toml:4: socket.pth: unknown key; the keys of [socket] are path"),
        ("[socket]\npath = 5", "c.toml:2: socket.path: expected a string, found an integer"),
        ("socket = \"/s\"", "c.toml:1: socket: expected a table, found a string; write [socket]"),
        ("[[camera]]", "c.toml:1: camera: expected a table, found an array; write [camera]"),
        ("[storage]\n\"directory\" = [1]", "c.toml:2: storage.directory: expected a string, found an array"),
        ("[storage]\ndirectory = 1979-05-27", "c.toml:2: storage.directory: expected a string, found a date"),
        (
            "storage.directory = 1.5",
            "c.toml:1: storage.directory: expected a string, found a floating-point number"
        ),
        (
            "x = 1\nstorage = { dir = true }",
            """
            c.toml:1: x: unknown section; the sections are \(sections)
            c.toml:2: storage.dir: unknown key; the keys of [storage] are directory
            """
        ),
        ("[socket]\npath = \"s\"", "c.toml:2: socket.path: expected an absolute path, found \"s\""),
        (
            "[camera]\naddress = \"\"",
            "c.toml:2: camera.address: expected HOST:PORT, found \"\": the host is missing"
        ),
    ])
    func `a wrong key or value is named with its line`(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ("none", TransferPolicy.none), ("jpeg", .jpeg), ("both", .both),
    ])
    func `the settings for pictures are read`(word: String, policy: TransferPolicy) throws {
        let text = "[transfer]\npolicy = \"\(word)\"\nsuspects = \"fire-again\"\n[storage]\ndirectory = \"/d\"\n"
        let configuration = try Configuration(text: text, file: "c.toml")
        #expect(configuration.transfer == TransferConfiguration(policy: policy, firesSuspectsAgain: true))
        #expect(configuration.picturesPath == "/d/pictures")
        let own = try Configuration(text: "transfer = { directory = '/mnt', suspects = 'keep' }", file: "c.toml")
        #expect(own.picturesPath == "/mnt")
        #expect(!own.transfer.firesSuspectsAgain)
    }

    @Test(arguments: [
        ("policy = \"raw\"", "policy: expected \"none\", \"jpeg\" or \"both\", found \"raw\""),
        ("policy = true", "policy: expected a string, found a boolean"),
        ("suspects = \"\"", "suspects: expected \"keep\" or \"fire-again\", found \"\""),
        ("directory = \"pictures\"", "directory: expected an absolute path, found \"pictures\""),
        ("folder = \"/p\"", "folder: unknown key; the keys of [transfer] are policy, directory, suspects"),
    ])
    func `an invalid value in [transfer] is reported with the valid ones`(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "[transfer]\n\(line)\n", file: "c.toml")
        }
        #expect(error?.description == "c.toml:2: transfer.\(message)")
    }

    @Test(arguments: [("required", LedgerMode.required), ("best-effort", .bestEffort), ("off", .off)])
    func `the settings for ledger, preflight and recovery are read`(word: String, mode: LedgerMode) throws {
        let text = """
            ledger = { mode = "\(word)" }
            preflight.skip = ["iso-auto", "ledger-space", "iso-auto"]
            recovery.resume = "by-itself"
            """
        let configuration = try Configuration(text: text, file: "c.toml")
        #expect(configuration.ledger == mode)
        #expect(configuration.skippedChecks == ["iso-auto", "ledger-space"])
        #expect(configuration.resumesByItself)
        let own = try Configuration(text: "[preflight]\nskip = []\n[recovery]\nresume = 'by-command'", file: "c.toml")
        #expect(own == Configuration())
    }

    @Test(arguments: [
        ("ledger.mode = \"on\"", "ledger.mode: expected \"required\", \"best-effort\" or \"off\", found \"on\""),
        ("ledger.mode = false", "ledger.mode: expected a string, found a boolean"),
        ("recovery.resume = \"\"", "recovery.resume: expected \"by-command\" or \"by-itself\", found \"\""),
        (
            "preflight.skip = \"iso-auto\"",
            "preflight.skip: expected an array of strings, found a string; write skip = [\"iso-auto\"]"
        ),
        (
            "preflight.skip = [\"link\", 5]",
            "preflight.skip: expected an array of strings, found an integer in the array"
        ),
        (
            "preflight.skip = [\"isoauto\"]",
            "preflight.skip: unknown check \"isoauto\"; the checks are \(Preflight.names.joined(separator: ", "))"
        ),
        ("preflight.skips = []", "preflight.skips: unknown key; the keys of [preflight] are skip"),
    ])
    func `invalid values for ledger, preflight and recovery are reported`(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: line, file: "c.toml") }
        #expect(error?.description == "c.toml:1: \(message)")
    }

    @Test(arguments: [
        ("", 8, 16_000_000), ("files = 0", 0, 16_000_000), ("files = 999\nsize = \"1 MB\"", 999, 1_000_000),
        ("size = \"1000KB\"", 8, 1_000_000), ("size = \"1gb\"", 8, 1_000_000_000), ("size = \"64  mb\"", 8, 64_000_000),
    ])
    func `the limits of the flight recorder are read`(lines: String, files: Int, size: Int) throws {
        let configuration = try Configuration(text: "[flight]\n\(lines)\n", file: "c.toml")
        #expect(configuration.flight == FlightLimits(fileCountMax: files, fileSize: size))
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
    }

    private static let fileCounts = "files: expected a number from 0 (no recording) to 999, found"
    private static let fileSizes = "size: expected a size from \"1 MB\" to \"1 GB\", found"

    @Test(arguments: [
        ("files = -1", "\(fileCounts) -1"), ("files = 1000", "\(fileCounts) 1000"),
        ("files = \"8\"", "\(fileCounts) a string"), ("files = 8.0", "\(fileCounts) a floating-point number"),
        ("size = 16", "size: expected a string, found an integer"), ("size = \"16\"", "\(fileSizes) \"16\""),
        ("size = \"999 KB\"", "\(fileSizes) \"999 KB\""), ("size = \"2 GB\"", "\(fileSizes) \"2 GB\""),
        ("size = \"-2 MB\"", "\(fileSizes) \"-2 MB\""), ("size = \"+2 MB\"", "\(fileSizes) \"+2 MB\""),
        ("size = \"1 6 MB\"", "\(fileSizes) \"1 6 MB\""), ("size = \"MB\"", "\(fileSizes) \"MB\""),
        ("size = \"9223372036854775807 GB\"", "\(fileSizes) \"9223372036854775807 GB\""),
        ("count = 3", "count: unknown key; the keys of [flight] are files, size"),
    ])
    func `an invalid value in [flight] is reported with the valid ones`(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "[flight]\n\(line)\n", file: "c.toml")
        }
        #expect(error?.description == "c.toml:2: flight.\(message)")
    }

    @Test func `all faults are reported at once, in the order of their lines`() {
        let text = """
            [camera]
            address = true
            adress = "cam"

            [socket]
            path = "/\(String(repeating: "x", count: 107))"
            mode = 432
            [sockets]
            """
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "/etc/b.toml") }
        #expect(
            error?.description == """
                /etc/b.toml:2: camera.address: expected a string, found a boolean
                /etc/b.toml:3: camera.adress: unknown key; the keys of [camera] are address, search, interface, scan-max
                /etc/b.toml:6: socket.path: the path is longer than the 107 bytes that the system allows
                /etc/b.toml:7: socket.mode: unknown key; the keys of [socket] are path
                /etc/b.toml:8: sockets: unknown section; the sections are \(sections)
                """
        )
    }

    @Test(arguments: ["[socket", "[socket]\npath = ", "[socket]\npath = \"/a\"\npath = \"/b\"", "a = \"\\u0000"])
    func `invalid TOML is refused with its line`(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        let lastLine = text.split(separator: "\n").count
        #expect(error?.faults.map(\.line) == [lastLine])
    }

    @Test(arguments: [
        "[&a]", "[ =]", "[[?]]", "[[[a]]]", "[\n", "[é]", "a = 1\n[.a]", "a = ['''x''''']\n[+1]",
        "a = \"\"\"\\\"\"\"\"\"\n\t[#", "a = { b = '[' }\n[\r", "\u{FEFF}[{}]", "b = 1 # \"\"\"\n['a'] # ]\n[,]",
    ])
    func `an invalid first character of a section's name is refused with its line`(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        let lastLine = text.split(separator: "\n").count
        #expect(error?.faults.map(\.line) == [lastLine])
        #expect(error?.description.contains("as in [camera]") == true)
    }

    @Test(arguments: ["a = [}", "a = { b = [1,\n}", "a = [\n[],\n# ]\n}]"])
    func `an array closed by a brace is refused with its line`(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.faults.map(\.line) == [text.split(separator: "\n").count])
        #expect(error?.description.contains("']' is expected here") == true)
    }

    @Test(arguments: [
        ("a = 1979-05-27T:", "an hour is expected"), ("a = [\n1979-05-27tp7:32:00Z", "an hour is expected"),
        // The parser does not accept this as a date.
        ("b = 'x'\na = { c = 1979-05-27T\n", "could not determine value type"),
    ])
    func `a date whose time has no hour is refused with its line`(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.faults.map(\.line) == [text.split(separator: "\n").count])
        #expect(error?.description.contains(message) == true)
    }

    @Test(arguments: [
        "[ledger]\nmode = \"required\" # [&]", "[preflight]\nskip = [\n  # [&]\n]", "[ \"ledger\" ]", "['ledger']\n",
    ])
    func `a text that resembles an invalid section is read`(text: String) throws {
        #expect(try Configuration(text: text, file: "c.toml") == Configuration())
    }

    @Test(arguments: [
        "x = [\n[{a = 1}],\n[+1], [\n]]", "x = \"\"\"\n[&]\n\"\"\"", "x = '''\\'''\nx2 = ['''\n[&]''']",
    ])
    func `brackets within a value are not a section`(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.faults.allSatisfy { $0.message.contains("unknown section; the sections are") } == true)
    }

    /// Texts that once caused a failed assertion, undefined behavior or too deep a recursion in the parser.
    private static let hostile: [(text: String, message: String)] = [
        (
            "# first\nx = 1979-05-27 0\n",
            "2:17: a date is expected as in 1979-05-27, or 1979-05-27 07:32:00 with a time; put text in quotes"
        ),
        // The parser detects this error in a function that cannot throw.
        (
            "x = 1\(String(repeating: "_", count: 117))979-05-27 07:32:00\n",
            "1:132: no value of TOML is written like this; put text in quotes"
        ),
        ("[socket]\npath = [\n}", "3:1: a value or ']' is expected here"),
        ("# é\n[é&]", "2:2: the name of a section is expected behind '[', as in [camera]"),
        ("x = 'é' 1979-05-27T:", "1:9: Error while parsing key-value pair: expected a comment or whitespace, saw '1'"),
        (
            "\u{FEFB} = 1",
            "1:1: Error while parsing root table: expected keys, tables, whitespace or comments, saw '\u{FEFB}'"
        ),
        (String(repeating: "a.", count: 2048) + "a.a = 1", "1:4098: more than 2048 dots"),
        ("x = " + String(repeating: "a.", count: 2049), "1:4102: more than 2048 dots"),
        (String(repeating: "#", count: 65_537), " larger than 65536 bytes"),
        (
            "a = " + String(repeating: "[", count: 40),
            "1:37: Error while parsing value: exceeded maximum nested value depth of 32 (TOML_MAX_NESTED_VALUES)"
        ),
    ]

    @Test(arguments: hostile)
    func `unexpected text is refused with its line and column`(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.description == "c.toml:\(message)")
    }

    @Test func `the deepest accepted table is freed again`() {
        let key = String(repeating: "a.", count: 2048) + "a"
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: "\(key) = 1", file: "c.toml") }
        #expect(error?.description == "c.toml:1: a: unknown section; the sections are \(sections)")
    }

    @Test func `each of many wrong keys is named with its line`() {
        let text = "[lamp]\n" + (0..<6000).map { "k\($0)=1\n" }.joined()
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.faults.map(\.line) == Array(2...6001))
    }

    @Test func `a path with U+0000 is refused and not cut`() {
        let text = """
            socket.path = "/a\\u0000b"
            storage.directory = "/a\\u0000b"
            transfer.directory = "/\\U00000000"
            lamp.chip = "/dev/gpiochip0\\u0000"
            lamp.line = 1
            """
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(
            error?.description == """
                c.toml:1: socket.path: a path cannot contain U+0000
                c.toml:2: storage.directory: a path cannot contain U+0000
                c.toml:3: transfer.directory: a path cannot contain U+0000
                c.toml:4: lamp.chip: a path cannot contain U+0000
                """
        )
    }

    @Test(arguments: ["127.0.0.1:15740", "camera:15740", "/run/x", "fe80::1"])
    func `a text without quotes gets advice about quotes`(value: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "[camera]\naddress = \(value)\n", file: "c.toml")
        }
        let fault = try #require(error?.faults.first)
        #expect(fault.line == 2)
        #expect(fault.message.hasSuffix("; put text in quotes"), "\(fault.message)")
    }

    @Test(arguments: ["a = \"x", "a = [1", "[a", "a ="])
    func `another fault gets no advice about quotes`(text: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "c.toml") }
        #expect(error?.description.contains("quotes") == false, "\(error?.description ?? "")")
    }

    @Test func `a file that cannot be read is named with the reason`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("c.toml")
        func message() -> String? {
            #expect(throws: ConfigurationError.self) { try Configuration(file: file) }?.description
        }
        #expect(message() == "\(file): the file cannot be read: No such file or directory")
        try directory.write(String(repeating: "#", count: 65_537), to: "c.toml")
        #expect(message() == "\(file): the file is larger than 65536 bytes, so it is not a configuration of bracketd")
        try directory.write("# \0", to: "c.toml")
        #expect(message() == "\(file): the file is not UTF-8 text")
        #expect(throws: ConfigurationError.self) { try Configuration(file: directory.path) }
        try directory.write("[socket]\npath = \"/s\"", to: "c.toml")
        #expect(try Configuration(file: file).socketPath == "/s")
    }

    @Test(arguments: [
        ("192.168.122.1", "192.168.122.1:15740"), ("cam:1", "cam:1"), ("cam.local:65535", "cam.local:65535"),
        ("[fe80::1%wlan0]:99", "[fe80::1%wlan0]:99"), ("[::1]", "[::1]:15740"),
    ])
    func `a camera's address is read`(text: String, address: String) throws {
        #expect(try CameraAddress.parse(text).get().description == address)
    }

    @Test(arguments: [
        ("", "the host is missing"), (":99", "the host is missing"),
        ("cam:", "the port must be a number from 1 to 65535"), ("cam:0", "the port must be a number from 1 to 65535"),
        ("cam:65536", "the port must be a number from 1 to 65535"),
        ("cam:+9", "the port must be a number from 1 to 65535"),
        ("cam:9x", "the port must be a number from 1 to 65535"),
        ("fe80::1", "write an IPv6 address in brackets, as in [fe80::1%wlan0]:15740"),
        ("[fe80::1", "']' is missing"), ("[fe80::1]x", "unexpected 'x' after the address"),
        ("[cam]:1", "only IPv6 addresses have brackets"),
        ("my cam:1", "the host has an invalid character"),
        ("cam/x:1", "the host has an invalid character"),
    ])
    func `an invalid address of a camera gives the reason`(text: String, reason: String) {
        let fault = #expect(throws: CameraAddressFault.self) { try CameraAddress.parse(text).get() }
        #expect(fault?.reason.hasSuffix(reason) == true, "\(fault?.reason ?? "")")
    }
}
