import Cameras
import Exposure

/// What a person sets on a simulated body before a test: nil leaves the model's own.
package struct BodyOptions: Sendable {
    /// nil: the model's own; else see ``isSerial(_:)``.
    package var serial: String?
    /// Whether its names steer terminals and forge log lines.
    package var hasHostileNames = false
    /// Where the mode dial stands.
    package var mode = DialMode.manual
    /// The speeds that can be set, in the body's order (slow to fast).
    package var speeds: [ShutterSpeed]?
    /// −1 (unknown) to 100.
    package var batteryPercent: Int?
    /// How many pictures the card still holds.
    package var shotsLeft: Int?
    package var saveTime: Duration?
    package var readbackDelay: Duration?
    package var slotHold: Duration?
    package var saveTarget: BodySaveTarget?
    /// Which files a picture becomes.
    package var fileFormat: BodyFileFormat?
    /// Long-exposure noise reduction: a dark frame as long as the exposure, from 1 s on.
    package var noiseReduction = false
    /// How large each file is, in bytes; nil: as small as the scene needs, or as the model makes it.
    package var pictureSize: Int?
    /// Whether files are as large as those of a real body of the model.
    package var filesHaveRealSize = false
    /// How much later than the body wants it everything to the initiator is sent, closes too.
    package var latency = Duration.zero
    /// How many bytes may wait for the network before files are sent no further; the network then reports what it has
    /// taken. nil: everything is sent at once.
    package var sendWindow: Int?
    package var faults: [Fault] = []

    package init() {}

    /// The most characters of a serial number; real bodies have 32.
    package static let serialLengthMax = 64

    /// Whether this can be a serial number: ASCII letters and digits, one at least that is no zero: a driver takes a
    /// number of zeros for none.
    package static func isSerial(_ text: String) -> Bool {
        (1...serialLengthMax).contains(text.utf8.count) && text.contains { $0 != "0" }
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Bytes per second that files are sent with; nil: as fast as they go.
    var pace: Int? { ActiveFaults(faults).first { if case .slowTransfer(let bytes) = $0 { bytes } else { nil } } }
}

/// Where a body puts its pictures.
package enum BodySaveTarget: String, CaseIterable, Sendable {
    case host, card, both
}

/// The files that a picture becomes.
package enum BodyFileFormat: String, CaseIterable, Sendable {
    case jpeg, raw, rawAndJPEG
}
