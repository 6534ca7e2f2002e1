import Controller
import Varlink

extension Request {
    /// Reads a call whose parameters fit the interface.
    init(_ call: VarlinkCall) throws(VarlinkError) {
        switch call.method {
        case "io.bracketd.GetStatus": self = .getStatus
        case "io.bracketd.Plan": self = .plan(PlanInput(call.parameters["plan"]))
        case "io.bracketd.Shoot": self = .shoot(PlanInput(call.parameters["plan"]), streams: call.more)
        case "io.bracketd.Pause": self = .pause
        case "io.bracketd.Resume": self = .resume
        case "io.bracketd.Cancel": self = .cancel
        case "io.bracketd.Retry": self = .retry(streams: call.more)
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
        default: throw ServiceInterface.methodNotImplemented(call.method)
        }
    }
}

extension PlanInput {
    fileprivate init(_ value: JSONValue?) {
        self.init(
            shadow: value?["shadow"]?.stringValue,
            highlight: value?["highlight"]?.stringValue,
            frames: value?["frames"]?.intValue,
            spacing: value?["spacing"]?.doubleValue,
            biasThirds: value?["biasThirds"]?.intValue,
            shareOnce: value?["shareOnce"]?.boolValue,
            strict: value?["strict"]?.boolValue
        )
    }
}

extension RequestError {
    /// The error of `io.bracketd` that says this.
    var varlinkError: VarlinkError {
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
            case .notNow(let command, let state, let sentence):
                ("NotNow", ["command": .string(command), "state": .string(state), "sentence": .string(sentence)])
            case .propertyRefused(let property, let value, let sentence):
                (
                    "PropertyRefused",
                    ["property": .string(property), "value": .string(value), "sentence": .string(sentence)]
                )
            case .needsMore(let method): ("NeedsMore", ["method": .string(method)])
            case .tooManyClients(let limit): ("TooManyClients", ["limit": .int(limit)])
            case .stopping: ("Stopping", .emptyObject)
            }
        return VarlinkError(name: "io.bracketd.\(name)", parameters: parameters)
    }
}
