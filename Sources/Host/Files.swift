import Glibc

// File functions that do not need Foundation. Each error contains the system's reason.

enum FileReadError: Error {
    case system(SystemError)
    case tooLarge
}

/// Reads the whole content of a regular file of at most `sizeMax` bytes.
func readFile(_ path: String, sizeMax: Int) throws(FileReadError) -> [UInt8] {
    do {
        // Without O_NONBLOCK a FIFO at this path would block the daemon for ever.
        let file = try check { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        defer { close(file) }
        var content = [UInt8](repeating: 0, count: sizeMax + 1)
        var length = 0
        while length < content.count {
            let count = try check {
                content.withUnsafeMutableBytes {
                    Glibc.read(file, $0.baseAddress?.advanced(by: length), $0.count - length)
                }
            }
            if count == 0 { return Array(content[..<length]) }
            length += count
        }
    } catch {
        throw FileReadError.system(error)
    }
    throw FileReadError.tooLarge
}

/// Writes all bytes, with several calls of write(2) if needed.
func writeAll(_ bytes: [UInt8], to file: CInt) throws(SystemError) {
    let writing = bytes.withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try writeAll(bytes, to: file) }
    }
    try writing.get()
}

func writeAll(_ bytes: UnsafeRawBufferPointer, to file: CInt) throws(SystemError) {
    var written = 0
    while written < bytes.count {
        written += try check { Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written) }
    }
}

/// Makes a directory and its missing parents.
func makeDirectories(_ path: String, mode: mode_t) throws(SystemError) {
    if mkdir(path, mode) == 0 { return }
    let error = SystemError.last
    var status = stat()
    if error.code == EEXIST, stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
        return
    }
    guard error.code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw error }
    try makeDirectories(String(path[..<slash]), mode: 0o755)
    try check { mkdir(path, mode) }
}
