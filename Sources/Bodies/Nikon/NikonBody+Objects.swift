import Cameras
import NIOCore
import PTP

/// The handles of objects. The form is an assumption: the kind, the folder, and the number of the file.
package enum NikonHandles {
    /// The folder of the card.
    package static let card: UInt32 = 0x0001_0000
    private static let filesOfFolder = 9_999
    private static let firstFolder = 100

    /// The number of the folder with a frame's files, from 100.
    static func folderNumber(of frame: Int) -> Int { firstFolder + (frame - 1) / filesOfFolder }

    package static func folder(of frame: Int) -> UInt32 { UInt32(folderNumber(of: frame)) << 16 }

    /// The number of a file in its folder, from 1.
    static func fileNumber(of frame: Int) -> Int { (frame - 1) % filesOfFolder + 1 }

    package static func file(of frame: Int, _ kind: PictureInfo.Kind) -> UInt32 {
        (kind == .raw ? 0x1000_0000 : 0x2000_0000) | folder(of: frame) | UInt32(fileNumber(of: frame))
    }

    /// The frame of a file's handle, if there is such a frame.
    package static func frame(of handle: UInt32) -> Int {
        (Int(handle >> 16 & 0xFFF) - firstFolder) * filesOfFolder + Int(handle & 0xFFFF)
    }

    /// The picture in memory.
    static let memory: UInt32 = 0xFFFF_0001
}

/// The files of frames, their announcements and descriptions.
extension NikonBody {
    private static let jpegFormat: UInt16 = 0x3801
    private static let rawFormat: UInt16 = 0x3000
    private static let folderFormat: UInt16 = 0x3001

    /// The storage id of the only card.
    var storage: UInt32 { model.storages.first { $0 & 0xFFFF != 0 } ?? 0x0001_0001 }

    /// The kinds of files of a picture, in the order of their announcement.
    var fileKinds: [PictureInfo.Kind] {
        switch sheet.number(.compressionSetting) ?? 0 {
        case 7: [.raw]
        case 8...: model.sendsRawFirst ? [.raw, .jpeg] : [.jpeg, .raw]
        default: [.jpeg]
        }
    }

    struct StoredFile {
        let file: DeliveredFile
        let format: UInt16
        let frame: CardFrame
        let parent: UInt32
    }

    /// The file with this handle; nil: there is none, or it is not saved.
    func storedFile(_ handle: UInt32) -> StoredFile? {
        if handle == NikonHandles.memory {
            return inMemory.map { stored($0, $0.fileKinds.first ?? .jpeg, parent: 0) }
        }
        let number = NikonHandles.frame(of: handle)
        guard let frame = card.last(where: { $0.number == number }),
            let kind = frame.fileKinds.first(where: { NikonHandles.file(of: number, $0) == handle }),
            !deleted.contains(handle), frame.written != nil
        else { return nil }
        return stored(frame, kind, parent: NikonHandles.folder(of: number))
    }

    private func stored(_ frame: CardFrame, _ kind: PictureInfo.Kind, parent: UInt32) -> StoredFile {
        var picture = SimulatedPicture(
            maker: "NIKON CORPORATION",
            model: model.name,
            firmware: model.firmware,
            frame: frame,
            byteCount: options.pictureSize ?? (options.filesHaveRealSize ? model.fileSize(of: kind) : nil)
        )
        picture.rawName = "NEF"
        picture.scene = options.scene
        let digits = String(NikonHandles.fileNumber(of: frame.number))
        let number = String(repeating: "0", count: 4 - digits.count) + digits
        let name = model.filePrefix + number + model.fileSuffix + (kind == .raw ? ".NEF" : ".JPG")
        let content = kind == .raw ? picture.raw() : picture.jpeg()
        return StoredFile(
            file: DeliveredFile(frame: frame.number, name: name, content: content),
            format: kind == .raw ? Self.rawFormat : Self.jpegFormat,
            frame: frame,
            parent: parent
        )
    }

    // MARK: Announcements

    mutating func announceFiles(of frame: CardFrame, _ target: Target) {
        if target.isCard { announceCardFiles(of: frame) }
        let number = frame.number
        if target.isMemory, !omits(.objects) {
            report(.nikonObjectInMemory, model.omitsMemoryHandle ? 0 : NikonHandles.memory)
        }
        if faults.take({ if case .doubleObject(number) = $0 { true } else { nil } }) != nil {
            outputs.append(.log("fault: the files of frame \(number) are announced twice"))
            announceCardFiles(of: frame)
        }
    }

    /// Announces the files on the card. Before the first file of a folder, the body announces the folder.
    mutating func announceCardFiles(of frame: CardFrame, firstOnly: Bool = false) {
        guard !omits(.objects), frame.isForCard else { return }
        let folder = NikonHandles.folder(of: frame.number)
        let earlier = card.filter { $0.number < frame.number && $0.isForCard }
        let isNew = !earlier.contains { NikonHandles.folder(of: $0.number) == folder }
        if isNew { report(.objectAdded, folder) }
        for kind in frame.fileKinds.prefix(firstOnly ? 1 : 2) {
            report(.objectAdded, NikonHandles.file(of: frame.number, kind))
        }
    }

