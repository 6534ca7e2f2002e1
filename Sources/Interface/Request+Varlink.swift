import Controller
import PrintableText
import Varlink

extension Request {
    /// Reads a call whose parameters fit the interface. The texts in them become printable.
    package init(_ call: VarlinkCall) throws(VarlinkError) {
        var call = call
        call.parameters = call.parameters.printable
        switch call.method {
        case "io.bracketd.GetStatus": self = .getStatus
        case "io.bracketd.Plan": self = .plan(PlanInput(call.parameters["plan"]))
        case "io.bracketd.Preflight": self = .preflight(PlanInput(call.parameters["plan"]))
        case "io.bracketd.Shoot":
            self = .shoot(
                PlanInput(call.parameters["plan"]),
                streams: call.more,
                drops: call.parameters["drop"]?.boolValue ?? false
            )
        case "io.bracketd.Pause": self = .pause(withRedo: call.parameters["redo"]?.boolValue ?? false)
        case "io.bracketd.Redo": self = .redo
        case "io.bracketd.Resume":
            let drops = call.parameters["drop"]?.boolValue ?? false
            self = call.parameters["shoot"]?.intValue.map { .resumeShoot($0, drops: drops) } ?? .resume
        case "io.bracketd.Cancel": self = .cancel
        case "io.bracketd.Retry":
            let drops = call.parameters["drop"]?.boolValue ?? false
            self =
                call.parameters["shoot"]?.intValue.map { .retryShoot($0, streams: call.more, drops: drops) }
                ?? .retry(streams: call.more)
        case "io.bracketd.Follow": self = .follow(streams: call.more)
        case "io.bracketd.Dismiss": self = .dismiss
        case "io.bracketd.Watch":
            guard call.more else { throw RequestError.needsMore(method: call.method).varlinkError }
            self = .watch
        case "io.bracketd.GetCamera": self = .getCamera
        case "io.bracketd.SetProperty":
            // The interface has made sure of both.
            self = .setProperty(
                name: call.parameters["name"]?.stringValue ?? "",
                value: call.parameters["value"]?.stringValue ?? ""
            )
        case "io.bracketd.GetPhotos": self = .getPhotos
        case "io.bracketd.WatchPhotos":
            guard call.more else { throw RequestError.needsMore(method: call.method).varlinkError }
            self = .watchPhotos
        case "io.bracketd.GetHistory": self = .readLedger(try LedgerQuery(listing: call.parameters))
        case "io.bracketd.GetShoot":
            // The interface has made sure of it.
            self = .readLedger(.shoot(call.parameters["id"]?.intValue ?? 0))
        case "io.bracketd.Arm": self = .arm(call.parameters["plan"].flatMap { $0 == .null ? nil : PlanInput($0) })
        case "io.bracketd.Inspect": self = .inspect
        case "io.bracketd.GetCameras": self = .getCameras
        case "io.bracketd.WatchCameras":
            guard call.more else { throw RequestError.needsMore(method: call.method).varlinkError }
            self = .watchCameras
        case "io.bracketd.Connect":
            self = .connect(call.parameters["camera"]?.stringValue.map { .text($0) } ?? .last)
        case "io.bracketd.Disconnect": self = .disconnect
        default: throw ServiceInterface.methodNotImplemented(call.method)
        }
    }
}

extension LedgerQuery {
    private static let limits = 1...200
    private static let limitDefault = 20

    fileprivate init(listing parameters: JSONValue) throws(VarlinkError) {
        let limit = parameters["limit"]?.intValue ?? Self.limitDefault
        let before = parameters["before"]?.intValue
        guard Self.limits.contains(limit) else {
            throw ServiceInterface.invalidParameter(
                "limit",
                sentence: "\(Self.limits.lowerBound) to \(Self.limits.upperBound) are possible, this is \(limit)"
            )
        }
        if let before, before < 1 {
            throw ServiceInterface.invalidParameter("before", sentence: "shoots count from 1, this is \(before)")
        }
        self = .shoots(limit: limit, before: before)
    }
}

extension PlanInput {
    /// Reads what fits the interface; what is missing is left to the defaults.
    package init(_ value: JSONValue?) {
        self.init(
            shadow: value?["shadow"]?.stringValue,
            highlight: value?["highlight"]?.stringValue,
            frames: value?["frames"]?.intValue,
            spacing: value?["spacing"]?.doubleValue,
            biasThirds: value?["biasThirds"]?.intValue,
            shareOnce: value?["shareOnce"]?.boolValue,
            strict: value?["strict"]?.boolValue,
            hash: value?["hash"]?.stringValue
        )
    }
}

extension RequestError {
    /// The error of `io.bracketd` that says this.
    package var varlinkError: VarlinkError {
        let (name, parameters): (String, JSONValue) =
            switch self {
            case .notConnected(let sentence): ("NotConnected", ["sentence": .string(sentence)])
            case .invalidPlan(let parameter, let value, let sentence):
                (
                    "InvalidPlan",
                    ["parameter": .string(parameter), "value": .string(value), "sentence": .string(sentence)]
                )
            case .planNotExact(let warnings, let sentence):
                ("PlanNotExact", ["warnings": .strings(warnings), "sentence": .string(sentence)])
            case .planChanged(let was, let now, let sentence):
                (
                    "PlanChanged",
                    .object(leavingOutNil: [
                        "was": .string(was), "now": now.map { .string($0) }, "sentence": .string(sentence),
                    ])
                )
            case .preflightFailed(let checks, let sentence):
                ("PreflightFailed", ["checks": .array(checks.map(\.value)), "sentence": .string(sentence)])
            case .notNow(let command, let state, let sentence):
                ("NotNow", ["command": .string(command), "state": .string(state), "sentence": .string(sentence)])
            case .framesMissing(let shoot, let sentence):
                (
                    "FramesMissing",
                    [
                        "shoot": .int(shoot.id), "missing": .int(shoot.missing), "total": .int(shoot.total),
                        "sentence": .string(sentence),
                    ]
                )
            case .propertyRefused(let property, let value, let sentence):
                (
                    "PropertyRefused",
                    ["property": .string(property), "value": .string(value), "sentence": .string(sentence)]
                )
            case .noSuchShoot(let id, let sentence):
                ("NoSuchShoot", ["id": .int(id), "sentence": .string(sentence)])
            case .ledgerUnavailable(let sentence): ("LedgerUnavailable", ["sentence": .string(sentence)])
            case .noSuchCamera(let text, let known, let sentence):
                (
                    "NoSuchCamera",
                    ["camera": .string(text), "known": .strings(known), "sentence": .string(sentence)]
                )
            case .planNotKept(let sentence): ("PlanNotKept", ["sentence": .string(sentence)])
            case .needsMore(let method): ("NeedsMore", ["method": .string(method)])
            case .tooManyClients(let limit): ("TooManyClients", ["limit": .int(limit)])
            case .stopping: ("Stopping", .emptyObject)
            }
        return VarlinkError(name: "io.bracketd.\(name)", parameters: parameters)
    }
}

extension JSONValue {
    /// The same with printable texts, each of a bounded length.
    fileprivate var printable: JSONValue {
        switch self {
        case .string(let text): .string(PrintableText.clean(text))
        case .array(let values): .array(values.map(\.printable))
        case .object(let members): .object(members.mapValues(\.printable))
        case .null, .bool, .int, .double: self
        }
    }
}
