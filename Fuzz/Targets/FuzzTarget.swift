/// The fuzzed functions. Each takes bytes and traps when a property does not hold. The caller limits time and memory.
enum FuzzTarget: String, CaseIterable, Sendable {
    case ptpInitiator = "ptp-initiator"
    case ptpResponder = "ptp-responder"
    case sonyDriver = "sony-driver"
    case canonDriver = "canon-driver"
    case nikonDriver = "nikon-driver"
    case sonyHTTPDriver = "sony-http-driver"
    case sonyHTTPReplies = "sony-http-replies"
    case sonyProperties = "sony-properties"
    case nikonDatasets = "nikon-datasets"
    case deviceInfo = "device-info"
    case ptpDatasets = "ptp-datasets"
    case ssdp
    case description
    case http
    case netlink
    case varlink
    case configuration
    case speeds
    case exposureReport = "exposure-report"
    case faults
    case scxml
    case scxmlRun = "scxml-run"
    case scxmlDraw = "scxml-draw"
    case expressions
    case flight
    case ledger

    /// The maximum length of a generated input, in bytes. Many readers accept more and check their own limit.
    var lengthMax: Int {
        switch self {
        case .speeds: 64
        case .faults, .ledger: 256
        case .exposureReport, .expressions: 1024
        case .deviceInfo, .ptpDatasets, .nikonDatasets: 2048
        case .ssdp: 4200
        case .ptpInitiator, .ptpResponder, .sonyDriver, .canonDriver, .nikonDriver, .sonyHTTPDriver, .sonyHTTPReplies,
            .sonyProperties, .netlink, .varlink, .configuration, .flight:
            8192
        case .scxml, .scxmlRun, .scxmlDraw: 4096
        // This is a little more than the longest accepted input.
        case .description, .http: 70_000
        }
    }

    func run(_ bytes: [UInt8]) {
        switch self {
        case .ptpInitiator: fuzzInitiator(bytes)
        case .ptpResponder: fuzzResponder(bytes)
        case .sonyDriver: fuzzSonyDriver(bytes)
        case .canonDriver: fuzzCanonDriver(bytes)
        case .nikonDriver: fuzzNikonDriver(bytes)
        case .sonyHTTPDriver: fuzzSonyHTTPDriver(bytes)
        case .sonyHTTPReplies: fuzzSonyHTTPReplies(bytes)
        case .sonyProperties: fuzzSonyProperties(bytes)
        case .nikonDatasets: fuzzNikonDatasets(bytes)
        case .deviceInfo: fuzzDeviceInfo(bytes)
        case .ptpDatasets: fuzzDatasets(bytes)
        case .ssdp: fuzzSSDP(bytes)
        case .description: fuzzDescription(bytes)
        case .http: fuzzHTTPAnswer(bytes)
        case .netlink: fuzzNetlink(bytes)
        case .varlink: fuzzVarlink(bytes)
        case .configuration: fuzzConfiguration(bytes)
        case .speeds: fuzzSpeeds(bytes)
        case .exposureReport: fuzzExposureReport(bytes)
        case .faults: fuzzFaults(bytes)
        case .scxml: fuzzChart(bytes)
        case .scxmlRun: fuzzChartRun(bytes)
        case .scxmlDraw: fuzzChartDrawing(bytes)
        case .expressions: fuzzExpressions(bytes)
        case .flight: fuzzFlight(bytes)
        case .ledger: fuzzLedger(bytes)
        }
    }
}

/// Checks a property in every build, with a message; `precondition` prints none in release builds.
func expect(_ holds: @autoclosure () -> Bool, _ what: @autoclosure () -> String) {
    if !holds() { fatalError(what()) }
}
