import Cameras
import Glibc

/// The file of the GUID by which cameras recognize this daemon. The GUID is made once from the system's random numbers
/// and kept in the storage directory.
package struct InitiatorFile: Sendable {
    package static let fileName = "initiator-guid"
    /// The new name of an unreadable file, so that its content is not lost.
    package static let damagedFileName = "initiator-guid.damaged"
    private static let temporaryFileName = ".initiator-guid.new"
    private static let sizeMax = 4096

    private let directory: StorageDirectory

    package init(directory: StorageDirectory) {
        self.directory = directory
    }

    /// Reads the GUID from the file, or creates one. A new GUID is stored durably when this returns.
    ///
    /// - Returns: the GUID, and a notice when the file existed but contained no valid GUID.
    package func readOrCreate() throws(StorageError) -> (guid: [UInt8], notice: String?) {
        directory.removeLeftover(Self.temporaryFileName)
        var notice: String?
        if let content = try directory.read(Self.fileName, sizeMax: Self.sizeMax) {
            if let guid = Self.guid(in: content) { return (guid, nil) }
            try directory.rename(Self.fileName, to: Self.damagedFileName)
            let path = "\(directory.path)/\(Self.fileName)"
            notice = DaemonSentences.guidDamaged(path, keptAs: Self.damagedFileName)
        }
        var generator = SystemRandomNumberGenerator()
        let guid = (0..<InitiatorIdentity.guidByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = guid.map { Self.hexadecimal($0) }.joined() + "\n"
        try directory.write(Array(text.utf8), to: Self.fileName, by: Self.temporaryFileName)
        return (guid, notice)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// Reads 32 hexadecimal digits and the line's end. Returns nil for any other content, and for a GUID of zeros,
    /// which an interrupted write can leave.
    private static func guid(in content: [UInt8]) -> [UInt8]? {
        guard content.count == 2 * InitiatorIdentity.guidByteCount + 1, content.last == UInt8(ascii: "\n") else {
            return nil
        }
        let guid = stride(from: 0, to: content.count - 1, by: 2).compactMap { index -> UInt8? in
            guard let high = digit(content[index]), let low = digit(content[index + 1]) else { return nil }
            return high << 4 | low
        }
        guard guid.count == InitiatorIdentity.guidByteCount, guid.contains(where: { $0 != 0 }) else { return nil }
        return guid
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
