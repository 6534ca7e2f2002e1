import Cameras
import NIOCore

extension Effect {
    /// What is done, in a few words; nil: it is told otherwise.
    package var words: String? {
        switch self {
        case .enqueue, .record: nil
        case .openLink(let generation, let link, let target, _):
            "connection \(generation.rawValue): opens \(link) to \(target.address)"
        case .send(let generation, let link, let bytes):
            "connection \(generation.rawValue): sends \(bytes.countWords) on \(link)"
        case .closeLink(let generation, let link): "connection \(generation.rawValue): closes \(link)"
        case .http(.discovery, let id, let action): "description \(id.rawValue): \(action.words)"
        case .http(let generation, let id, let action):
            "connection \(generation.rawValue), request \(id.rawValue): \(action.words)"
        case .watchRoute(let address): address.map { "watches the way to \($0)" } ?? "watches no way"
        case .discovery(let effect): effect.words
        case .reply(let id, _, let continues): "answers request \(id.rawValue)\(continues ? ", more follows" : "")"
        case .fail(let id, _): "refuses request \(id.rawValue)"
        case .journal(let entry): entry.kind == .transition ? nil : "journal: \(entry.message)"
        case .picture(let id, let effect): effect.words.map { "picture \(id.rawValue): \($0)" }
        case .manifest(let manifest): "writes the manifest of shoot \(manifest.shoot)"
        case .checkRoom: "looks for room for pictures"
        case .ledger(.open): "opens the ledger"
        case .ledger(.commit(let commit)): "commits to the ledger\(commit.isDurable ? ", and syncs" : "")"
        case .ledger(.read(let id, _)): "asks the ledger for request \(id.rawValue)"
        case .inspect: "looks at the machine"
        case .keepPlan(let plan, _): "keeps the armed plan: \(plan?.words ?? "the usual one")"
        case .lamp(let sign): "lamp: \(sign.rawValue)"
        case .status(let sentence): "status: \(sentence)"
        case .stopping(let limit): limit.map { "stops, and waits \($0.milliseconds) ms at the most" } ?? "stops"
        case .finished: "ends"
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
                ? "hears no cameras" : "hears cameras on \(interfaces.map(String.init).joined(separator: ", "))"
        case .ask: "asks for cameras"
        }
    }
}

extension PictureEffect {
    /// nil: one of many pieces.
    fileprivate var words: String? {
        switch self {
        case .begin(let destination, let offset): "begins \(destination.name) at byte \(offset)"
        case .bytes: nil
        case .finish: "finishes the file"
        case .interrupt: "keeps what came"
        case .abandon: "drops what came"
        }
    }
}
