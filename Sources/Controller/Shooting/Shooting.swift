import Cameras
import Exposure
import Statecharts

package enum ShootingEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// The order was accepted. From now on the client receives the shoot's progress.
    case accepted(RequestID, streams: Bool)
    /// No camera is connected; the client receives the reason.
    case refusedWithoutCamera(RequestID)
    /// A client waits for the camera: one that refused the daemon is tried again.
    case requestCamera
    /// The present state of the shoot is to be recorded, under this number; see ``RecordOrder``.
    case record(mark: Int, isDurable: Bool)
    /// The shoot waits for the disk: the ledger is tried again.
    case requestRecord
    case report(JournalEntry)
}

/// Who requests a pause.
package enum PauseCommander: Hashable, Sendable {
    case person
    /// The daemon stops.
    case stop
}

/// The data behind `shooting.scxml`.
package struct ShootingModel: Equatable, Sendable {
    /// The last shoot, until it is dismissed or another begins.
    package internal(set) var shoot: Shoot?
    /// The last status of the camera.
    package internal(set) var camera: CameraStatus?
    package internal(set) var lastShootID = 0
    var tries = SpeedTries()
    /// What interrupted the shoot last; nil: nothing did.
    var interruption: Interruption?
    /// Whether a suspect frame is fired again. The configuration decides, and may change during a shoot.
    package var firesSuspectsAgain: Bool
    /// Who requested the pause after the current frame.
    package var pauseCommander = PauseCommander.person
    var marks: RecordMarks
    var shots = ShotCount()
    /// Whether the body was seen idle since it was connected: its buffer has no picture of an earlier frame.
    var wasSeenIdle = false
    var pictures = ExpectedPictures()
    /// Whether pictures are transferred at all.
    let keepsPictures: Bool

    /// A shoot ends after this number of busy answers in a row.
    package static let busyAttemptsMax = 3
    /// A shoot ends if the camera keeps another speed this often.
    package static let settingAttemptsMax = 3
    /// From this exposure time on, a body with noise reduction takes a dark frame of the same length. The limit is a
    /// setting of the body and is not reported; most bodies have one second.
    package static let noiseReductionFrom = Duration.seconds(1)

    package init(firesSuspectsAgain: Bool = false, firesUnrecorded: Bool = false, keepsPictures: Bool = false) {
        self.firesSuspectsAgain = firesSuspectsAgain
        marks = RecordMarks(firesUnrecorded: firesUnrecorded)
        self.keepsPictures = keepsPictures
    }

    /// The number of the shoot's pictures in transfer.
    var comingCount: Int { pictures.count }

    /// What interrupted the shoot last, in a sentence; nil: nothing did.
    package var interruptionSentence: String? { interruption?.sentence }

    /// Why nothing can be recorded, in a sentence; nil: nothing was refused.
    package var refusalSentence: String? { marks.refusal }

    /// The speed of the current frame.
    var speed: ShutterSpeed {
        guard let speed = shoot?.frame?.speed else { preconditionFailure("no frame is in work") }
        return speed
    }

    /// The longest possible exposure: as planned, or as the body's reported speed.
    var exposureMax: Duration {
        guard case .speed(let shown)? = camera?.speed else { return speed.exposureTime }
        return max(speed.exposureTime, shown.exposureTime)
    }

    /// The longest time that the exposure occupies the body, with a possible dark frame.
    var occupied: Duration {
        let exposure = exposureMax
        let mayReduceNoise = camera?.noiseReduction != .off && exposure >= Self.noiseReductionFrom
        return mayReduceNoise ? exposure * 2 : exposure
    }

    /// Whether the only copy of the next picture will be on this computer.
    var isOnlyCopyHere: Bool { keepsPictures && camera?.savesToHostAlone == true }

    /// The state of the current frame's picture.
    var filesState: FrameFiles.State { pictures.state(of: shoot?.current, kinds: camera?.fileKinds) }

    mutating func begin(_ shoot: Shoot) {
        if shoot.id != self.shoot?.id { pictures.forgetAll() }
        self.shoot = shoot
        tries.beginFrame()
        wasSeenIdle = false
        tries.note(nil)
    }

    mutating func fail(_ cause: String) {
        shoot?.cause = cause
    }

    private var fields: [JournalEntry.Field] {
        guard let shoot else { return [] }
        var fields = [JournalEntry.Field("SHOOT", String(shoot.id))]
        if let frame = shoot.frame {
            fields.append(.init("SET", String(frame.position.set)))
            fields.append(.init("FRAME", String(frame.position.frame)))
            fields.append(.init("SPEED", frame.speed.label))
        }
        fields.append(.init("CAPTURED", String(shoot.captured)))
        fields.append(.init("TOTAL", String(shoot.total)))
        return fields
    }

    func entry(
        _ level: JournalEntry.Level,
        _ kind: JournalEntry.Kind,
        _ message: String,
        reason: String? = nil
    ) -> ShootingEffect {
        let more = reason.map { [JournalEntry.Field("REASON", $0)] } ?? []
        return .report(JournalEntry(level: level, kind: kind, message: message, fields: fields + more))
    }
}
