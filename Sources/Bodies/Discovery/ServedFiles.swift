/// The files that a body serves by HTTP, faults included: its description.
package struct ServedFiles: Equatable, Sendable {
    /// By path. SSDP announces the first one.
    private var files: [(path: String, text: String)]

    package init(_ files: [(path: String, text: String)]) { self.files = files }

    package static func == (left: Self, right: Self) -> Bool {
        left.files.elementsEqual(right.files) { $0 == $1 }
    }

    /// The announced path.
    package var path: String { files.first?.path ?? "/" }

    /// The answer to a request for a file.
    package enum Answer: Equatable, Sendable {
        case file(String)
        /// The head announces the whole file, but only this part follows, and the connection stays open.
        case stalled(String, of: Int)
        /// The file, followed by so many bytes of comments, which XML allows there.
        case padded(String, by: Int)
        /// Another path of the file on this body.
        case moved(to: String)
        case notFound
    }

    /// The excess length of a description with `description=long`.
    package static let paddingByteCount = 8 << 20
    private static let movedTo = "/moved"

    /// - Parameters:
    ///   - target: The target in the request, with its query.
    ///   - fault: How the files are served.
    package func answer(to target: String, fault: Fault.Description? = nil) -> Answer {
        let path = target.prefix { $0 != "?" }
        // The redirected path serves the files without the fault.
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
