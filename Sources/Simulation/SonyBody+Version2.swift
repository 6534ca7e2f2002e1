import Cameras
import NIOCore
import PTP

/// What a body of version 3 does for an initiator that asks for version 2, as libgphoto2 up to 2.5.30 does: it speaks
/// version 2 for the session (an A7R V answers 0x00C8 to 0x00C8: gphoto2#641). How it lists its speeds then is taken
/// from a version 2 body, a ZV-E10 (libgphoto2#1068, #1165): of newer bodies there is no capture.
extension SonyBody {
    /// The generation that this body answers with. 0 or nothing asks for any.
    func spokenVersion(asked: UInt32?) -> SonyExtensionVersion {
        guard let asked, asked > 0, asked < SonyExtensionVersion.version3.rawValue else { return model.version }
        return .version2
    }

    /// Whether this body speaks an older version than its own.
    private var isSpeakingDown: Bool { version != model.version }

    /// The records of 0x9209 in the version of the session.
    var spokenRecords: [SonyPropertyRecord] {
        isSpeakingDown ? [Self.quality] + sheet.records.flatMap(Self.version2) : sheet.records
    }

    /// The dataset of 0x9209 in the version of the session.
    mutating func spokenDataset() -> ByteBuffer {
        guard isSpeakingDown else { return sheet.encoded(version: version) }
        return SonyPropertyDataset(records: spokenRecords).encoded(version: version)
    }

    /// The property of this body behind a code of the session's version.
    func ownProperty(_ code: PropertyCode) -> PropertyCode {
        isSpeakingDown && code == .sonyShutterSpeedVersion2 ? .sonyShutterSpeed : code
    }

    /// The values that 0x9207 steps through; nil where it does not. + is towards the end.
    func stepScale(of code: PropertyCode) -> [Int64]? {
        if isSpeakingDown, code == .sonyShutterSpeed { return offeredSpeeds.map { Int64($0.rawValue) } }
        return model.stepping?.values(of: code)
    }

    /// 0x5004: version 2 bodies have format and quality in one property; without it libgphoto2 does not release the
    /// shutter. Standard, fine, extra fine, RAW, RAW and JPEG.
    private static let quality = SonyPropertyRecord.list(
        0x5004,
        .uint8,
        .get,
        .displayOnly,
        default: 3,
        current: 3,
        settable: [2, 3, 4, 0x10, 0x13]
    ).withoutSupported

    /// One list in an enumeration, the low half of program and drive mode, and the speed twice: 0xD20D without its
    /// list, 0xD229 with it.
    private static func version2(_ record: SonyPropertyRecord) -> [SonyPropertyRecord] {
        switch record.code {
        case .exposureProgramMode, .stillCaptureMode: return [SonyPropertyTable.inVersion2(record)]
        case .sonyShutterSpeed:
            var steps = record
            steps.form = .range(min: .uint32(0), max: .uint32(.max), step: .uint32(1))
            var absolute = record.withoutSupported
            absolute.code = .sonyShutterSpeedVersion2
            return [steps, absolute]
        default: return [record.withoutSupported]
        }
    }
}
