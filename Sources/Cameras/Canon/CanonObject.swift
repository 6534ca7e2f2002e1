import NIOCore
import PTP
import PrintableText

/// A file that the event list announces.
package struct CanonObject: Hashable, Sendable {
    /// Identifies the file. On most bodies it contains the number of the file, and in the low four bits its kind:
    /// 0 the group, 1 RAW, 2 JPEG.
    package var handle: UInt32
    /// nil: the record does not contain it.
    package var storage: UInt32?
    /// nil: the record does not contain it.
    package var format: UInt16?
    /// nil: the record does not contain it.
    package var byteCount: UInt64?
    /// The handle of the folder; nil: the record does not contain it.
    package var parent: UInt32?
    /// The common handle of all files of a picture; nil: the record does not contain it.
    package var group: UInt32?
    /// Can be empty.
    package var name: String
    /// The time of the picture in seconds by the body's clock; nil: the record does not contain it.
    package var takenAt: UInt32?

    /// The fields of a record, as offsets from the beginning of the record as in the sources. nil: the record does not
    /// have the field.
    struct Layout: Sendable {
        let type: CanonRecordType
        /// Whether the file is in the body's buffer, and the body waits for its transfer.
        let isInBuffer: Bool
        var storage: Int?
        var format: Int?
        var size: Int?
        var isWideSize = false
        var parent: Int?
        var group: Int?
        var name: Int?
        var time: Int?

        static let handle = 0x08

        /// Bytes of an 80D and an R6 Mark II prove the layout of `objectAdded64`. The others are from libgphoto2.
        static let table: [Self] = [
            Self(
                type: .objectAdded,
                isInBuffer: false,
                storage: 0x0C,
                format: 0x10,
                size: 0x1C,
                parent: 0x20,
                name: 0x28
            ),
            Self(
                type: .objectAdded64,
                isInBuffer: false,
                storage: 0x0C,
                format: 0x10,
                size: 0x1C,
                isWideSize: true,
                parent: 0x24,
                group: 0x28,
                name: 0x2C,
                time: 0x3C
            ),
            // No source has bytes of this record. GetObjectInfo supplies the missing fields.
            Self(type: .objectAddedLongName, isInBuffer: false),
            Self(type: .transferRequested, isInBuffer: true, format: 0x0C, size: 0x14, name: 0x1C),
            // libgphoto2 reads this record as the previous one. The 64-bit size moves the name, so the name is not
            // read: GetObjectInfo supplies it.
            Self(type: .transferRequested64, isInBuffer: true, format: 0x0C, size: 0x14),
            // From the bytes of an R5 Mark II that libgphoto2 quotes. libgphoto2 reads the group one byte later.
            Self(
                type: .transferRequestedLongName,
                isInBuffer: true,
                format: 0x0C,
                size: 0x14,
                isWideSize: true,
                group: 0x1C,
                name: 0x24
            ),
        ]
    }

    package init(
        handle: UInt32,
        storage: UInt32? = nil,
        format: UInt16? = nil,
        byteCount: UInt64? = nil,
        parent: UInt32? = nil,
        group: UInt32? = nil,
        name: String = "",
        takenAt: UInt32? = nil
    ) {
        self.handle = handle
        self.storage = storage
        self.format = format
        self.byteCount = byteCount
        self.parent = parent
        self.group = group
        self.name = name
        self.takenAt = takenAt
    }

    /// - Parameter body: the record without its size and type.
    /// - Throws: `DatasetError` if the record is shorter than its fields. The name and the time at its end may be
    ///   missing.
    init(_ body: ByteBuffer, _ layout: Layout) throws(DatasetError) {
        let fields = Fields(body: body)
        handle = try fields.integer(at: Layout.handle)
        storage = try fields.optionalInteger(at: layout.storage)
        format = try fields.optionalInteger(at: layout.format)
        if layout.isWideSize {
            byteCount = try fields.optionalInteger(at: layout.size)
        } else {
            let size: UInt32? = try fields.optionalInteger(at: layout.size)
            byteCount = size.map { UInt64($0) }
        }
        parent = try fields.optionalInteger(at: layout.parent)
        group = try fields.optionalInteger(at: layout.group)
        name = layout.name.map { Self.name(in: body, at: $0, before: layout.time) } ?? ""
        takenAt = layout.time.flatMap { fields.find($0) }
    }

    /// Reads numbers at the offsets of a record.
    private struct Fields {
        let body: ByteBuffer

        func integer<Number: FixedWidthInteger>(at offset: Int) throws(DatasetError) -> Number {
            guard let number: Number = find(offset) else {
                let size = MemoryLayout<Number>.size
                throw .truncated(field: "Record", needed: offset + size, left: body.readableBytes)
            }
            return number
        }

        func optionalInteger<Number: FixedWidthInteger>(at offset: Int?) throws(DatasetError) -> Number? {
            guard let offset else { return nil }
            let number: Number = try integer(at: offset)
            return number
        }

        func find<Number: FixedWidthInteger>(_ offset: Int) -> Number? {
            let index = body.readerIndex + offset - CanonEventList.headLength
            return body.getInteger(at: index, endianness: .little, as: Number.self)
        }
    }

    /// The ASCII text from an offset to the first 0, to another field or to the end of the record.
    private static func name(in body: ByteBuffer, at offset: Int, before end: Int?) -> String {
        let bytes = body.readableBytesView.dropFirst(offset - CanonEventList.headLength)
        let field = end.map { bytes.prefix($0 - offset) } ?? bytes.prefix(nameLengthMax)
        return PrintableText.clean(String(decoding: field.prefix { $0 != 0 }, as: UTF8.self))
    }

    private static let nameLengthMax = 255
}

extension CanonObject {
    /// The format of folders.
    private static let folder: UInt16 = 0x3001

    /// Whether the object can be a file of a picture.
    package var isFile: Bool { format != Self.folder }

    /// The common handle of the files of a picture. If the record has none, the kind in the handle is cleared: the low
    /// four bits, or on bodies as the R5 Mark II bits 6 to 9. UNSURE: one handle of such a body is known.
    package var groupHandle: UInt32 { group ?? handle & (handle & 0xF == 0 ? ~0x3FF : ~0xF) }

    /// Whether another record with the same handle is about another file, for example after a format of the card.
    func isOtherFile(than other: Self) -> Bool {
        func differ<Value: BinaryInteger>(_ own: Value?, _ others: Value?) -> Bool {
            guard let own, let others, own != 0, others != 0 else { return false }
            return own != others
        }
        return differ(takenAt, other.takenAt) || differ(byteCount, other.byteCount)
    }

    /// The kind of file; see ``PictureInfo/Kind/init(canonFormat:name:)``.
    package var kind: PictureInfo.Kind { PictureInfo.Kind(canonFormat: format ?? 0, name: name) }
}

extension PictureInfo.Kind {
    /// The format code decides: 0xB101 CRW, 0xB103 CR2, 0xB108 CR3. For an unknown code the file extension decides.
    package init(canonFormat format: UInt16, name: String) {
        switch format {
        case 0x3801: self = .jpeg
        case 0xB101, 0xB103, 0xB108: self = .raw
        default:
            let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
            switch ending {
            case "jpg", "jpeg": self = .jpeg
            case "hif": self = .heif
            case "crw", "cr2", "cr3": self = .raw
            default: self = .other
            }
        }
    }
}
