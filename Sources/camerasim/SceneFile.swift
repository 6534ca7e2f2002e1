import Bodies
import Exposure
import JSON
import ProgramOutput

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file with a scene: JSON, all positions in percent of the frame from its top left, all light in EV100.
struct SceneFile {
    /// The scene of the file.
    let scene: Scene
    /// The members that the reader does not know, with their places. They have no effect.
    let unknownMembers: [String]

    /// The maximum size of a file in bytes.
    static let byteCountMax = 1 << 20
    private static let version = 1

    init(parsing bytes: some Sequence<UInt8>) throws(ArgumentError) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw ArgumentError(description: SceneSentences.notJSON(error))
        }
        var reader = try SceneReader(document, at: "", members: Self.members)
        let version = try reader.integer("scene", in: 0...Int.max)
        guard version == Self.version else { throw ArgumentError(description: SceneSentences.otherVersion(version)) }
        scene = try reader.scene()
        unknownMembers = reader.unknown
    }

    /// Whether the scene's camera has fewer speeds than the scale.
    var hasLimits: Bool { scene.camera.limits != ShutterSpeed.fastest...ShutterSpeed.slowest }

    /// The speeds of the scene's camera, in the order of bodies; nil: the body's own speeds.
    var speeds: [ShutterSpeed]? { hasLimits ? scene.camera.speeds.reversed() : nil }

    func scene(withNoise hasNoise: Bool) -> Scene {
        var scene = scene
        scene.camera.hasNoise = hasNoise
        return scene
    }

    private static let members = ["scene", "name", "grid", "base", "shapes", "points", "light", "camera"]

    /// Reads the file at a path; `-` is standard input.
    static func read(_ path: String) throws(ArgumentError) -> SceneFile {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path) }
        defer { if file != STDIN_FILENO { close(file) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= byteCountMax {
            let count = readBytes(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { return try SceneFile(parsing: bytes) }
            bytes += piece[..<count]
        }
        throw ArgumentError(description: SceneSentences.tooLong)
    }

    private static func unreadable(_ path: String) -> ArgumentError {
        ArgumentError(description: SceneSentences.unreadable(path, SystemError(code: errno)))
    }
}

/// read(2), which the function of the same name hides.
private func readBytes(_ file: CInt, _ bytes: inout [UInt8], _ count: Int) -> Int { read(file, &bytes, count) }

/// Reads the members of one object of a scene's file, and notes those that are unknown.
struct SceneReader {
    private let members: [String: JSONValue]
    /// The place of the object in the file, such as `shapes[2].`; empty: the whole file.
    private let place: String
    private(set) var unknown: [String]

    init(_ value: JSONValue, at place: String, members known: [String]) throws(ArgumentError) {
        guard let members = value.objectValue else {
            throw Self.error(String(place.dropLast()), SceneSentences.noObject)
        }
        self.members = members
        self.place = place
        unknown = members.keys.filter { !known.contains($0) }.sorted().map { place + $0 }
    }

    private static func error(_ place: String, _ expected: String) -> ArgumentError {
        ArgumentError(description: SceneSentences.wrong(place, expected))
    }

    private func error(_ name: String, _ expected: String) -> ArgumentError { Self.error(place + name, expected) }

    /// A shape with no kind, or with several.
    var noKind: ArgumentError { Self.error(String(place.dropLast()), SceneSentences.noKind) }
    var wrongStep: ArgumentError { error("steps", SceneSentences.steps) }
    var wrongLimits: ArgumentError { error("limits", SceneSentences.limits) }

    func has(_ name: String) -> Bool { members[name] != nil }

    // MARK: Values

    func number(_ name: String, in range: ClosedRange<Double>, or usual: Double? = nil) throws(ArgumentError) -> Double
    {
        if members[name] == nil, let usual { return usual }
        guard let number = members[name]?.doubleValue, range.contains(number) else {
            throw error(name, SceneSentences.number(range))
        }
        return number
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(ArgumentError) -> Int {
        guard let number = members[name]?.intValue, range.contains(number) else {
            throw error(name, SceneSentences.integer(range))
        }
        return number
    }

    /// A list of this many numbers within the ranges.
    func numbers(_ name: String, _ ranges: [ClosedRange<Double>]) throws(ArgumentError) -> [Double] {
        let numbers = members[name]?.arrayValue?.compactMap(\.doubleValue) ?? []
        guard numbers.count == ranges.count, members[name]?.arrayValue?.count == ranges.count,
            zip(ranges, numbers).allSatisfy({ $0.contains($1) })
        else { throw error(name, SceneSentences.numbers(ranges)) }
        return numbers
    }

    func list(_ name: String, max: Int) throws(ArgumentError) -> [JSONValue] {
        guard let value = members[name] else { return [] }
        guard let list = value.arrayValue, list.count <= max else { throw error(name, SceneSentences.list(max: max)) }
        return list
    }

    func choice<Choice: RawRepresentable<String>>(
        _ name: String,
        _ usual: Choice,
        of all: [Choice]
    )
        throws(ArgumentError) -> Choice
    {
        guard let value = members[name] else { return usual }
        guard let text = value.stringValue, let choice = all.first(where: { $0.rawValue == text }) else {
            throw error(name, SceneSentences.oneOf(all.map(\.rawValue)))
        }
        return choice
    }

    func text(_ name: String) throws(ArgumentError) -> String {
        guard let value = members[name] else { return "" }
        guard let text = value.stringValue else { throw error(name, SceneSentences.text) }
        return text
    }

    /// The reader of a member that is an object; nil: the member is missing.
    func object(_ name: String, _ known: [String]) throws(ArgumentError) -> SceneReader? {
        guard let value = members[name] else { return nil }
        return try SceneReader(value, at: place + name + ".", members: known)
    }

    mutating func note(_ other: SceneReader) { unknown += other.unknown }
}
