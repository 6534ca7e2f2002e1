import Interface
import Varlink

/// A camera in the daemon's list of known and found cameras.
typealias ListedCamera = Bracketd.CameraEntry

extension ListedCamera {
    static let headline = ["state", "name", "id", "address", "network", ""]

    var cells: [String] { [state, name, id ?? "", address ?? "", network ?? "", note ?? ""] }

    /// The details of the camera: `sony-0123, 192.168.122.1:15740, DIRECT-a1E0:ILCE-7M3`. Unknown details are left out.
    var details: String { [id, address, network, note].compactMap(\.self).joined(separator: ", ") }

    /// The daemon's remark about the camera. Without a remark: a note if `connect --last` connects to this camera.
    private var note: String? { remark ?? (isLast && state != "connected" ? CameraListSentences.connectedLast : nil) }
}

struct CameraChange {
    /// The kind of change: `listed` for a camera of the first list, `appeared`, `changed` or `went`.
    let word: String
    let camera: ListedCamera
    /// The states before and after the change: `known → connected`.
    let states: String

    init(_ word: String, _ camera: ListedCamera, states: String? = nil) {
        self.word = word
        self.camera = camera
        self.states = states ?? camera.state
    }

    private init(from old: ListedCamera, to new: ListedCamera) {
        self.init("changed", new, states: old.state == new.state ? nil : "\(old.state) → \(new.state)")
    }

    /// The changes between two lists: removed cameras first, then new and changed ones in the order of the list.
    static func between(_ before: [ListedCamera], _ now: [ListedCamera]) -> [CameraChange] {
        let pairs = pairs(before, now)
        let went = before.indices.filter { place in !pairs.contains(place) && !before[place].lives(on: now) }
        return went.map { CameraChange("went", before[$0], states: "\(before[$0].state) → gone") }
            + zip(now, pairs).compactMap { camera, place in
                guard let place else { return CameraChange("appeared", camera, states: "→ \(camera.state)") }
                return before[place] == camera ? nil : CameraChange(from: before[place], to: camera)
            }
    }

    /// The index of each camera in the earlier list; nil: the camera is new. Cameras are matched by id. Before the
    /// first connection a camera has no id, and is matched by address or by name.
    private static func pairs(_ before: [ListedCamera], _ now: [ListedCamera]) -> [Int?] {
        var pairs = [Int?](repeating: nil, count: now.count)
        let isSame: [(ListedCamera, ListedCamera) -> Bool] = [
            { $0.id != nil && $0.id == $1.id },
            { ($0.id == nil || $1.id == nil) && $0.address != nil && $0.address == $1.address },
            { $0.id == nil && $1.id == nil && ($0.address == nil || $1.address == nil) && $0.name == $1.name },
        ]
        for rule in isSame {
            for index in now.indices where pairs[index] == nil {
                pairs[index] = before.indices.first { !pairs.contains($0) && rule(before[$0], now[index]) }
            }
        }
        return pairs
    }

    /// The change as text: `Sony ILCE-7M3: known → connected (sony-0123, 192.168.122.1:15740)`.
    var text: String {
        "\(camera.name): \(states)" + (camera.details.isEmpty ? "" : " (\(camera.details))")
    }

    var json: JSONValue { camera.json.adding("change", .string(word)) }
}

extension ListedCamera {
    /// Whether this camera has no id, and one of `cameras` has the same address.
    fileprivate func lives(on cameras: [ListedCamera]) -> Bool {
        id == nil && address != nil && cameras.contains { $0.address == address }
    }
}
