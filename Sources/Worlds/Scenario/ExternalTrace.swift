import Cameras
import Controller
import NIOCore

/// A hash of the daemon's effects on the world: bytes and requests to cameras, links, and commits to the ledger.
///
/// Sentences do not count. If the code changes without a change of behavior, the hash of each seed stays the same.
package struct ExternalTrace: Equatable, Sendable {
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    private init(of value: Any) {
        mixContent(of: value)
    }

    /// Adds the effects of one input.
    mutating func note(_ performed: ArraySlice<Effect>, at now: Duration) {
        for effect in performed {
            switch effect {
            case .openLink(let generation, let link, let target, let timeout):
                let place = "\(Self.name(link)), \(target.address), timeout: \(timeout)"
                mix("\(now) openLink(Controller.\(generation), Cameras.LinkChannel.\(place))")
            case .closeLink(let generation, let link):
                mix("\(now) closeLink(Controller.\(generation), Cameras.LinkChannel.\(Self.name(link)))")
            case .http(_, _, .cancel): mix("\(now) \(effect)")
            case .http(_, _, .perform(let request)):
                mix("\(now) \(request.method) \(request.address)\(request.path)")
                for byte in request.body.readableBytesView { mix(UInt64(byte)) }
            case .send(_, let link, let bytes):
                mix("\(now) \(Self.name(link))")
                for byte in bytes.readableBytesView { mix(UInt64(byte)) }
            case .ledger(.commit(let commit)):
                mix("\(now)")
                mixContent(of: commit)
            default: break
            }
        }
    }

    /// The link's name in earlier versions, so that the hashes of two versions can be compared.
    private static func name(_ link: LinkID) -> String {
        switch link.rawValue {
        case 0: "command"
        case 1: "event"
        default: "\(link)"
        }
    }

    private mutating func mix(_ word: UInt64) {
        digest = (digest ^ word) &* 0x9E37_79B9_7F4A_7C15
        digest ^= digest >> 29
    }

    private mutating func mix(_ text: String) {
        for byte in text.utf8 { mix(UInt64(byte)) }
    }

    /// Adds all values except texts. Texts are sentences, or are made from other values of the same object.
    private mutating func mixContent(of value: Any) {
        if value is String { return }
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else { return mix("\(value)") }
        guard mirror.displayStyle != .dictionary, mirror.displayStyle != .set else {
            // A set or dictionary has another order in each process.
            return mix(mirror.children.reduce(0) { $0 &+ ExternalTrace(of: $1.value).digest })
        }
        for child in mirror.children { mixContent(of: child.value) }
    }
}
