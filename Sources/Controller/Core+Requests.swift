import Cameras
import Exposure
import Statecharts

// What clients ask for. Each request is answered once; a stream gets its answers and one end.

extension Core {
    mutating func handle(_ request: Request, _ id: RequestID, at now: Duration, into effects: inout Effects) {
        guard !connection.machine.isActive(.disconnecting), connection.machine.isRunning else {
            effects.append(.fail(id, .stopping))
            return
        }
        switch request {
        case .getStatus:
            effects.append(.reply(id, .status(statusReport), continues: false))
        case .plan(let input):
            plan(input, id, into: &effects)
        case .shoot(let input, let streams):
            shoot(input, streams: streams, id, at: now, into: &effects)
        case .retry(let streams):
            guard mayStream(streams, id, into: &effects), mayFire("Retry", id, into: &effects) else { break }
            let order = RetryOrder(request: id, streams: streams)
            guard deliver(Shooting.Input.retry(order), at: now, into: &effects) else {
                return refuseNow("Retry", id, into: &effects)
            }
        case .pause:
            order(.pause, "Pause", id, at: now, into: &effects)
        case .resume:
            order(.resume, "Resume", id, at: now, into: &effects)
        case .cancel:
            order(.cancel, "Cancel", id, at: now, into: &effects)
        case .dismiss:
            order(.dismiss, "Dismiss", id, at: now, into: &effects)
        case .watch:
            guard watchers.count < Self.streamsMax else {
                return effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
            }
            watchers.append(id)
        case .getCamera:
            getCamera(id, into: &effects)
        case .setProperty(let name, let value):
            setProperty(name, value, id, at: now, into: &effects)
        case .getPhotos:
            getPhotos(id, into: &effects)
        case .watchPhotos:
            watchPhotos(id, into: &effects)
        }
    }

    private mutating func order(
        _ input: Shooting.Input,
        _ command: String,
        _ id: RequestID,
        at now: Duration,
        into effects: inout Effects
    ) {
        if deliver(input, at: now, into: &effects) {
            effects.append(.reply(id, .done, continues: false))
        } else {
            refuseNow(command, id, into: &effects)
        }
    }

    /// The chart dropped the order: it means nothing in this state.
    private func refuseNow(_ command: String, _ id: RequestID, into effects: inout Effects) {
        let error = RequestError.notNow(command: command, state: shooting.state, sentence: whyNot(command))
        effects.append(.fail(id, error))
    }

    private func whyNot(_ command: String) -> String {
        let chart = shooting.machine
        guard chart.isActive(.active) else {
            switch command {
            case "Retry": return "No frame of an earlier shoot is missing."
            case "Dismiss": return "No earlier shoot is kept."
            default: return "Nothing is being fired."
            }
        }
        switch command {
        case "Pause": return "The shoot is paused already."
        case "Resume" where chart.isActive(.wifiSwitched): return chart.behavior.interruptionSentence
        case "Resume": return "The shoot is not paused."
        case "Cancel": return "The shoot stops after this frame already."
        default: return "A shoot is being fired: wait for its end, or cancel it."
        }
    }

    private func mayStream(_ streams: Bool, _ id: RequestID, into effects: inout Effects) -> Bool {
        guard streams, shootStreams.count >= Self.streamsMax else { return true }
        effects.append(.fail(id, .tooManyClients(limit: Self.streamsMax)))
        return false
    }

    private func getCamera(_ id: RequestID, into effects: inout Effects) {
        let model = connection.machine.behavior
        guard connection.machine.isActive(.online), let identity = model.identity, let status = model.status,
            let address = model.address
        else {
            return effects.append(.fail(id, .notConnected(sentence: absenceSentence)))
        }
        let report = CameraReport(identity: identity, address: address, status: status, properties: properties.list)
        effects.append(.reply(id, .camera(report), continues: false))
    }

    // MARK: Plans

    private func plan(_ input: PlanInput, _ id: RequestID, into effects: inout Effects) {
        switch Draft.make(input, for: knownCamera) {
        case .success(let draft): effects.append(.reply(id, .plan(draft.report), continues: false))
        case .failure(let error): effects.append(.fail(id, error))
        }
    }

    private mutating func shoot(
        _ input: PlanInput,
        streams: Bool,
        _ id: RequestID,
        at now: Duration,
        into effects: inout Effects
    ) {
        guard mayStream(streams, id, into: &effects), mayFire("Shoot", id, into: &effects) else { return }
        switch Draft.make(input, for: knownCamera) {
        case .success(let draft):
            let order = ShootOrder(plan: draft.plan, request: id, streams: streams)
            guard deliver(Shooting.Input.start(order), at: now, into: &effects) else {
                return refuseNow("Shoot", id, into: &effects)
            }
        case .failure(let error):
            effects.append(.fail(id, error))
        }
    }

    /// The camera as far as plans are held against it.
    private var knownCamera: Draft.Camera? {
        guard connection.machine.isActive(.connected), let status = connection.machine.behavior.status else {
            return nil
        }
        let keepsPictures = configuration.transfer.policy != .none
        let name = connection.machine.behavior.name ?? "the camera"
        return Draft.Camera(name: name, status: status, keepsPictures: keepsPictures)
    }

    // MARK: Streams

    /// The order was taken.
    mutating func accept(_ id: RequestID, streams: Bool, into effects: inout Effects) {
        if streams {
            shootStreams.append(id)
            // The client hears the present step at once, even when it is the one that another client heard last.
            lastProgress = nil
        } else if let progress {
            effects.append(.reply(id, .progress(progress), continues: false))
        }
    }

    /// Tells those who follow the shoot of each new step, and ends the streams with the outcome.
    mutating func tellProgress(into effects: inout Effects) {
        guard let progress, progress != lastProgress else { return }
        lastProgress = progress
        let isOver = progress.outcome != nil
        for stream in shootStreams { effects.append(.reply(stream, .progress(progress), continues: !isOver)) }
        if isOver { shootStreams.removeAll() }
    }
}
