import Controller
import Exposure
import Processes

extension MetadataReader {
    /// The time limit for decoding. The program limits its processor time to half of it.
    package static let lightTimeout = Duration.seconds(20)
    /// The maximum number of bytes of the report: two digits per block, ten per number.
    private static let lightOutputMax = 1 << 18

    /// Decodes a JPEG and reads its light, and its metadata as far as it has some.
    ///
    /// - Parameters:
    ///   - file: the picture, from the descriptor's position on.
    ///   - points: spots to read, at most 16.
    package func light(
        _ file: CInt,
        at points: [PicturePoint] = []
    ) throws(PictureReport.Failure) -> LightReport {
        let spots = points.map { "\($0.x),\($0.y)" }
        let output = try output(
            file,
            arguments: ["--light"] + spots,
            outputMax: Self.lightOutputMax,
            timeout: Self.lightTimeout
        )
        if let reason = LightReport.refusal(output) {
            throw PictureReport.Failure(LightSentences.refused(reason), isOfTheFile: reason != .noMemory)
        }
        let report: LightReport
        do throws(ReportError) {
            report = try LightReport(reportLines: output)
        } catch {
            throw PictureReport.Failure(MetadataSentences.reportIsInvalid(error), isOfTheFile: true)
        }
        guard report.spots.count == points.count else {
            let error = ReportError(description: "another number of spots")
            throw PictureReport.Failure(MetadataSentences.reportIsInvalid(error), isOfTheFile: true)
        }
        return report
    }
}

/// The light of a picture, as the program reported it.
package struct LightReport: Equatable, Sendable {
    /// A spot's median codes.
    package struct Spot: Equatable, Sendable {
        package let brightest: Int
        package let luma: Int
    }

    package let metadata: PictureReport
    /// In pixels, as the picture is viewed.
    package let width: Int
    package let height: Int
    package let light: PictureLight
    /// In the order of the points.
    package let spots: [Spot]

    private static let names: Set<Substring> = [
        "picture", "scale", "brightest", "luma", "spot", "map",
    ]
    private static let sideMax = 65_535

    /// Reads the lines of the metadata and of the light, up to the line `end`.
    package init(reportLines bytes: [UInt8]) throws(ReportError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ReportError(description: "not text") }
        var others: [Substring] = []
        var values: [Substring: [Substring]] = [:]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let name = line.prefix { $0 != " " }
            if Self.names.contains(name) {
                values[name, default: []].append(line.dropFirst(name.count + 1))
            } else {
                others.append(line)
            }
        }
        metadata = try PictureReport(reportLines: Array(others.joined(separator: "\n").utf8))
        func only(_ name: Substring) throws(ReportError) -> Substring {
            guard let found = values[name], found.count == 1 else {
                throw ReportError(description: "not one line \(name)")
            }
            return found[0]
        }
        let sides = try Self.numbers(only("picture"), count: 2)
        guard sides.allSatisfy({ 1...Self.sideMax ~= $0 }) else { throw ReportError(description: "an invalid size") }
        (width, height) = (sides[0], sides[1])
        light = PictureLight(
            brightest: try Self.histogram(only("brightest")),
            luma: try Self.histogram(only("luma")),
            map: try Self.map(only("map"))
        )
        var spots: [Spot] = []
        for line in values["spot"] ?? [] {
            let codes = try Self.numbers(line, count: 2)
            guard codes.allSatisfy({ 0...255 ~= $0 }) else { throw ReportError(description: "an invalid code") }
            spots.append(Spot(brightest: codes[0], luma: codes[1]))
        }
        self.spots = spots
    }

    /// Why a picture is not decoded.
    package enum Refusal: String, CaseIterable, Sendable {
        case notJPEG = "not-jpeg"
        case progressive
        case arithmetic
        case unusual
        case tooManyPixels = "too-many-pixels"
        case tooManyBytes = "too-many-bytes"
        case damaged
        case noMemory = "no-memory"
    }

    /// The reason in the report, whose metadata may be complete; nil: the picture was decoded, or no reason is known.
    static func refusal(_ bytes: [UInt8]) -> Refusal? {
        let name = Array("no-light ".utf8)
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: name) }
        return line.flatMap { Refusal(rawValue: String(decoding: $0.dropFirst(name.count), as: UTF8.self)) }
    }

    private static func numbers(_ text: Substring, count: Int) throws(ReportError) -> [Int] {
        let numbers = text.split(separator: " ").compactMap { UInt32(String($0)) }
        guard numbers.count == count else { throw ReportError(description: "an invalid list of numbers") }
        return numbers.map { Int($0) }
    }

    private static func histogram(_ text: Substring) throws(ReportError) -> CodeHistogram {
        let counts = try numbers(text, count: 256).map { UInt32($0) }
        guard let histogram = CodeHistogram(counts: counts) else { throw ReportError(description: "no pixels") }
        return histogram
    }

    private static func map(_ text: Substring) throws(ReportError) -> PictureMap {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let columns = Int(parts[0]), let rows = Int(parts[1]) else {
            throw ReportError(description: "an invalid map")
        }
        let digits = parts[2].utf8.compactMap(digit)
        guard digits.count == parts[2].utf8.count, digits.count % 2 == 0 else {
            throw ReportError(description: "invalid digits in a map")
        }
        let blocks = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        guard let map = PictureMap(columns: columns, rows: rows, blocks: blocks) else {
            throw ReportError(description: "a map of another size")
        }
        return map
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
