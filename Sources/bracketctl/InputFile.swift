import Glibc

/// Reads files and directories. On failure the functions return nil, with the error in errno.
enum InputFile {
    private static let pieceSize = 1 << 16

    /// The next bytes of an open file: `countMax` bytes, or fewer at the end of the file.
    static func bytes(of file: Int32, countMax: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(countMax, pieceSize))
        while bytes.count < countMax {
            let count = read(file, &piece, min(piece.count, countMax - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// The sorted names in a directory for which `isWanted` is true, at most `countMax` of them.
    static func names(in folder: String, countMax: Int, where isWanted: (String) -> Bool) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < countMax, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isWanted(name) { names.append(name) }
        }
        return names.sorted()
    }
}
