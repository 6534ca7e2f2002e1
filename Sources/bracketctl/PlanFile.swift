import ArgumentParser
import Glibc

/// A file with the options of `bracketctl plan`, one per line.
struct PlanFile {
    let path: String

    /// The content of the file, or the reason why the file cannot be read.
    enum Contents: Equatable {
        case text(String)
        case unreadable(String)
    }

    /// The maximum size of the file in bytes. A plan needs about 100 bytes.
    private static let byteCountMax = 65_536

    func read() -> Contents {
        // O_NONBLOCK prevents that a FIFO at this path blocks the watch.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return .unreadable(String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .unreadable(FileSentences.notAFile)
        }
        guard let bytes = InputFile.bytes(of: file, countMax: PlanFile.byteCountMax + 1) else {
            return .unreadable(String(cString: strerror(errno)))
        }
        guard bytes.count <= PlanFile.byteCountMax else {
            return .unreadable(FileSentences.longerThan(PlanFile.byteCountMax))
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// Parses the options in the lines of the file.
    ///
    /// - Throws: `Failure` with the first invalid line and the reason.
    func options(_ contents: Contents) throws(Failure) -> PlanOptions {
        switch contents {
        case .unreadable(let reason):
            throw Failure("NoPlanFile", FileSentences.failed(path, .read, reason))
        case .text(let text): return try options(text)
        }
    }

    private func options(_ text: String) throws(Failure) -> PlanOptions {
        var all: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
                .map(PlanFile.trimmed)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do throws(Failure) {
                _ = try PlanFile.parse(words).request()
            } catch {
                let sentence = PlanSentences.invalidLine(index + 1, of: path, error.sentence)
                throw Failure(error.name, sentence, status: error.status)
            }
            all += words
        }
        return try PlanFile.parse(all)
    }

    /// The word without white space at its beginning and its end.
    private static func trimmed(_ word: Substring) -> String {
        let word = word.drop(while: \.isWhitespace)
        return word.lastIndex { !$0.isWhitespace }.map { String(word[...$0]) } ?? ""
    }

    private static func parse(_ arguments: [String]) throws(Failure) -> PlanOptions {
        do {
            return try PlanOptions.parse(arguments)
        } catch {
            // The argument parser accepts a request for help, but in a file such a request is an error.
            let isHelp = PlanOptions.exitCode(for: error) == .success
            let message =
                isHelp ? PlanSentences.notAnOption(arguments.first ?? "") : PlanOptions.message(for: error)
            let line = message.split(separator: "\n").joined(separator: " ")
            throw Failure.usage([".", "?"].contains(line.last) ? line : line + ".")
        }
    }
}