    // MARK: Storages

    /// Answers GetStorageIDs, and 0x9209 if `isReal`.
    func storageIDs(isReal: Bool) -> ResponderAnswer {
        let hasPlaceholders = faults.first { $0 == .placeholderStorages ? true : nil } ?? false
        let ids = !isReal && hasPlaceholders ? model.storages.map { $0 & 0xFFFF_0000 } : model.storages
        return .ok(array(ids))
    }

    func storageInfo(_ id: UInt32) -> ResponderAnswer {
        guard id == storage else {
            return ResponderAnswer(id & 0xFFFF == 0 ? .storeNotAvailable : .invalidStorageID)
        }
        var info = StorageInfo()
        info.storageType = 4
        info.filesystemType = 3
        info.accessCapability = 2
        info.maxCapacity = 63_831_015_424
        info.freeSpace = UInt64(shotsLeft) * 25_000_000
        info.freeSpaceInImages = UInt32(clamping: shotsLeft)
        info.description = "None"
        info.volumeLabel = "NIKON \(model.name) [Slot 1]"
        return .ok(info.encoded())
    }

    private func array(_ values: [UInt32]) -> ByteBuffer {
        var writer = DatasetWriter()
        writer.array(values)
        return writer.buffer
    }

    // MARK: Objects

    /// The saved files, in the order of their frames.
    private var saved: [UInt32] {
        card.filter { $0.written != nil }
            .flatMap { frame in frame.fileKinds.map { NikonHandles.file(of: frame.number, $0) } }
            .filter { !deleted.contains($0) }
    }

    private var folders: [UInt32] {
        Set(card.filter { $0.written != nil }.map { NikonHandles.folder(of: $0.number) }).sorted()
    }

    /// Handles GetNumObjects and GetObjectHandles. Parameters: storage, format, folder. Folder 0 means all objects,
    /// 0xFFFFFFFF the objects outside every folder.
    func objects(_ request: ResponderRequest) -> ResponderAnswer {
        let parameters = request.parameters + [0, 0, 0]
        guard parameters[0] == storage || parameters[0] == .max else { return ResponderAnswer(.invalidStorageID) }
        var found: [UInt32] =
            switch parameters[2] {
            case 0: [NikonHandles.card] + folders + saved
            case .max: [NikonHandles.card]
            case NikonHandles.card: folders
            case let folder: saved.filter { NikonHandles.folder(of: NikonHandles.frame(of: $0)) == folder }
            }
        if parameters[1] != 0 {
            found = found.filter { UInt32(storedFile($0)?.format ?? Self.folderFormat) == parameters[1] }
        }
        if request.code == .getNumObjects { return ResponderAnswer(.ok, parameters: [UInt32(found.count)]) }
        return .ok(array(found))
    }

    /// Whether the body refuses some transfers, as in the mode for computers (gphoto/libgphoto2#976).
    var isInPCMode: Bool { faults.first { $0 == .pcMode ? true : nil } ?? false }

    func objectInfo(_ handle: UInt32, at now: Duration) -> ResponderAnswer {
        if isInPCMode { return ResponderAnswer(.accessDenied) }
        // Only the files on the card of the latest frame are incomplete for a while.
        let isLatest = NikonHandles.frame(of: handle) == card.last?.number && handle != NikonHandles.memory
        if isLatest, now < objectInfoFrom { return ResponderAnswer(.generalError) }
        var info = ObjectInfo()
        info.storageID = storage
        guard let stored = storedFile(handle) else {
            guard handle == NikonHandles.card || folders.contains(handle) else {
                return ResponderAnswer(.invalidObjectHandle)
            }
            info.format = Self.folderFormat
            info.associationType = 1
            info.parentObject = handle == NikonHandles.card ? 0 : NikonHandles.card
            info.filename = handle == NikonHandles.card ? "DCIM" : "\(handle >> 16)\(model.folderSuffix)"
            return .ok(info.encoded())
        }
        info.format = stored.format
        info.compressedSize = UInt32(clamping: stored.file.content.count)
        info.thumbFormat = 0x3808
        info.thumbPixWidth = 160
        info.thumbPixHeight = 120
        info.imagePixWidth = UInt32(options.pictureSides.width)
        info.imagePixHeight = UInt32(options.pictureSides.height)
        info.imageBitDepth = 24
        info.parentObject = stored.parent
        info.filename = stored.file.name
        info.captureDate = BodyClock(stored.frame.at).ptp
        info.modificationDate = info.captureDate
        return .ok(info.encoded())
    }

    /// Handles DeleteObject and 0x90C3, which deletes the picture in memory.
    mutating func delete(_ handle: UInt32) -> ResponderAnswer {
        guard storedFile(handle) != nil else { return ResponderAnswer(.invalidObjectHandle) }
        if handle == NikonHandles.memory {
            inMemory = nil
        } else {
            deleted.insert(handle)
            report(.objectRemoved, handle)
        }
        return .ok
    }

}
