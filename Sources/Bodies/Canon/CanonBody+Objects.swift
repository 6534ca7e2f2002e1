import Cameras
import NIOCore
import PTP

/// A file on the card or in the body's buffer.
struct CanonStoredFile: Equatable, Sendable {
    let handle: UInt32
    let frame: Int
    let name: String
    let format: UInt16
    let taken: Duration
    let content: ResponderContent

    var delivered: DeliveredFile { DeliveredFile(frame: frame, name: name, content: content) }
}

/// The handles of objects: card, folder, file number and kind. The formula fits the captured handles of a 60D, 80D, R6
/// Mark II, M50, R6 and 5DS R.
package struct CanonHandles: Sendable {
    /// The handle of the card's folder DCIM.
    package let card: UInt32
    /// The number of the first folder with pictures.
    private let firstFolder: Int

    private static let filesOfFolder = 10_000
    private static let fileMask: UInt32 = 0x3FFF

    /// - Parameter folder: The handle of the first folder with pictures.
    package init(folder: UInt32) {
        card = folder & 0xF000_0000
        firstFolder = Int((folder - card) >> 18)
    }

    /// The handle of the folder with a frame's files.
    package func folder(of frame: Int) -> UInt32 { card + UInt32(firstFolder + frame / Self.filesOfFolder) << 18 }

    /// The common handle of a frame's files.
    package func group(of frame: Int) -> UInt32 { folder(of: frame) + UInt32(frame % Self.filesOfFolder) << 4 }

    package func file(of frame: Int, _ kind: PictureInfo.Kind) -> UInt32 { group(of: frame) + (kind == .raw ? 1 : 2) }

    /// The frame of a file's handle, if there is such a frame.
    package func frame(of handle: UInt32) -> Int {
        let offset = handle &- card
        return (Int(offset >> 18) - firstFolder) * Self.filesOfFolder + Int(offset >> 4 & Self.fileMask)
    }

    /// The name of a folder: `100CANON`.
    func folderName(_ handle: UInt32) -> String {
        handle == card ? "DCIM" : "\((handle - card) >> 18)CANON"
    }
}

/// The files of frames, and their transfer.
extension CanonBody {
    private static let jpegFormat: UInt16 = 0x3801
    private static let folderFormat: UInt16 = 0x3001

    var handles: CanonHandles { CanonHandles(folder: sheet.number(.canonFolder) ?? 0x9190_0000) }

    var saveTarget: CanonSaveTarget { CanonSaveTarget(rawValue: sheet.number(.canonSaveTarget) ?? 2) }

    /// The kinds of files of a picture, in the order of their announcement.
    var fileKinds: [PictureInfo.Kind] {
        let kinds = CanonImageFormat(sheet.words(of: .canonImageFormat)[...])?.kinds ?? [.jpeg]
        let order: [PictureInfo.Kind] = model.sendsRawFirst ? [.raw, .jpeg] : [.jpeg, .raw]
        return order.filter(kinds.contains)
    }

    func fileHandles(of frame: CardFrame) -> [UInt32] { frame.fileKinds.map { handles.file(of: frame.number, $0) } }

    private func name(of frame: CardFrame, _ kind: PictureInfo.Kind) -> String {
        let digits = String(frame.number % 10_000)
        let number = String(repeating: "0", count: 4 - digits.count) + digits
        return model.filePrefix + number + model.fileSuffix + (kind == .raw ? model.rawExtension : ".JPG")
    }

    private func content(of frame: CardFrame, _ kind: PictureInfo.Kind) -> CanonStoredFile {
        var picture = SimulatedPicture(
            maker: "Canon",
            model: model.name,
            firmware: model.firmware,
            frame: frame,
            byteCount: options.pictureSize ?? (options.filesHaveRealSize ? model.fileSize(of: kind) : nil)
        )
        picture.rawName = String(model.rawExtension.dropFirst())
        picture.scene = options.scene
        return CanonStoredFile(
            handle: handles.file(of: frame.number, kind),
            frame: frame.number,
            name: name(of: frame, kind),
            format: kind == .raw ? model.rawFormat : Self.jpegFormat,
            taken: frame.at,
            content: kind == .raw ? picture.raw() : picture.jpeg()
        )
    }

