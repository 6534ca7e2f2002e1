import Controller
import Interface
import Varlink

extension Manifest {
    /// The version of the format. It increases with changes that an older reader would misread, not with new members.
    static let formatVersion = 1

    /// The content of `manifest.json` (docs/manifest.md).
    ///
    /// - Parameter folder: the name of the shoot's directory. Paths are relative to it, so that the user can move it.
    func json(inFolder folder: String) -> JSONValue {
        .object(leavingOutNil: [
            "version": .int(Self.formatVersion),
            "shoot": .int(shoot),
            "camera": .string(camera),
            "plan": .string(plan),
            "frames": .array(framesOfSets.map { $0.frame.json(inFolder: folder, as: $0.place) }),
            "coverage": coverage.map { Bracketd.Coverage($0).json },
        ])
    }

    /// Every frame of every set with its position. A shared frame that was fired once has a position in both sets.
    private var framesOfSets: [(frame: Manifest.Frame, place: (set: Int, frame: Int))] {
        var list: [(frame: Manifest.Frame, place: (set: Int, frame: Int))] = []
        for (before, frame) in zip([nil] + frames, frames) {
            if let before, before.set != frame.set, frame.frame > 1 { list.append((before, (frame.set, 1))) }
            list.append((frame, (frame.set, frame.frame)))
        }
        return list
    }
}

extension Manifest.Frame {
    fileprivate func json(inFolder folder: String, as place: (set: Int, frame: Int)) -> JSONValue {
        .object(leavingOutNil: [
            "set": .int(place.set),
            "frame": .int(place.frame),
            "sharedWithSet": place.set == set ? nil : .int(set),
            "speed": .string(speed),
            "outcome": .string(outcome),
            "doubt": doubt.map { .string($0) },
            "files": .array(files.map { $0.json(inFolder: folder) }),
        ])
    }
}

extension Manifest.File {
    fileprivate func json(inFolder folder: String) -> JSONValue {
        let isBelow = path.hasPrefix("\(folder)/")
        var members: [String: JSONValue?] = [
            "path": .string(isBelow ? String(path.dropFirst(folder.count + 1)) : "../\(path)"),
            "byteCount": byteCount.map { .int(Int64(clamping: $0)) },
        ]
        switch metadata {
        case nil: break
        case .unreadable(let reason): members["unreadable"] = .string(reason)
        case .notRead(let reason): members["notRead"] = .string(reason)
        case .read(let record):
            members["exposureTime"] = record.exposureTime.map { .string("\($0.numerator)/\($0.denominator)") }
            members["fNumber"] = record.fNumber.map { .double($0.value) }
            members["iso"] = record.iso.map { .int(Int64($0)) }
            members["capturedAt"] = record.capturedAt.map { .string($0) }
            members["model"] = record.model.map { .string($0) }
        }
        return .object(leavingOutNil: members)
    }
}
