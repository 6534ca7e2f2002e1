import Controller
import Exposure
import Interface
import PictureReader
import PrintableText
import Varlink

struct SortReport {
    /// The maximum number of frames that the report names individually.
    private static let namedMax = 10

    let sorted: SortedShoot
    /// Local time minus UTC at the time of the shoot, in seconds.
    let localOffset: Double

    var status: ProcessExit {
        switch sorted.match {
        case .ambiguous: .error
        case .noFit: .nothingCaptured
        case .sorted:
            switch sorted.foundCount {
            case sorted.frames.count: .allDone
            case 0: .nothingCaptured
            default: .partial
            }
        }
    }

    // MARK: Sentences

    /// The first sentence: `14 of 15 frames have a file. Set 2, frame 3 (1/60) has no file.`
    var sentence: String {
        switch sorted.match {
        case .ambiguous(let clocks):
            let offsets = clocks.prefix(4).map { ahead(of: $0) }
            return SortSentences.severalOffsets(shoot: sorted.shoot.summary.id, offsets)
        case .noFit(let matched): return SortSentences.noOffset(frames: sorted.frames.count, matched: matched)
        case .sorted:
            let head = SortSentences.found(sorted.foundCount, of: sorted.frames.count)
            return ([head] + missing).joined(separator: " ")
        }
    }

    private var missing: [String] {
        let frames = sorted.frames.filter { $0.exposures.isEmpty }
        var sentences = frames.prefix(SortReport.namedMax).map {
            SortSentences.frameWithoutFile($0.title, isFired: $0.isFired)
        }
        if frames.count > SortReport.namedMax {
            sentences.append(SortSentences.moreWithoutFile(frames.count - SortReport.namedMax))
        }
        return sentences
    }

    /// The other remarks for the photographer. Each remark is a sentence.
    var remarks: [String] {
        guard case .sorted(let clock) = sorted.match, sorted.foundCount > 0 else { return [] }
        return [clockSentence(clock)] + sorted.frames.compactMap(remark) + sorted.strays.map(remark)
    }

    private func remark(_ frame: SortedShoot.Frame) -> String? {
        guard let last = frame.exposures.last else { return nil }
        let name = SortReport.name(last)
        if frame.hasOtherSpeed {
            let speed = last.picture.speed?.label ?? SortSentences.unknownSpeed
            return SortSentences.otherSpeed(frame.title, picture: name, speed: speed)
        }
        if frame.exposures.count > 1 {
            let earlier = frame.exposures.dropLast().map(SortReport.name)
            return SortSentences.firedTwice(frame.title, earlier: earlier, last: name)
        }
        guard frame.isAmbiguous else { return nil }
        return SortSentences.uncertain(frame.title, picture: name)
    }

    private func remark(_ stray: SortedShoot.Stray) -> String {
        let speed = stray.exposure.picture.speed?.label ?? SortSentences.unknownSpeed
        let sentence = SortSentences.stray(SortReport.name(stray.exposure), speed: speed)
        guard let near = stray.near else { return sentence }
        let frame = sorted.frames[near].record
        return "\(sentence) \(SortSentences.strayAdvice(nearSet: frame.set, frame: frame.frame))"
    }

    private static func name(_ exposure: CardExposure) -> String {
        PrintableText.clean(exposure.files.first?.path ?? exposure.picture.name)
    }

    // MARK: The clock

    private func clockSentence(_ clock: CardSort.Clock) -> String {
        let ahead = Int((clock.offset - localOffset).rounded())
        guard abs(ahead) > 2 else { return SortSentences.clockAgrees }
        let duration = SortReport.duration(abs(ahead))
        return ahead > 0 ? SortSentences.clockIsAhead(by: duration) : SortSentences.clockIsBehind(by: duration)
    }

    /// A duration in its two greatest units, rounded: `325 d 2 h`, `1 h 3 min`, `3 min 20 s`.
    static func duration(_ seconds: Int) -> String {
        let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        let first = units.firstIndex { seconds >= $0.0 } ?? 3
        let smallest = units[min(first + 1, 3)].0
        var rest = (seconds + smallest / 2) / smallest * smallest
        var words: [String] = []
        for (size, unit) in units {
            if rest >= size { words.append("\(rest / size) \(unit)") }
            rest %= size
        }
        return words.isEmpty ? "0 s" : words.joined(separator: " ")
    }