    /// The file with this handle; nil: there is none, or it is not saved.
    private func storedFile(_ handle: UInt32) -> CanonStoredFile? {
        let number = handles.frame(of: handle)
        guard let frame = card.last(where: { $0.number == number }),
            let kind = frame.fileKinds.first(where: { handles.file(of: number, $0) == handle }),
            !deleted.contains(handle), frame.written != nil || buffered.contains(handle)
        else { return nil }
        return content(of: frame, kind)
    }

    // MARK: Announcements

    /// Announces the files of a frame: on the card, or in the buffer if the card gets none.
    mutating func announceFiles(of frame: CardFrame, firstOnly: Bool = false) {
        guard !omits(.objects) else { return }
        for kind in frame.fileKinds.prefix(firstOnly ? 1 : 2) {
            let file = content(of: frame, kind)
            if frame.isForCard {
                reportStorage()
                report(added(file))
            } else {
                report(transferRequest(file))
            }
        }
    }

    /// A record 0xC1A7 or 0xC181. The offsets are those of libgphoto2, and of an 80D for 0xC1A7.
    private func added(_ file: CanonStoredFile) -> CanonEventRecord {
        let size = UInt64(file.content.count)
        let folder = handles.folder(of: file.frame)
        let head = [file.handle, storage, UInt32(file.format), 0, model.objectRecord == .objectAdded64 ? 0x20 : 0]
        let low = UInt32(truncatingIfNeeded: size)
        guard model.objectRecord == .objectAdded64 else {
            return CanonEventRecord(.objectAdded, words: head + [low, folder, 0], tail: Self.ascii(file.name, 16))
        }
        let sizes = [low, UInt32(truncatingIfNeeded: size >> 32), folder, handles.group(of: file.frame)]
        var time = DatasetWriter()
        time.integer(UInt32(clamping: Self.switchedOnAt + file.taken.components.seconds))
        let name = Self.ascii(file.name, 16)
        return CanonEventRecord(.objectAdded64, words: head + sizes, tail: name + time.buffer.readableBytesView)
    }

    /// The seconds of the body's clock when it was switched on: noon of 1 January 2026, see ``BodyClock``.
    private static let switchedOnAt: Int64 = 1_767_268_800

    /// A record 0xC186: a file waits in the buffer for its transfer.
    private func transferRequest(_ file: CanonStoredFile) -> CanonEventRecord {
        let size = UInt32(clamping: file.content.count)
        let words = [file.handle, UInt32(file.format), 0, size, 0]
        return CanonEventRecord(.transferRequested, words: words, tail: Self.ascii(file.name, 16))
    }

