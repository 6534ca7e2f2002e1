import NIOCore

/// The dataset of GetObjectInfo (libgphoto2 ptp-pack.c `PTP_oi_*`).
package struct ObjectInfo: Hashable, Sendable {
    /// The slot in the high half, the partition in the low half.
    package var storageID: UInt32 = 0
    /// 0x3801 is a JPEG. Makers use one number for different formats (0xB101 is ARW on Sony, CRW on Canon).
    package var format: UInt16 = 0
    /// 0: no protection.
    package var protectionStatus: UInt16 = 0
    /// 0xFFFFFFFF when the object has 4 GiB or more.
    package var compressedSize: UInt32 = 0
    /// The format of the thumbnail.
    package var thumbFormat: UInt16 = 0
    /// The size of the thumbnail in bytes.
    package var thumbCompressedSize: UInt32 = 0
    /// In pixels.
    package var thumbPixWidth: UInt32 = 0
    /// In pixels.
    package var thumbPixHeight: UInt32 = 0
    /// In pixels.
    package var imagePixWidth: UInt32 = 0
    /// In pixels.
    package var imagePixHeight: UInt32 = 0
    /// Bits per pixel.
    package var imageBitDepth: UInt32 = 0
    /// The handle of the folder; 0 for the top folder.
    package var parentObject: UInt32 = 0
    /// The kind of folder; 0 for files.
    package var associationType: UInt16 = 0
    package var associationDescription: UInt32 = 0
    /// The same number for all files of one picture (Sony).
    package var sequenceNumber: UInt32 = 0
    /// The name with its extension.
    package var filename = ""
    /// `YYYYMMDDThhmmss`, perhaps followed by a body's own text; may be empty.
    package var captureDate = ""
    /// `YYYYMMDDThhmmss`, perhaps followed by a body's own text; may be empty.
    package var modificationDate = ""
    /// Free text.
    package var keywords = ""

    package init() {}

    /// - Throws: `DatasetError` when the fixed part is incomplete. The strings at the end may be missing.
    package init(decoding buffer: ByteBuffer) throws(DatasetError) {
        var reader = DatasetReader(buffer)
        storageID = try reader.integer("StorageID")
        format = try reader.integer("ObjectFormat")
        protectionStatus = try reader.integer("ProtectionStatus")
        compressedSize = try reader.integer("ObjectCompressedSize")
        thumbFormat = try reader.integer("ThumbFormat")
        thumbCompressedSize = try reader.integer("ThumbCompressedSize")
        thumbPixWidth = try reader.integer("ThumbPixWidth")
        thumbPixHeight = try reader.integer("ThumbPixHeight")
        imagePixWidth = try reader.integer("ImagePixWidth")
        imagePixHeight = try reader.integer("ImagePixHeight")
        imageBitDepth = try reader.integer("ImageBitDepth")
        parentObject = try reader.integer("ParentObject")
        associationType = try reader.integer("AssociationType")
        associationDescription = try reader.integer("AssociationDesc")
        sequenceNumber = try reader.integer("SequenceNumber")
        filename = try reader.trailingString("Filename")
        captureDate = try reader.trailingString("CaptureDate")
        modificationDate = try reader.trailingString("ModificationDate")
        keywords = try reader.trailingString("Keywords")
    }

    /// The dataset in the form of GetObjectInfo.
    package func encoded() -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(storageID)
        writer.integer(format)
        writer.integer(protectionStatus)
        writer.integer(compressedSize)
        writer.integer(thumbFormat)
        for field in [
            thumbCompressedSize, thumbPixWidth, thumbPixHeight, imagePixWidth, imagePixHeight, imageBitDepth,
            parentObject,
        ] {
            writer.integer(field)
        }
        writer.integer(associationType)
        writer.integer(associationDescription)
        writer.integer(sequenceNumber)
        for text in [filename, captureDate, modificationDate, keywords] { writer.string(text) }
        return writer.buffer
    }
}
