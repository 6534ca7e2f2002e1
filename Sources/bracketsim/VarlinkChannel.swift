import Cameras
import Controller
import Interface
import NIOCore
import Varlink
import Worlds

/// Passes requests through the daemon's Varlink code. A request is encoded as a call, cut in two, checked against the
/// interface and decoded. An answer is encoded too, and must match the interface.
struct VarlinkChannel: RequestChannel {
    /// The interface is parsed only once, although each world has its own channel.
    private static let parsedInterface = Result { try DaemonInterface.parsed() }

    private let callChecker: VarlinkCallChecker
    private let interface: VarlinkInterface
    private var frames = FrameReader(lengthMax: Frame.callLengthMax)
    private var methods: [RequestID: String] = [:]
    private var calls = 0
    private var lastMethod = ""
    private(set) var failure: String?

    init() throws {
        interface = try Self.parsedInterface.get()
        callChecker = try VarlinkCallChecker(identity: DaemonInterface.identity, interfaces: [interface])
    }

    mutating func call(_ request: Request) -> Request? {
        calls += 1
        let call = VarlinkCall(request)
        guard let received = pass(Frame.encode(call.message)) else {
            failure = failure ?? "a valid call is rejected: \(call.method)"
            return nil
        }
        if received != request { failure = failure ?? "\(request) was received as \(received)" }
        return received
    }

    mutating func invalidCalls(_ number: UInt64) -> Request? {
        calls += 1
        // An invalid call ends its connection. The next call starts with a new reader.
        defer { frames = FrameReader(lengthMax: Frame.callLengthMax) }
        return pass(InvalidCalls.frame(number))
    }

    mutating func named(_ id: RequestID) { methods[id] = lastMethod }

    mutating func answered(_ answer: VirtualDaemon.Answer) {
        let reply: VarlinkReply
        switch answer.content {
        case .reply(let content, let continues):
            reply = VarlinkReply(parameters: content.parameters, continues: continues)
        case .error(let error):
            let said = error.varlinkError
            reply = VarlinkReply(parameters: said.parameters, error: said.name)
        }
        if let wrong = wrong(reply, to: methods[answer.id]) { failure = failure ?? wrong }
        if !reply.continues { methods[answer.id] = nil }
    }

    /// Decodes the bytes that a client sent.
    private mutating func pass(_ bytes: ByteBuffer) -> Request? {
        var rest = bytes
        // The position of the cut differs at each call, and is the same in each run.
        let cut = calls &* 7 % max(rest.readableBytes, 1)
        if let head = rest.readSlice(length: cut) { frames.append(head) }
        frames.append(rest)
        do {
            guard let frame = try frames.next() else { return nil }
            let call = try VarlinkCall(parsing: frame)
            guard try callChecker.answerAtOnce(call) == nil else { return nil }
            let request = try Request(call)
            lastMethod = call.method.split(separator: ".").last.map(String.init) ?? call.method
            return request
        } catch {
            return nil
        }
    }

    /// Returns the error that a client would find in the answer; nil: none.
    private func wrong(_ reply: VarlinkReply, to method: String?) -> String? {
        var frames = FrameReader(lengthMax: Frame.replyLengthMax)
        frames.append(Frame.encode(reply.message))
        do {
            guard let frame = try frames.next() else { return "a reply is incomplete" }
            let received = try VarlinkReply(parsing: frame)
            if received != reply { return "the reply \(reply) was received as \(received)" }
            guard let method else { return "a reply without a call: \(reply)" }
            if let error = received.error {
                guard let type = interface.errors[String(error.dropFirst(interface.name.count + 1))] else {
                    return "\(method) is answered with an error that is not in the interface: \(error)"
                }
                try interface.check(received.parameters, against: type)
            } else if let type = interface.methods[method]?.output {
                try interface.check(received.parameters, against: type)
            }
            return nil
        } catch {
            return "a reply to \(method ?? "an unknown method") does not match the interface: \(error)"
        }
    }
}