    /// A text in a field of this length, with at least one closing 0.
    private static func ascii(_ text: String, _ length: Int) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(length - 1))
        return bytes + [UInt8](repeating: 0, count: length - bytes.count)
    }

    // MARK: Objects

    /// The saved files, in the order of their handles.
    private var saved: [UInt32] {
        card.filter { $0.written != nil }.flatMap { fileHandles(of: $0) }.filter { !deleted.contains($0) }
    }

    /// Handles GetNumObjects and GetObjectHandles. Parameters: storage, format, folder. Folder 0 means all objects,
    /// 0xFFFFFFFF the objects outside every folder.
    func objects(_ request: ResponderRequest) -> ResponderAnswer {
        let parameters = request.parameters + [0, 0, 0]
        guard parameters[0] == storage || parameters[0] == .max else { return ResponderAnswer(.invalidStorageID) }
        var found = parameters[2] == 0 ? [handles.card] + folders + saved : objects(in: parameters[2])
        if parameters[1] != 0 { found = found.filter { storedFile($0).map { UInt32($0.format) } == parameters[1] } }
        if request.code == .getNumObjects { return ResponderAnswer(.ok, parameters: [UInt32(found.count)]) }
        return .ok(array(found))
    }

    private var folders: [UInt32] {
        Set([handles.folder(of: 0)] + saved.map { handles.folder(of: handles.frame(of: $0)) }).sorted()
    }

    /// The objects that this folder has; 0xFFFFFFFF: those outside every folder.
    private func objects(in folder: UInt32) -> [UInt32] {
        switch folder {
        case .max: [handles.card]
        case handles.card: folders
        default: saved.filter { handles.folder(of: handles.frame(of: $0)) == folder }
        }
    }

    /// Handles GetObjectInfoEx: the objects of a folder. Each entry begins with its size. The offsets are those of
    /// libgphoto2; the meaning of the other words is UNSURE.
    func objectList(_ parameters: [UInt32]) -> ResponderAnswer {
        guard parameters.count > 1, parameters[0] == storage || parameters[0] == .max else {
            return ResponderAnswer(.invalidStorageID)
        }
        let found = objects(in: parameters[1])
        var writer = DatasetWriter()
        writer.integer(UInt32(found.count))
        for handle in found {
            let file = storedFile(handle)
            let format = UInt32(file?.format ?? Self.folderFormat)
            let size = UInt32(clamping: file?.content.count ?? 0)
            for word in [56, handle, storage, format, 0, file == nil ? 0 : 0x20, size, 0, 0] { writer.integer(word) }
            for byte in Self.ascii(file?.name ?? handles.folderName(handle), 16) { writer.integer(byte) }
            writer.integer(UInt32(clamping: Self.switchedOnAt + (file?.taken.components.seconds ?? 0)))
        }
        return .ok(writer.buffer)
    }

    func objectInfo(_ handle: UInt32, at now: Duration) -> ResponderAnswer {
        guard now >= objectInfoFrom else { return ResponderAnswer(.canonObjectNotReady) }
        var info = ObjectInfo()
        info.storageID = storage
        guard let file = storedFile(handle) else {
            let isFolder = handle == handles.card || handle & 0x3FFFF == 0 && handle > handles.card
            guard isFolder else { return ResponderAnswer(.invalidObjectHandle) }
            info.format = Self.folderFormat
            info.associationType = 1
            info.parentObject = handle == handles.card ? 0 : handles.card
            info.filename = handles.folderName(handle)
            return .ok(info.encoded())
        }
        info.format = file.format
        info.compressedSize = UInt32(clamping: file.content.count)
        info.thumbFormat = 0x3808
        info.thumbPixWidth = 160
        info.thumbPixHeight = 120
        info.imagePixWidth = UInt32(options.pictureSides.width)
        info.imagePixHeight = UInt32(options.pictureSides.height)
        info.imageBitDepth = 24
        info.parentObject = handles.folder(of: file.frame)
        info.filename = file.name
        // Canon adds the tenths of a second.
        info.captureDate = BodyClock(file.taken).ptp + ".0"
        info.modificationDate = info.captureDate
        return .ok(info.encoded())
    }

    /// Handles DeleteObject.
    mutating func delete(_ handle: UInt32) -> ResponderAnswer {
        guard storedFile(handle) != nil else { return ResponderAnswer(.invalidObjectHandle) }
        deleted.insert(handle)
        report(CanonEventRecord(.objectRemoved, handle))
        return .ok
    }

    mutating func object(_ handle: UInt32, in transaction: UInt32) -> ResponderAnswer {
        guard let file = storedFile(handle) else { return ResponderAnswer(.invalidObjectHandle) }
        return deliver(file.delivered, from: 0, count: file.content.count, in: transaction)
    }

    /// The answer with the requested part of a file. The part is shorter if the file ends earlier.
    mutating func partialObject(_ parameters: [UInt32], in transaction: UInt32) -> ResponderAnswer {
        guard parameters.count >= 3 else { return ResponderAnswer(.invalidParameter) }
        guard let file = storedFile(parameters[0]) else { return ResponderAnswer(.invalidObjectHandle) }
        let offset = min(Int(parameters[1]), file.content.count)
        let count = min(Int(parameters[2]), file.content.count - offset)
        var answer = deliver(file.delivered, from: offset, count: count, in: transaction)
        answer.parameters = [UInt32(count)]
        return answer
    }
}
