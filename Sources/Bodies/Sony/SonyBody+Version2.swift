import Cameras
import NIOCore
import PTP

/// A version 3 body for an initiator that requests version 2, as libgphoto2 up to 2.5.30 does. The body then uses
/// version 2 for the session (an A7R V answers 0x00C8 to 0x00C8: gphoto2#641). It lists the same properties as a dump
/// of a real body (`SonyProfile`).
extension SonyBody {
    /// The version in the body's answer. The request 0, or no parameter, accepts any version.
    func sessionVersion(asked: UInt32?) -> SonyExtensionVersion {
        guard let asked, asked > 0, asked < SonyExtensionVersion.version3.rawValue else { return model.version }
        return .version2
    }

    /// Whether the session has an older version than the body.
    private var usesOlderVersion: Bool { version != model.version }

    /// The records of 0x9209 in the session's version.
    var sessionRecords: [SonyPropertyRecord] {
        guard usesOlderVersion else { return sheet.records }
        let rows = SonyProfile.rows(model.profile) { $0 == .compressionSetting ? quality : sheet[$0] }
            .map(withOwnSpeeds)
        let codes = Set(rows.map(\.code)).union(Self.inCompression)
        return rows + sheet.records.filter { !codes.contains($0.code) }.map(SonyPropertyTable.inVersion2)
    }

    /// The dataset of 0x9209 in the session's version.
    ///
    /// - Parameter onlyChanges: Whether to return only changes since the last answer of this session (PTP 3 p.121).
    ///   The first answer always contains all properties.
    mutating func sessionDataset(onlyChanges: Bool) -> ByteBuffer {
        defer { reportedChanges = sheet.changeCount }
        if onlyChanges, let reportedChanges {
            let changed = sheet.codes(changedSince: reportedChanges)
            let records = sessionRecords.filter { record in
                let own = SonyProfile.original(of: record.code) ?? record.code
                if own == .compressionSetting, usesOlderVersion { return !changed.isDisjoint(with: Self.inCompression) }
                return changed.contains(own) || changed.contains(record.code)
            }
            return SonyPropertyDataset(records: records).encoded(version: version)
        }
        guard usesOlderVersion else { return sheet.encoded(version: version) }
        return SonyPropertyDataset(records: sessionRecords).encoded(version: version)
    }

    /// The property of this body for a code of the session's version. For an absolute property of version 2
    /// this is the original property.
    func ownProperty(_ code: PropertyCode) -> PropertyCode {
        guard version == .version2, let own = SonyProfile.original(of: code) else { return code }
        if usesOlderVersion { return model.profile.place(of: code) == nil ? code : own }
        return sheet[code] == nil || speedProperties.contains(code) ? code : own
    }

    /// The values that 0x9207 steps through; nil for a property without notches. A positive step goes towards the end.
    func stepScale(of code: PropertyCode) -> [Int64]? {
        guard usesOlderVersion else { return model.stepping?.values(of: code) }
        switch code {
        case .sonyShutterSpeed: return offeredSpeeds.map { Int64($0.rawValue) }
        case .fNumber, .exposureBiasCompensation, .sonyISO:
            return sheet[code].map { $0.supportedValues.compactMap(\.integer).sorted() }
        default: return nil
        }
    }

    /// The two properties of version 3 that 0x5004 combines.
    private static let inCompression: Set<PropertyCode> = [.sonyFileFormat, .sonyJPEGQuality]

    /// Property 0x5004, from two properties of version 3. Without 0x5004 libgphoto2 does not release the shutter.
    private var quality: SonyPropertyRecord? {
        let number = { (code: PropertyCode) in sheet.integer(code).flatMap(UInt8.init(exactly:)) ?? 0 }
        let format = SonyFileFormat(rawValue: number(.sonyFileFormat))
        let quality = SonyJPEGQuality(rawValue: number(.sonyJPEGQuality))
        return SonyCompression(format, quality).map {
            SonyPropertyRecord(code: .compressionSetting, defaultValue: .uint8(2), currentValue: .uint8($0.rawValue))
        }
    }

    /// The values of the version 3 properties after a write of 0x5004.
    func ownValues(ofCompression value: PTPValue) -> [(PropertyCode, PTPValue)] {
        let compression = value.integer.flatMap(UInt8.init(exactly:)).map(SonyCompression.init(rawValue:))
        let format = compression?.format.map { (PropertyCode.sonyFileFormat, PTPValue.uint8($0.rawValue)) }
        let quality = compression?.quality.map { (PropertyCode.sonyJPEGQuality, PTPValue.uint8($0.rawValue)) }
        return [format, quality].compactMap { $0 }
    }

    /// Replaces the list of speeds by the body's list, which an option can have shortened.
    private func withOwnSpeeds(_ row: SonyPropertyRecord) -> SonyPropertyRecord {
        guard row.code == .sonyShutterSpeedVersion2 else { return row }
        var row = row
        row.setSettable(mode.speedIsSettable ? offeredSpeeds.map(\.value) : [])
        return row
    }
}