extension VarlinkCall {
    init(_ request: Request) {
        let (method, parameters, more): (String, JSONValue, Bool) =
            switch request {
            case .getStatus: ("GetStatus", [:], false)
            case .plan(let plan): ("Plan", ["plan": plan.call], false)
            case .shoot(let plan, let streams, let drops):
                ("Shoot", ["plan": plan.call, "drop": .bool(drops)], streams)
            case .pause(let withRedo): ("Pause", ["redo": .bool(withRedo)], false)
            case .resume: ("Resume", [:], false)
            case .cancel: ("Cancel", [:], false)
            case .retry(let streams): ("Retry", [:], streams)
            case .follow(let streams): ("Follow", [:], streams)
            case .retryShoot(let shoot, let streams, let drops):
                ("Retry", ["shoot": .int(Int64(shoot)), "drop": .bool(drops)], streams)
            case .resumeShoot(let shoot, let drops):
                ("Resume", ["shoot": .int(Int64(shoot)), "drop": .bool(drops)], false)
            case .extend(let input, let streams): ("Extend", input.call, streams)
            case .dismiss: ("Dismiss", [:], false)
            case .arm(let plan): ("Arm", .object(leavingOutNil: ["plan": plan.map(\.call)]), false)
            case .watch: ("Watch", [:], true)
            case .getCamera: ("GetCamera", [:], false)
            case .setProperty(let name, let value):
                ("SetProperty", ["name": .string(name), "value": .string(value)], false)
            case .files(let request): Self.call(request)
            case .snapshot(let size):
                ("Snapshot", .object(leavingOutNil: ["size": size.map { .string($0.rawValue) }]), false)
            case .getPhotos: ("GetPhotos", [:], false)
            case .watchPhotos: ("WatchPhotos", [:], true)
            case .readLedger(.shoots(let limit, let before)): Self.history(limit: limit, before: before)
            case .readLedger(.shoot(let id)): ("GetShoot", ["id": .int(Int64(id))], false)
            case .redo: ("Redo", [:], false)
            case .preflight(let plan): ("Preflight", ["plan": plan.call], false)
            case .inspect: ("Inspect", [:], false)
            case .getCameras: ("GetCameras", [:], false)
            case .watchCameras: ("WatchCameras", [:], true)
            case .connect(.text(let text)): ("Connect", ["camera": .string(text)], false)
            case .connect(.last): ("Connect", [:], false)
            case .disconnect: ("Disconnect", [:], false)
            }
        self.init(method: "io.bracketd.\(method)", parameters: parameters, more: more)
    }

    private static func history(limit: Int, before: Int?) -> (String, JSONValue, Bool) {
        let members = ["limit": JSONValue.int(Int64(limit)), "before": before.map { .int(Int64($0)) }]
        return ("GetHistory", .object(leavingOutNil: members), false)
    }

    private static func call(_ request: CameraFileRequest) -> (String, JSONValue, Bool) {
        switch request {
        case .list(let since, let limit):
            let members = ["since": since.map { JSONValue.string($0) }, "limit": .int(Int64(limit))]
            return ("GetFiles", .object(leavingOutNil: members), false)
        case .listSelected: return ("GetFiles", ["selected": true], false)
        case .getSelected: return ("FetchFiles", [:], false)
        case .get(let uris): return ("FetchFiles", ["uris": .strings(uris)], false)
        }
    }
}

extension PlanInput {
    fileprivate var call: JSONValue {
        .object(leavingOutNil: [
            "shadow": shadow.map { .string($0) }, "highlight": highlight.map { .string($0) },
            "frames": frames.map { .int(Int64($0)) }, "spacing": spacing.map { .double($0) },
            "biasThirds": biasThirds.map { .int(Int64($0)) }, "shareOnce": shareOnce.map { .bool($0) },
            "strict": strict.map { .bool($0) }, "hash": hash.map { .string($0) }, "goal": goal.map(\.call),
        ])
    }
}

extension ExtensionInput {
    fileprivate var call: JSONValue {
        .object(leavingOutNil: [
            "shoot": shoot.map { .int(Int64($0)) }, "speeds": .strings(speeds), "drop": .bool(drops),
        ])
    }
}

extension GoalInput {
    fileprivate var call: JSONValue {
        .object(leavingOutNil: [
            "framesMax": framesMax.map { .int(Int64($0)) }, "clipPercent": clipPercent.map { .double($0) },
            "floorCode": floorCode.map { .int(Int64($0)) }, "checkLight": checksLight.map { .bool($0) },
        ])
    }
}