    /// The offset of the clock in the form of --clock-offset: `+1:03:00`.
    private func ahead(of clock: CardSort.Clock) -> String {
        let ahead = Int((clock.offset - localOffset).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let size = abs(ahead)
        return "\(ahead < 0 ? "-" : "+")\(size / 3600):\(two(size / 60 % 60)):\(two(size % 60))"
    }

    // MARK: JSON

    /// The manifest of the shoot. docs/manifest.md describes it.
    ///
    /// - Parameter placed: The files of each frame of each set.
    static func manifest(_ sorted: SortedShoot, _ placed: [[SortWriter.Placed]]) -> JSONValue {
        .object(leavingOutNil: [
            "version": .int(SortManifest.version),
            "writtenBy": .string(SortManifest.author),
            "shoot": .int(sorted.shoot.summary.id),
            "camera": .string(sorted.shoot.summary.camera),
            "plan": .string(sorted.shoot.summary.plan),
            "clockOffsetSeconds": sorted.clock.map { .double(($0.offset * 1000).rounded() / 1000) },
            "frames": .array(frames(sorted, placed)),
        ])
    }

    private static func frames(_ sorted: SortedShoot, _ placed: [[SortWriter.Placed]]) -> [JSONValue] {
        let places = sorted.sets.flatMap { set in set.frames.map { (set: set.set, place: $0.place, index: $0.index) } }
        return zip(places, placed).map { place, files in
            let frame = sorted.frames[place.index]
            return .object(leavingOutNil: [
                "set": .int(place.set),
                "frame": .int(place.place),
                "sharedWithSet": frame.record.set == place.set ? nil : .int(frame.record.set),
                "speed": .string(frame.record.speed),
                "outcome": .string(frame.record.outcome),
                "doubt": frame.record.doubt.map { .string($0) },
                "isUnsure": frame.isAmbiguous ? true : nil,
                "files": .array(files.map(file)),
            ])
        }
    }

    private static func file(_ placed: SortWriter.Placed) -> JSONValue {
        let exposure = placed.file.report?.exposure
        return .object(leavingOutNil: [
            "path": .string(placed.path),
            "original": .string(placed.original),
            "byteCount": .int(placed.file.byteCount),
            "exposureTime": exposure?.exposureTime.map { .string("\($0.numerator)/\($0.denominator)") },
            "fNumber": exposure?.fNumber.map { .double($0.value) },
            "iso": exposure?.iso.map { .int(Int64($0)) },
            "capturedAt": exposure?.capturedAt.map { .string($0) },
            "model": exposure?.model.map { .string($0) },
            "unreadable": placed.file.reason.map { .string($0) },
        ])
    }

    /// The shoot in the form of `--json`.
    ///
    /// - Parameter folder: The directory of the shoot's files; nil: nothing was written.
    func json(_ placed: [[SortWriter.Placed]], folder: String?) -> JSONValue {
        var members = SortReport.manifest(sorted, placed).objectValue ?? [:]
        members["version"] = nil
        members["writtenBy"] = nil
        members["framesWithFile"] = .int(sorted.foundCount)
        members["totalExposures"] = .int(sorted.frames.count)
        members["sentence"] = .string(sentence)
        members["remarks"] = .strings(remarks)
        members["folder"] = folder.map { .string($0) }
        members["strays"] = .array(
            sorted.strays.map { stray in
                let near = stray.near.map { sorted.frames[$0].record }
                return .object(leavingOutNil: [
                    "files": .strings(stray.exposure.files.map(\.path)),
                    "speed": stray.exposure.picture.speed.map { .string($0.label) },
                    "set": near.map { .int($0.set) },
                    "frame": near.map { .int($0.frame) },
                ])
            }
        )
        return .object(members)
    }
}

extension SortedShoot {
    var clock: CardSort.Clock? {
        guard case .sorted(let clock) = match else { return nil }
        return clock
    }
}
