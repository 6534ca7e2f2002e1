import Cameras
import Exposure

/// The settings of a simulated body before a test; nil keeps the model's own.
package struct BodyOptions: Sendable {
    /// nil: the model's own; otherwise see ``isSerial(_:)``.
    package var serial: String?
    /// Whether its names contain sequences that control terminals and forge log lines.
    package var hasHostileNames = false
    package var mode = DialMode.manual
    /// The speeds that can be set, in the body's order (slow to fast).
    package var speeds: [ShutterSpeed]?
    /// −1 (unknown) to 100.
    package var batteryPercent: Int?
    /// The number of pictures that still fit on the card.
    package var shotsLeft: Int?
    package var saveTime: Duration?
    package var readbackDelay: Duration?
    package var slotHold: Duration?
    package var saveTarget: BodySaveTarget?
    /// The files of a picture.
    package var fileFormat: BodyFileFormat?
    /// Long-exposure noise reduction: a dark frame as long as the exposure, from 1 s on.
    package var noiseReduction = false
    /// The size of each file in bytes; nil: as small as the scene allows, or as the model sets it.
    package var pictureSize: Int?
    /// Whether files have the size of a real body of the model.
    package var filesHaveRealSize = false
    /// The delay of everything that is sent to the initiator, including closes.
    package var latency = Duration.zero
    /// How many unsent bytes may wait for the network before the body sends no more of a file. The network then reports
    /// what it has accepted. nil: everything is sent at once.
    package var sendWindow: Int?
    package var faults: [Fault] = []

    package init() {}

    /// The most characters of a serial number; real bodies have 32.
    package static let serialLengthMax = 64

    /// Whether this can be a serial number: ASCII letters and digits, and not only zeros: a driver ignores a number of
    /// zeros.
    package static func isSerial(_ text: String) -> Bool {
        (1...serialLengthMax).contains(text.utf8.count) && text.contains { $0 != "0" }
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// The pace of files in bytes per second; nil: no limit.
    var pace: Int? { ActiveFaults(faults).first { if case .slowTransfer(let bytes) = $0 { bytes } else { nil } } }
}

package enum BodySaveTarget: String, CaseIterable, Sendable {
    case host, card, both
}

package enum BodyFileFormat: String, CaseIterable, Sendable {
    case jpeg, raw, rawAndJPEG
}
