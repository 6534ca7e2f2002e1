import Controller
import Glibc
import Processes

/// Reads the metadata of a picture in a separate program. A hostile file can crash that program, delay it or control
/// its output. The daemon then continues, and the metadata counts as unreadable. If the file did not cause the failure,
/// the metadata counts as not read.
package struct MetadataReader: Sendable {
    package static let programName = "bracketd-exif"
    /// The time limit. The program needs only milliseconds.
    package static let timeout = Duration.seconds(2)
    /// The maximum number of bytes of the program's output.
    static let outputMax = 4096

    /// The path of the program; nil: not installed.
    package var program: String?
    private var timeout: Duration

    package init(program: String?, timeout: Duration = Self.timeout) {
        self.program = program
        self.timeout = timeout
    }

    /// The program installed with the daemon: in its directory, or in `../libexec/bracketd`.
    package static func installed() -> MetadataReader {
        guard let folder = OwnProgram.folder else { return MetadataReader(program: nil) }
        let places = ["\(folder)/\(programName)", "\(folder)/../libexec/bracketd/\(programName)"]
        return MetadataReader(program: places.first { access($0, X_OK) == 0 })
    }

    /// Reads the metadata of the file, from the descriptor's position on.
    package func read(_ file: CInt) -> PictureMetadata {
        do throws(PictureReport.Failure) {
            return .read(try report(file, arguments: []).exposure)
        } catch {
            return error.isOfTheFile ? .unreadable(error.sentence) : .notRead(error.sentence)
        }
    }

    /// Reads the full report. It includes the fraction of the second, which sorting needs.
    package func report(_ file: CInt) throws(PictureReport.Failure) -> PictureReport {
        try report(file, arguments: ["--fractions"])
    }

    private func report(_ file: CInt, arguments: [String]) throws(PictureReport.Failure) -> PictureReport {
        let output = try output(file, arguments: arguments, outputMax: Self.outputMax, timeout: timeout)
        do throws(ReportError) {
            let report = try PictureReport(reportLines: output)
            guard report.exposure == ExposureRecord() else { return report }
        } catch {
            throw PictureReport.Failure(MetadataSentences.reportIsInvalid(error), isOfTheFile: true)
        }
        throw PictureReport.Failure(MetadataSentences.noMetadata, isOfTheFile: true)
    }

    /// Runs the program on a file.
    func output(
        _ file: CInt,
        arguments: [String],
        outputMax: Int,
        timeout: Duration
    ) throws(PictureReport.Failure) -> [UInt8] {
        guard let program else {
            throw PictureReport.Failure(MetadataSentences.programIsMissing, isOfTheFile: false)
        }
        do throws(BoundedProgram.Failure) {
            let bounded = BoundedProgram(path: program, arguments: arguments, input: file)
            return try bounded.run(outputMax: outputMax, timeout: timeout)
        } catch {
            throw PictureReport.Failure(MetadataSentences.programFailed(error), isOfTheFile: error.isOfTheFile)
        }
    }
}

extension BoundedProgram.Failure {
    /// Whether the file may have caused the failure. A timeout comes from the disk or the machine: a busy program would
    /// reach its limit of processor time earlier. An exit code comes from the program's limits or libraries, before the
    /// program reads the file.
    fileprivate var isOfTheFile: Bool {
        switch self {
        case .cannotStart, .tookTooLong, .failed: false
        case .printedTooMuch, .crashed: true
        }
    }
}

package struct ReportError: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// The report about a picture that the program printed.
package struct PictureReport: Equatable, Sendable {
    package struct Failure: Error, Equatable {
        package let sentence: String
        /// Whether the file caused the failure. If not, nothing is known about the file.
        package let isOfTheFile: Bool

        init(_ sentence: String, isOfTheFile: Bool) {
            self.sentence = sentence
            self.isOfTheFile = isOfTheFile
        }
    }

    package private(set) var exposure = ExposureRecord()
    /// The digits of SubSecTimeOriginal: `25` is 0.25 s after `capturedAt`.
    package private(set) var fraction: String?

    private static let textLengthMax = 64
    /// The maximum number of digits. EXIF 2.32, "SubSecTimeOriginal", permits any number.
    private static let fractionLengthMax = 9

    /// Reads lines `NAME VALUE` up to the line `end`. A repeated name is an error, and so is any other line.
    package init(reportLines bytes: [UInt8]) throws(ReportError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ReportError(description: "not text") }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true, lines.popLast() == "end" else {
            throw ReportError(description: "the last line is missing")
        }
        for line in lines {
            guard let space = line.firstIndex(of: " ") else { throw ReportError(description: "a line without a value") }
            try take(line[..<space], line[space...].dropFirst())
        }
    }

    private mutating func take(_ name: Substring, _ value: Substring) throws(ReportError) {
        switch name {
        case "exposure-time" where exposure.exposureTime == nil: exposure.exposureTime = Self.fraction(value)
        case "f-number" where exposure.fNumber == nil: exposure.fNumber = Self.fraction(value)
        case "iso" where exposure.iso == nil: exposure.iso = Self.number(value)
        case "captured-at" where exposure.capturedAt == nil: exposure.capturedAt = Self.time(value)
        case "captured-fraction" where fraction == nil: fraction = Self.digits(value)
        case "model" where exposure.model == nil: exposure.model = Self.text(value)
        default: throw ReportError(description: "an unknown or repeated line")
        }
        let isTaken =
            switch name {
            case "exposure-time": exposure.exposureTime != nil
            case "f-number": exposure.fNumber != nil
            case "iso": exposure.iso != nil
            // A camera whose clock was never set writes spaces or zeros. The picture is still valid.
            case "captured-at", "captured-fraction": true
            default: exposure.model != nil
            }
        guard isTaken else { throw ReportError(description: "an invalid value of \(name)") }
    }

    private static func digits(_ text: Substring) -> String? {
        number(text) != nil && 1...fractionLengthMax ~= text.utf8.count ? String(text) : nil
    }

    private static func fraction(_ text: Substring) -> ExposureRecord.Fraction? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = number(parts[0]), let denominator = number(parts[1]) else { return nil }
        return ExposureRecord.Fraction(numerator, denominator)
    }

    private static func number(_ text: Substring) -> UInt32? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? UInt32(text) : nil
    }

    /// Reads a time `YYYY:MM:DD hh:mm:ss` (EXIF 2.32, "DateTimeOriginal").
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
