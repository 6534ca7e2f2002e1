import Glibc

/// An open regular file, with its size at the time of opening. Later the file can become longer.
final class FileToPack {
    private static let pieceSize = 1 << 16

    let byteCount: Int
    private let descriptor: Int32

    /// Opens a file. Returns nil if the file does not exist.
    ///
    /// - Parameter followsLinks: True only for a path at which no other user can create a link.
    init?(_ path: String, followsLinks: Bool = false) throws(PartError) {
        // Without O_NONBLOCK, opening a FIFO at this path would never return.
        let mode = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        descriptor = open(path, followsLinks ? mode : mode | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw PartError.system }
            return nil
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw PartError(reason: BundleSentences.notRegular)
        }
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads the next bytes. Returns no bytes at the end.
    func next() throws(PartError) -> [UInt8] {
        guard let piece = InputFile.bytes(of: descriptor, countMax: Self.pieceSize) else { throw PartError.system }
        return piece
    }

    func content(sizeMax: Int) throws(PartError) -> [UInt8] {
        guard let content = InputFile.bytes(of: descriptor, countMax: sizeMax + 1) else { throw PartError.system }
        guard content.count <= sizeMax else { throw PartError(reason: BundleSentences.tooLarge(sizeMax)) }
        return content
    }
}
