import Cameras
import Controller
import PrintableText
import Varlink

extension Request {
    /// Reads a call whose parameters fit the interface. Unprintable characters in its texts are replaced.
    package init(_ call: VarlinkCall) throws(VarlinkError) {
        switch try Bracketd.Call(checked: call) {
        case .getStatus: self = .getStatus
        case .plan(let call): self = .plan(PlanInput(call.plan))
        case .preflight(let call): self = .preflight(PlanInput(call.plan))
        case .shoot(let shoot):
            self = .shoot(PlanInput(shoot.plan), streams: call.more, drops: shoot.drop ?? false)
        case .pause(let pause): self = .pause(withRedo: pause.redo ?? false)
        case .redo: self = .redo
        case .resume(let resume):
            self = resume.shoot.map { .resumeShoot($0, drops: resume.drop ?? false) } ?? .resume
        case .cancel: self = .cancel
        case .retry(let retry):
            self =
                retry.shoot.map { .retryShoot($0, streams: call.more, drops: retry.drop ?? false) }
                ?? .retry(streams: call.more)
        case .extend(let extend):
            let input = ExtensionInput(shoot: extend.shoot, speeds: extend.speeds, drops: extend.drop ?? false)
            self = .extend(input, streams: call.more)
        case .follow: self = .follow(streams: call.more)
        case .dismiss: self = .dismiss
        case .watch: self = try .watch.needing(more: call)
        case .getCamera: self = .getCamera
        case .setProperty(let property): self = .setProperty(name: property.name, value: property.value)
        case .getFiles(let files): self = .files(try CameraFileRequest(files))
        case .fetchFiles(let files): self = .files(try CameraFileRequest(files))
        case .snapshot(let snapshot): self = .snapshot(try snapshot.size.map(LiveViewSize.init(parameter:)))
        case .getPhotos: self = .getPhotos
        case .watchPhotos: self = try .watchPhotos.needing(more: call)
        case .getHistory(let history): self = .readLedger(try LedgerQuery(history))
        case .getShoot(let shoot): self = .readLedger(.shoot(shoot.id))
        case .arm(let arm): self = .arm(arm.plan.map { PlanInput($0) })
        case .inspect: self = .inspect
        case .getCameras: self = .getCameras
        case .watchCameras: self = try .watchCameras.needing(more: call)
        case .connect(let connect): self = .connect(connect.camera.map { .text($0) } ?? .last)
        case .disconnect: self = .disconnect
        }
    }

    private func needing(more call: VarlinkCall) throws(VarlinkError) -> Request {
        guard call.more else { throw RequestError.needsMore(method: call.method).varlinkError }
        return self
    }
}

extension Bracketd.Call {
    /// Reads a call whose parameters the server has checked against the interface.
    fileprivate init(checked call: VarlinkCall) throws(VarlinkError) {
        let typed: Bracketd.Call?
        do throws(VarlinkMismatch) {
            typed = try Bracketd.Call(call.method, call.parameters.printable)
        } catch {
            throw ServiceInterface.invalidParameter(
                error.path,
                sentence: ParameterSentences.otherType(wanted: error.wanted)
            )
        }
        guard let typed else { throw ServiceInterface.methodNotImplemented(call.method) }
        self = typed
    }
}

extension LedgerQuery {
    private static let limits = 1...200
    private static let limitDefault = 20

    fileprivate init(_ history: Bracketd.GetHistory) throws(VarlinkError) {
        let limit = history.limit ?? Self.limitDefault
        guard Self.limits.contains(limit) else {
            throw ServiceInterface.invalidParameter(
                "limit",
                sentence: ParameterSentences.outside(Self.limits, found: limit)
            )
        }
        if let before = history.before, before < 1 {
            throw ServiceInterface.invalidParameter("before", sentence: ParameterSentences.notAShoot(before))
        }
        self = .shoots(limit: limit, before: history.before)
    }
}

extension CameraFileRequest {
    private static let limits = 1...countMax
    private static let limitDefault = 100

    fileprivate init(_ files: Bracketd.GetFiles) throws(VarlinkError) {
        let limit = files.limit ?? Self.limitDefault
        try Self.check(limit, "limit")
        if let since = files.since, !FileTime.isValid(since) {
            throw ServiceInterface.invalidParameter("since", sentence: ParameterSentences.notATime)
        }
        self = files.selected == true ? .listSelected : .list(since: files.since, limit: limit)
    }

