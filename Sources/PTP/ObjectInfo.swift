import NIOCore

/// The dataset of GetObjectInfo (libgphoto2 ptp-pack.c `PTP_oi_*`).
package struct ObjectInfo: Hashable, Sendable {
    /// The slot in the high half, the partition in the low half.
    package var storageID: UInt32 = 0
    /// 0x3801 is a JPEG; vendor formats overlap between makers (0xB101 is ARW on Sony, CRW on Canon).
    package var format: UInt16 = 0
    /// 0: none.
    package var protectionStatus: UInt16 = 0
    /// 0xFFFFFFFF when the object has 4 GiB or more.
    package var compressedSize: UInt32 = 0
    /// The format of the thumbnail.
    package var thumbFormat: UInt16 = 0
    /// Bytes of the thumbnail.
    package var thumbCompressedSize: UInt32 = 0
    /// Pixels.
    package var thumbPixWidth: UInt32 = 0
    /// Pixels.
    package var thumbPixHeight: UInt32 = 0
    /// Pixels.
    package var imagePixWidth: UInt32 = 0
    /// Pixels.
    package var imagePixHeight: UInt32 = 0
    /// Bits of a pixel.
    package var imageBitDepth: UInt32 = 0
    /// The folder's handle; 0 at the top.
    package var parentObject: UInt32 = 0
    /// What kind of folder; 0 for files.
    package var associationType: UInt16 = 0
    package var associationDescription: UInt32 = 0
    /// Equal for the files of one picture (Sony).
    package var sequenceNumber: UInt32 = 0
    /// With its extension.
    package var filename = ""
    /// `YYYYMMDDThhmmss`, with whatever the body appends; may be empty.
    package var captureDate = ""
    /// `YYYYMMDDThhmmss`, with whatever the body appends; may be empty.
    package var modificationDate = ""
    /// Free text.
    package var keywords = ""

    /// All fields empty.
    package init() {}

    /// - Throws: `DatasetError` when the fixed part is cut. The strings at the end may be missing.
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

    /// The dataset as GetObjectInfo carries it.
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
