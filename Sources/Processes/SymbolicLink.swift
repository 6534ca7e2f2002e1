import Glibc

package enum SymbolicLink {
    /// The target of a symbolic link as the link has it (readlink(2)); nil: the path is no symbolic link.
    package static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The running program.
package enum OwnProgram {
    /// The directory of the program's file; nil: `/proc` is not mounted.
    package static var folder: String? {
        SymbolicLink.target(of: "/proc/self/exe").map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    }
}
