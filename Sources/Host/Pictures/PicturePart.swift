import CLinux
import Controller
import Glibc
import NIOCore

/// Why a picture is not on disk.
struct PictureFailure: Error, Equatable {
    var sentence: String
    /// For want of room.
    var isFull: Bool

    init(sentence: String) {
        self.sentence = sentence
        isFull = false
    }

    /// `action`: `cannot write`.
    init(_ action: String, _ path: String, _ error: SystemError) {
        sentence = "\(action) \(path): \(error)"
        isFull = [ENOSPC, EDQUOT].contains(error.code)
    }
}

/// A picture's file on its way: under a temporary name in the folder in which it is to be.
struct PicturePart {
    /// What is written is on its way to the disk after so many bytes, so that the last sync has little to wait for.
    private static let unwrittenMax: UInt64 = 1 << 20
    /// Room is taken in advance up to here: a camera's word for a size is not taken for more.
    private static let reservationMax: UInt64 = 1 << 30

    let destination: PictureDestination
    private let folder: Folder
    private let name: PictureName
    private var partName: String
    /// nil: between `interrupt` and `begin`.
    private var file: Descriptor?
    /// Holds the file's lock, by which other daemons know that the file is not left over.
    private var claim: Descriptor?
    private(set) var byteCount: UInt64 = 0
    /// Up to here the system was told to write.
    private var begunCount: UInt64 = 0

    private var path: String { "\(folder.path)/\(partName)" }

    /// A new file.
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
                    throw PictureFailure("cannot make", "\(folder.path)/\(partName)", error)
                }
            }
        }
        throw PictureFailure(sentence: "\(folder.path) has too many files named \(name.numbered(1))")
    }

    /// A full disk shows here, before anything was sent for nothing.
    private func reserve() throws(PictureFailure) {
        guard let file, let count = destination.byteCount, 1...Self.reservationMax ~= count else { return }
        do {
            try check { clinux_reserve(file.number, off_t(count)) }
        } catch {
            // Many file systems cannot; then it shows when it is written.
            if [ENOSPC, EDQUOT].contains(error.code) { throw PictureFailure("no room for", path, error) }
        }
    }

    mutating func append(_ bytes: ByteBuffer) throws(PictureFailure) {
        guard let file else { return }
        let writing = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(SystemError) in try writeAll(bytes, to: file.number) }
        }
        if case .failure(let error) = writing { throw PictureFailure("cannot write", path, error) }
        byteCount += UInt64(bytes.readableBytes)
        guard byteCount - begunCount >= Self.unwrittenMax else { return }
        // Only to begin: what cannot be written shows when it is synced.
        _ = clinux_begin_writing(file.number, off_t(begunCount), off_t(byteCount - begunCount))
        begunCount = byteCount
    }

    /// Closes the file and keeps it for `resume`.
    mutating func interrupt() { file = nil }

    /// Goes on from `offset`.
    mutating func resume(at offset: UInt64) throws(PictureFailure) {
        guard offset <= byteCount else {
            throw PictureFailure(sentence: "cannot go on at byte \(offset) of \(path): it has \(byteCount)")
        }
        do throws(SystemError) {
            let file = try folder.open(partName, access: O_WRONLY)
            let end = try check { lseek(file.number, 0, SEEK_END) }
            guard end >= 0, UInt64(end) >= offset else { throw SystemError(code: ENODATA) }
            try check { ftruncate(file.number, off_t(offset)) }
            try check { lseek(file.number, 0, SEEK_END) }
            self.file = file
        } catch {
            throw PictureFailure("cannot go on with", path, error)
        }
        byteCount = offset
        begunCount = min(begunCount, offset)
    }

    /// A picture that is on disk under its name.
    struct Finished {
        var name: String
        /// To be read; nil: it cannot be opened.
        var file: Descriptor?
    }

    /// Brings the file to the disk and gives it its name, one that nothing has.
    mutating func finish() throws(PictureFailure) -> Finished {
        guard let file else { throw PictureFailure(sentence: "\(path) ends and was not begun") }
        do {
            // Room that was taken in advance and not needed.
            if destination.byteCount.map({ $0 > byteCount }) == true {
                try check { ftruncate(file.number, off_t(byteCount)) }
            }
            markWhole()
            try check { fsync(file.number) }
        } catch {
            throw PictureFailure("cannot write", path, error)
        }
        self.file = nil
        return try giveName()
    }

    /// All has come: should we end while the disk is being waited for, the next start gives the file its name.
    mutating func markWhole() {
        let wholeName = PictureName.whole(part: partName, byteCount: byteCount)
        // Where that cannot be, the picture is lost in that case and no other.
        if (try? folder.rename(partName, toNew: wholeName)) != nil { partName = wholeName }
    }

    private func giveName() throws(PictureFailure) -> Finished {
        let newName: String
        do {
            newName = try folder.rename(partName, to: name)
        } catch {
            throw PictureFailure("cannot make", "\(folder.path)/\(name.numbered(1))", error)
        }
        do {
            try folder.sync()
        } catch {
            // It is there, and may be gone after a power cut: the camera's copy is gone by then too.
            throw PictureFailure("cannot sync the folder of", "\(folder.path)/\(newName)", error)
        }
        return Finished(name: newName, file: try? folder.open(newName, access: O_RDONLY))
    }

    /// Removes the file.
    mutating func remove() {
        (file, claim) = (nil, nil)
        folder.remove(partName)
    }
}

extension Folder {
    /// Gives a file the first of a picture's names that nothing has, and tells which.
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
