import Cameras

/// Timed events. Each line is `MILLISECONDS EVENT [PAYLOAD]`. The lines after a line `loop` are repeated.
struct Script {
    struct Entry {
        var time: Duration
        var input: ScriptedInput
    }
    struct Refusal: Error {
        var line: String
    }

    var beginning: [Entry] = []
    var loop: [Entry] = []
    var period: Duration { (loop.last?.time ?? .zero) - (beginning.last?.time ?? .zero) }

    init(_ text: String) throws {
        var isLooping = false
        for line in text.split(separator: "\n") {
            if line == "loop" {
                isLooping = true
                continue
            }
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 2, let milliseconds = Int(words[0]) else { throw Refusal(line: String(line)) }
            let payload = words.count > 2 ? Int(words[2]) : nil
            guard let event = ScriptedInput.Event(rawValue: words[1]) else { throw Refusal(line: String(line)) }
            let entry = Entry(
                time: .milliseconds(milliseconds),
                input: ScriptedInput(event: event, payload: payload ?? 0)
            )
            if isLooping { loop.append(entry) } else { beginning.append(entry) }
        }
    }
}

/// An event in a compact form. A contestant creates its input from it at the time of the event, as a program does.
struct ScriptedInput {
    enum Event: String {
        case start
        case pause
        case resume
        case cancel
        case retry
        case dismiss
        case cameraReady = "camera.ready"
        case cameraLost = "camera.lost"
        case cameraNotReady = "camera.notReady"
        case cameraStatus = "camera.status"
        case cameraSpeedAccepted = "camera.speedAccepted"
        case cameraSpeedRead = "camera.speedRead"
        case cameraShutterReleased = "camera.shutterReleased"
        case cameraCaptured = "camera.captured"
        case cameraSaving = "camera.saving"
        case cameraIdle = "camera.idle"
        case cameraResolved = "camera.resolved"
        case cameraBusy = "camera.busy"
        case cameraFailed = "camera.failed"
        case networkLeft = "network.left"
        case picture
        case record
        case recovered
        case redo
    }
    var event: Event
    var payload: Int

    @inline(never)
    var input: Shooting.Input {
        switch event {
        case .start: .start(ShootOrder(request: 1, streams: true))
        case .pause: .pause
        case .resume: .resume
        case .cancel: .cancel
        case .retry: .retry(RetryOrder(request: 2, streams: true))
        case .dismiss: .dismiss
        case .cameraReady: .cameraReady(CameraStatus())
        case .cameraLost: .cameraLost(.lost("the camera does not answer"))
        case .cameraNotReady: .cameraNotReady("the mode dial is on A")
        case .cameraStatus: .cameraStatus(CameraStatus())
        case .cameraSpeedAccepted: .cameraSpeedAccepted
        case .cameraSpeedRead: .cameraSpeedRead(.speed(ShutterSpeed(index: payload)))
        case .cameraShutterReleased: .cameraShutterReleased
        case .cameraCaptured: .cameraCaptured
        case .cameraSaving: .cameraSaving
        case .cameraIdle: .cameraIdle
        case .cameraResolved: .cameraResolved(payload == 1 ? .fired : payload == 2 ? .unknown : .notFired)
        case .cameraBusy: .cameraBusy
        case .cameraFailed: .cameraFailed(.other("no card"))
        case .networkLeft: .networkLeft(.down)
        case .redo: .redo
        // A negative payload means that the record was refused.
        case .record: .record(payload < 0 ? .refused(upTo: -payload) : .kept(upTo: payload))
        case .recovered: .recovered(Recovery(hasUnfinishedShoot: payload == 1))
        case .picture: .picture(PictureUpdate(picture: 1, shoot: 1, frame: 0, shot: 1, content: .checked(true)))
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000 }
}