    fileprivate init(_ files: Bracketd.FetchFiles) throws(VarlinkError) {
        guard let uris = files.uris else {
            self = .getSelected
            return
        }
        try Self.check(uris.count, "uris")
        self = .get(uris)
    }

    private static func check(_ count: Int, _ parameter: String) throws(VarlinkError) {
        guard limits.contains(count) else {
            throw ServiceInterface.invalidParameter(
                parameter,
                sentence: ParameterSentences.outside(limits, found: count)
            )
        }
    }
}

extension LiveViewSize {
    fileprivate init(parameter: String) throws(VarlinkError) {
        guard let size = Self(rawValue: parameter) else {
            throw ServiceInterface.invalidParameter("size", sentence: ParameterSentences.notASize)
        }
        self = size
    }
}

extension PlanInput {
    /// Reads a plan. A missing member stays nil, and the core uses the default.
    package init(_ plan: Bracketd.PlanInput?) {
        self.init(
            shadow: plan?.shadow,
            highlight: plan?.highlight,
            frames: plan?.frames,
            spacing: plan?.spacing,
            biasThirds: plan?.biasThirds,
            shareOnce: plan?.shareOnce,
            strict: plan?.strict,
            hash: plan?.hash,
            goal: plan?.goal.map { goal in
                GoalInput(
                    framesMax: goal.framesMax,
                    clipPercent: goal.clipPercent,
                    floorCode: goal.floorCode,
                    checksLight: goal.checkLight
                )
            }
        )
    }
}

extension RequestError {
    /// The error of `io.bracketd` for this error of the core.
    package var varlinkError: VarlinkError { typed.error }

    private var typed: any VarlinkErrorParameters {
        switch self {
        case .notConnected(let sentence): Bracketd.NotConnected(sentence: sentence)
        case .invalidPlan(let parameter, let value, let sentence):
            Bracketd.InvalidPlan(parameter: parameter, value: value, sentence: sentence)
        case .planNotExact(let warnings, let sentence):
            Bracketd.PlanNotExact(warnings: warnings, sentence: sentence)
        case .planChanged(let was, let now, let sentence):
            Bracketd.PlanChanged(was: was, now: now, sentence: sentence)
        case .preflightFailed(let checks, let sentence):
            Bracketd.PreflightFailed(checks: checks.map(Bracketd.Check.init), sentence: sentence)
        case .notNow(let command, let state, let sentence):
            Bracketd.NotNow(command: command, state: state, sentence: sentence)
        case .framesMissing(let shoot, let sentence):
            Bracketd.FramesMissing(shoot: shoot.id, missing: shoot.missing, total: shoot.total, sentence: sentence)
        case .propertyRefused(let property, let value, let sentence):
            Bracketd.PropertyRefused(property: property, value: value, sentence: sentence)
        case .filesRefused(let sentence): Bracketd.FilesRefused(sentence: sentence)
        case .liveViewRefused(let sentence): Bracketd.LiveViewRefused(sentence: sentence)
        case .noSuchShoot(let id, let sentence): Bracketd.NoSuchShoot(id: id, sentence: sentence)
        case .ledgerUnavailable(let sentence): Bracketd.LedgerUnavailable(sentence: sentence)
        case .noSuchCamera(let text, let known, let sentence):
            Bracketd.NoSuchCamera(camera: text, known: known, sentence: sentence)
        case .planNotKept(let sentence): Bracketd.PlanNotKept(sentence: sentence)
        case .needsMore(let method): Bracketd.NeedsMore(method: method)
        case .tooManyClients(let limit): Bracketd.TooManyClients(limit: limit)
        case .stopping: Bracketd.Stopping()
        }
    }
}

extension JSONValue {
    /// The same value with printable texts, each of a bounded length.
    fileprivate var printable: JSONValue {
        switch self {
        case .string(let text): .string(PrintableText.clean(text))
        case .array(let values): .array(values.map(\.printable))
        case .object(let members): .object(members.mapValues(\.printable))
        case .null, .bool, .int, .double: self
        }
    }
}
