/// The files that a body serves by HTTP, faults included: its description.
package struct ServedFiles: Equatable, Sendable {
    /// By path. The first one is what SSDP points to.
    private var files: [(path: String, text: String)]

    package init(_ files: [(path: String, text: String)]) { self.files = files }

    package static func == (left: Self, right: Self) -> Bool {
        left.files.elementsEqual(right.files) { $0 == $1 }
    }

    /// The path that SSDP points to.
    package var path: String { files.first?.path ?? "/" }

    /// What comes of asking for a file.
    package enum Answer: Equatable, Sendable {
        case file(String)
        /// The whole is promised, this much of it comes, and then nothing more; nobody closes.
        case stalled(String, of: Int)
        /// The file, and behind it so many more bytes of comments, which XML allows there.
        case padded(String, by: Int)
        /// Another path on this body, where the file is.
        case moved(to: String)
        case notFound
    }

    /// How much too long a description is with `description=long`.
    package static let paddingByteCount = 8 << 20
    private static let movedTo = "/moved"

    /// - Parameters:
    ///   - target: as the request has it, with its query.
    ///   - fault: how the files are served.
    package func answer(to target: String, fault: Fault.Description? = nil) -> Answer {
        let path = target.prefix { $0 != "?" }
        // The files without their fault.
        if path.hasPrefix(Self.movedTo + "/") {
            return file(path.dropFirst(Self.movedTo.count)).map(Answer.file) ?? .notFound
        }
        guard let file = file(path) else { return .notFound }
        switch fault {
        case nil: return .file(file)
        case .slow: return .stalled(String(file.prefix(file.count / 2)), of: file.utf8.count)
        case .long: return .padded(file, by: Self.paddingByteCount)
        case .broken: return .file(String(file.prefix(file.count * 2 / 3)))
        case .redirect: return .moved(to: Self.movedTo + path)
        }
    }

    private func file(_ path: Substring) -> String? { files.first { $0.path == path }?.text }
}
