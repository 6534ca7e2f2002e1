import NIOCore

/// The dataset of GetStorageInfo (libgphoto2 ptp-pack.c `ptp_unpack_SI`).
package struct StorageInfo: Hashable, Sendable {
    /// 4: removable RAM, the type of cards.
    package var storageType: UInt16 = 0
    /// 3: a file system with the folders of a camera.
    package var filesystemType: UInt16 = 0
    /// 0 read-write, 1 read-only, 2 read-only with deletion.
    package var accessCapability: UInt16 = 0
    /// In bytes.
    package var maxCapacity: UInt64 = 0
    /// In bytes.
    package var freeSpace: UInt64 = 0
    /// The number of pictures that still fit.
    package var freeSpaceInImages: UInt32 = 0
    /// For example `SD`.
    package var description = ""
    /// May be empty.
    package var volumeLabel = ""

    package init() {}

    /// - Throws: `DatasetError` when the fixed part is incomplete. The strings at the end may be missing.
    package init(decoding buffer: ByteBuffer) throws(DatasetError) {
        var reader = DatasetReader(buffer)
        storageType = try reader.integer("StorageType")
        filesystemType = try reader.integer("FilesystemType")
        accessCapability = try reader.integer("AccessCapability")
        maxCapacity = try reader.integer("MaxCapacity")
        freeSpace = try reader.integer("FreeSpaceInBytes")
        freeSpaceInImages = try reader.integer("FreeSpaceInImages")
        description = try reader.trailingString("StorageDescription")
        volumeLabel = try reader.trailingString("VolumeLabel")
    }

    package func encoded() -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(storageType)
        writer.integer(filesystemType)
        writer.integer(accessCapability)
        writer.integer(maxCapacity)
        writer.integer(freeSpace)
        writer.integer(freeSpaceInImages)
        writer.string(description)
        writer.string(volumeLabel)
        return writer.buffer
    }
}
