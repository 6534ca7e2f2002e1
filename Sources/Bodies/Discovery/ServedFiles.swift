/// The description files that a body with its faults serves by HTTP.
package struct ServedFiles: Equatable, Sendable {
    /// The files with their paths. SSDP announces the first file.
    private var files: [(path: String, text: String)]

    package init(_ files: [(path: String, text: String)]) { self.files = files }

    package static func == (left: Self, right: Self) -> Bool {
        left.files.elementsEqual(right.files) { $0 == $1 }
    }

    /// The path that SSDP announces.
    package var path: String { files.first?.path ?? "/" }

    /// The answer to a request for a file.
    package enum Answer: Equatable, Sendable {
        case file(String)
        /// The head of the reply announces `of` bytes, but only this text follows. The connection stays open.
        case stalled(String, of: Int)
        /// The file, followed by `by` bytes of XML comments. XML allows comments after a document.
        case padded(String, by: Int)
        /// A redirect to another path of the file on this body.
        case moved(to: String)
        case notFound
    }

    /// The number of bytes that the fault `description=long` adds to a description.
    package static let paddingByteCount = 8 << 20
    private static let movedTo = "/moved"

    /// - Parameters:
    ///   - target: The target in the request, with its query.
    ///   - fault: The fault of the served files.
    package func answer(to target: String, fault: Fault.Description? = nil) -> Answer {
        let path = target.prefix { $0 != "?" }
        // A redirected request gets the file without the fault.
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
