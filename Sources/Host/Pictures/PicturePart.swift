import CLinux
import Controller
import Glibc
import NIOCore

struct PictureFailure: Error, Equatable {
    var sentence: String
    var isFull: Bool

    init(sentence: String) {
        self.sentence = sentence
        isFull = false
    }

    init(_ sentence: String, _ error: SystemError) {
        self.sentence = sentence
        isFull = [ENOSPC, EDQUOT].contains(error.code)
    }
}

/// A picture that is being written, under a temporary name in its final directory.
struct PicturePart {
    /// The number of unwritten bytes at which writeback starts, so that the final sync is short.
    private static let unwrittenMax: UInt64 = 1 << 20
    /// The maximum space that is reserved. A camera's report of a larger size is not trusted.
    private static let reservationMax: UInt64 = 1 << 30

    let destination: PictureDestination
    private let folder: Folder
    private let name: PictureName
    private var partName: String
    /// The file that is being written; nil between `interrupt` and `resume`.
    private var file: Descriptor?
    /// The descriptor that holds the file's lock. The lock shows other daemons that the file is in use.
    private var claim: Descriptor?
    private(set) var byteCount: UInt64 = 0
    /// The number of bytes whose writeback has started.
    private var begunCount: UInt64 = 0

    private var path: String { "\(folder.path)/\(partName)" }

    init(_ destination: PictureDestination, in folder: Folder) throws(PictureFailure) {
        self.destination = destination
        self.folder = folder
        name = PictureName(cameraName: destination.name)
        (partName, file) = try Self.create(name, in: folder)
        file?.claim()
        claim = file
        do {
            try reserve()
        } catch {
            folder.remove(partName)
            throw error
        }
    }

    private static func create(_ name: PictureName, in folder: Folder) throws(PictureFailure) -> (String, Descriptor) {
        for number in 1...PictureName.numberMax {
            let partName = name.part(number)
            do throws(SystemError) {
                return (partName, try folder.create(partName))
            } catch {
                guard error.code == EEXIST else {
                    throw PictureFailure(PictureDiskSentences.notCreated("\(folder.path)/\(partName)", error), error)
                }
            }
        }
        throw PictureFailure(sentence: PictureDiskSentences.tooManyFiles(named: name.numbered(1), in: folder.path))
    }

    /// Reserves space for the picture, so that a full disk is detected before the camera sends it.
    private func reserve() throws(PictureFailure) {
        guard let file, let count = destination.byteCount, 1...Self.reservationMax ~= count else { return }
        do {
            try check { clinux_reserve(file.number, off_t(count)) }
        } catch {
            // Many file systems cannot reserve space. Writing then detects a full disk.
            guard [ENOSPC, EDQUOT].contains(error.code) else { return }
            throw PictureFailure(PictureDiskSentences.noSpace(path, error), error)
        }
    }

    mutating func append(_ bytes: ByteBuffer) throws(PictureFailure) {
        guard let file else { return }
        let writing = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(SystemError) in try writeAll(bytes, to: file.number) }
        }
        if case .failure(let error) = writing {
            throw PictureFailure(PictureDiskSentences.notWritten(path, error), error)
        }
        byteCount += UInt64(bytes.readableBytes)
        guard byteCount - begunCount >= Self.unwrittenMax else { return }
        // This call only starts writeback. The final sync reports errors.
        _ = clinux_begin_writing(file.number, off_t(begunCount), off_t(byteCount - begunCount))
        begunCount = byteCount
    }

    /// Closes the file, and keeps the file on the disk for `resume`.
    mutating func interrupt() { file = nil }

    mutating func resume(at offset: UInt64) throws(PictureFailure) {
        guard offset <= byteCount else {
            let sentence = PictureDiskSentences.tooShortToContinue(path, at: offset, byteCount: byteCount)
            throw PictureFailure(sentence: sentence)
        }
        do throws(SystemError) {
            let file = try folder.open(partName, access: O_WRONLY)
            let end = try check { lseek(file.number, 0, SEEK_END) }
            guard end >= 0, UInt64(end) >= offset else { throw SystemError(code: ENODATA) }
            try check { ftruncate(file.number, off_t(offset)) }
            try check { lseek(file.number, 0, SEEK_END) }
            self.file = file
        } catch {
            throw PictureFailure(PictureDiskSentences.notContinued(path, error), error)
        }
        byteCount = offset
        begunCount = min(begunCount, offset)
    }

    /// A complete picture with its final name.
    struct Finished {
        var name: String
        /// The file, open for reading; nil if it cannot be opened.
        var file: Descriptor?
    }

    /// Syncs the file, and gives the file an unused name.
    mutating func finish() throws(PictureFailure) -> Finished {
        guard let file else { throw PictureFailure(sentence: PictureDiskSentences.notBegun(path)) }
        do {
            // Releases reserved space that was not needed.
            if destination.byteCount.map({ $0 > byteCount }) == true {
                try check { ftruncate(file.number, off_t(byteCount)) }
            }
            markWhole()
            try check { fsync(file.number) }
        } catch {
            throw PictureFailure(PictureDiskSentences.notWritten(path, error), error)
        }
        self.file = nil
        return try assignName()
    }

    /// Marks the file as complete. If the daemon ends during the sync, the next start gives the file its name.
    mutating func markWhole() {
        let wholeName = PictureName.whole(part: partName, byteCount: byteCount)
        // If this rename fails, the picture is lost only if the daemon ends during the sync.
        if (try? folder.rename(partName, toNew: wholeName)) != nil { partName = wholeName }
    }

    private func assignName() throws(PictureFailure) -> Finished {
        let newName: String
        do {
            newName = try folder.rename(partName, to: name)
        } catch {
            let path = "\(folder.path)/\(name.numbered(1))"
            throw PictureFailure(PictureDiskSentences.notCreated(path, error), error)
        }
        do {
            try folder.sync()
        } catch {
            // The picture exists, but a power cut can remove its name after the camera has deleted its copy.
            let path = "\(folder.path)/\(newName)"
            throw PictureFailure(PictureDiskSentences.folderNotSynced(of: path, error), error)
        }
        return Finished(name: newName, file: try? folder.open(newName, access: O_RDONLY))
    }

    mutating func remove() {
        (file, claim) = (nil, nil)
        folder.remove(partName)
    }
}

extension Folder {
    /// Gives a file the picture's first unused name, and returns that name.
    func rename(_ partName: String, to name: PictureName) throws(SystemError) -> String {
        for number in 1...PictureName.numberMax {
            let newName = name.numbered(number)
            do {
                try rename(partName, toNew: newName)
                return newName
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        throw SystemError(code: EEXIST)
    }
}
