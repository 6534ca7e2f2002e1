import Cameras
import NIOCore

extension Effect {
    /// The effect in a few words; nil: another line of the recording shows it.
    package var words: String? {
        switch self {
        case .enqueue, .record: nil
        case .openLink(let generation, let link, let target, _):
            "connection \(generation.rawValue): opens \(link) to \(target.address)"
        case .send(let generation, let link, let bytes):
            "connection \(generation.rawValue): sends \(bytes.byteCountText) on \(link)"
        case .closeLink(let generation, let link): "connection \(generation.rawValue): closes \(link)"
        case .http(.discovery, let id, let action): "description \(id.rawValue): \(action.words)"
        case .http(let generation, let id, let action):
            "connection \(generation.rawValue), request \(id.rawValue): \(action.words)"
        case .watchRoute(let address): address.map { "watches the route to \($0)" } ?? "watches no route"
        case .discovery(let effect): effect.words
        case .reply(let id, _, let continues):
            "answers request \(id.rawValue)\(continues ? ", more answers follow" : "")"
        case .fail(let id, _): "rejects request \(id.rawValue)"
        case .journal(let entry): entry.kind == .transition ? nil : "journal: \(entry.message)"
        case .picture(let id, let effect): effect.words.map { "picture \(id.rawValue): \($0)" }
        case .manifest(let manifest): "writes the manifest of shoot \(manifest.shoot)"
        case .readLight(let path): "reads the light of \(path)"
        case .readCoverage(let order): "checks the coverage of shoot \(order.shoot)"
        case .checkRoom: "checks the free space for pictures"
        case .ledger(.open): "opens the ledger"
        case .ledger(.commit(let commit)): "commits to the ledger\(commit.isDurable ? ", and syncs" : "")"
        case .ledger(.read(let id, _)): "queries the ledger for request \(id.rawValue)"
        case .inspect: "checks the machine"
        case .keepPlan(let plan, _): "stores the armed plan: \(plan?.words ?? "the default one")"
        case .lamp(let sign): "lamp: \(sign.rawValue)"
        case .status(let sentence): "status: \(sentence)"
        case .stopping(let limit):
            limit.map { "stops the daemon after \($0.milliseconds) ms at most" } ?? "stops the daemon"
        case .finished: "ends the daemon"
        }
    }
}

extension HTTPAction {
    fileprivate var words: String {
        switch self {
        case .perform(let request): "\(request.method.rawValue) http://\(request.address)\(request.path)"
        case .cancel: "cancelled"
        }
    }
}

extension DiscoveryEffect {
    fileprivate var words: String {
        switch self {
        case .listen(let interfaces, _):
            interfaces.isEmpty
                ? "receives no announcements of cameras"
                : "receives announcements on \(interfaces.map(String.init).joined(separator: ", "))"
        case .ask: "sends a search for cameras"
        }
    }
}

extension PictureEffect {
    /// The effect in a few words; nil: the effect is one of many pieces of the file.
    fileprivate var words: String? {
        switch self {
        case .begin(let destination, let offset): "begins the file \(destination.name) at byte \(offset)"
        case .bytes: nil
        case .finish: "finishes the file"
        case .interrupt: "keeps the received part of the file"
        case .abandon: "deletes the received part of the file"
        }
    }
}
