import Controller
import Glibc

/// Has a program of its own read what a picture says of itself. A file from outside may bring that program to its end,
/// or hold it up, or have it say anything: the daemon goes on, and the picture's metadata is unreadable. Where the
/// fault is not the file's, it is not read.
struct MetadataReader: Sendable {
    static let programName = "bracketd-exif"
    /// The program needs milliseconds.
    static let timeout = Duration.seconds(2)
    /// Of what it prints.
    static let outputMax = 4096

    /// nil: there is none.
    var program: String?
    var timeout = Self.timeout

    init(program: String?, timeout: Duration = Self.timeout) {
        self.program = program
        self.timeout = timeout
    }

    /// The one that was installed with the daemon: beside it, or in `../libexec/bracketd`.
    static func installed() -> MetadataReader {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return MetadataReader(program: nil) }
        let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        let places = ["\(folder)/\(programName)", "\(folder)/../libexec/bracketd/\(programName)"]
        return MetadataReader(program: places.first { access($0, X_OK) == 0 })
    }

    /// What the file behind the descriptor says, from where the descriptor stands.
    func read(_ file: CInt) -> PictureMetadata {
        guard let program else { return .notRead("there is no \(Self.programName) beside the daemon") }
        do {
            let output = try BoundedProgram(path: program, input: file).run(
                outputMax: Self.outputMax,
                timeout: timeout
            )
            let record = try ExposureRecord(reportLines: output)
            return record == ExposureRecord() ? .unreadable("the file has no EXIF data") : .read(record)
        } catch let failure as BoundedProgram.Failure {
            let sentence = "\(Self.programName) \(failure)"
            return failure.isOfTheFile ? .unreadable(sentence) : .notRead(sentence)
        } catch {
            return .unreadable("\(Self.programName) printed what it should not: \(error)")
        }
    }
}

extension BoundedProgram.Failure {
    /// Whether the file may have brought the program to this. Time is the disk's or the machine's: a file that keeps
    /// the program busy ends it by its limit of processor time. An exit code is what its limits or its libraries say
    /// before it looks at the file.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .cannotStart, .tookTooLong, .failed: false
        case .printedTooMuch, .crashed: true
        }
    }
}

/// Why lines are no report of the reading program.
struct ReportError: Error, Equatable, CustomStringConvertible {
    let description: String
}

extension ExposureRecord {
    private static let textLengthMax = 64

    /// Reads `NAME VALUE` lines up to `end`, each name at most once, nothing else.
    init(reportLines bytes: [UInt8]) throws(ReportError) {
        self.init()
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ReportError(description: "no text") }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, lines.popLast() == "end" else {
            throw ReportError(description: "no end")
        }
        for line in lines {
            guard let space = line.firstIndex(of: " ") else { throw ReportError(description: "a line without a value") }
            try take(line[..<space], line[space...].dropFirst())
        }
    }

    private mutating func take(_ name: Substring, _ value: Substring) throws(ReportError) {
        switch name {
        case "exposure-time" where exposureTime == nil: exposureTime = Self.fraction(value)
        case "f-number" where fNumber == nil: fNumber = Self.fraction(value)
        case "iso" where iso == nil: iso = Self.number(value)
        case "captured-at" where capturedAt == nil: capturedAt = Self.time(value)
        case "model" where model == nil: model = Self.text(value)
        default: throw ReportError(description: "an unknown line, or one that stands twice")
        }
        let isTaken =
            switch name {
            case "exposure-time": exposureTime != nil
            case "f-number": fNumber != nil
            case "iso": iso != nil
            // A camera whose clock was never set writes spaces or zeros there: the picture is as good.
            case "captured-at": true
            default: model != nil
            }
        guard isTaken else { throw ReportError(description: "a value of \(name) that is none") }
    }

    private static func fraction(_ text: Substring) -> Fraction? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = number(parts[0]), let denominator = number(parts[1]) else { return nil }
        return Fraction(numerator, denominator)
    }

    private static func number(_ text: Substring) -> UInt32? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? UInt32(text) : nil
    }

    /// `YYYY:MM:DD hh:mm:ss` (EXIF 2.32, "DateTimeOriginal").
    private static func time(_ text: Substring) -> String? {
        let pattern = "0000:00:00 00:00:00".utf8
        let fits =
            text.utf8.count == pattern.count
            && zip(text.utf8, pattern).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0")
                    ? UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte : byte == wanted
            }
        return fits ? String(text) : nil
    }

    private static func text(_ text: Substring) -> String? {
        let isPrintable = text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        return isPrintable && 1...textLengthMax ~= text.utf8.count ? String(text) : nil
    }
}
