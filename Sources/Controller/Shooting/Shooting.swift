import Cameras
import Exposure
import Statecharts

package enum ShootingEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// The order was accepted. From now on the client receives the shoot's progress.
    case accepted(RequestID, streams: Bool)
    /// No camera is connected; the client receives the reason.
    case refusedWithoutCamera(RequestID)
    /// A client waits for a camera. The connection tries again, also with a camera that has refused the daemon.
    case requestCamera
    /// The ledger must record the present state of the shoot, under this number; see ``RecordOrder``.
    case record(mark: Int, isDurable: Bool)
    /// The pictures so far must decide the next frame of a bracket that finds its own range.
    case chooseFrame
    /// The shoot waits for the ledger's disk. The daemon tries to write the ledger again.
    case requestRecord
    case report(JournalEntry)
}

/// The requester of a pause.
package enum PauseCommander: Hashable, Sendable {
    case person
    /// The daemon, because it stops.
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
    /// The last interruption of the shoot; nil: nothing has interrupted it.
    var interruption: Interruption?
    /// Whether a suspect frame is fired again. This value of the configuration may change during a shoot.
    package var firesSuspectsAgain: Bool
    /// The requester of the pause after the current frame.
    package var pauseCommander = PauseCommander.person
    var marks: RecordMarks
    var shots = ShotCount()
    /// Whether the body was idle once since it was connected. If so, its buffer has no picture of an earlier frame.
    var wasSeenIdle = false
    var pictures = ExpectedPictures()
    /// The pictures that this computer keeps.
    let policy: TransferPolicy

    /// The number of busy answers in a row after which a shoot ends.
    package static let busyAttemptsMax = 3
    /// The number of attempts to set a speed after which a shoot ends, if the camera always shows another speed.
    package static let settingAttemptsMax = 3
    /// From this exposure time on, a body with noise reduction takes a dark frame of the same length. The limit is a
    /// setting of the body, which the body does not report. On most bodies it is one second.
    package static let noiseReductionFrom = Duration.seconds(1)

    package init(firesSuspectsAgain: Bool = false, firesUnrecorded: Bool = false, policy: TransferPolicy = .none) {
        self.firesSuspectsAgain = firesSuspectsAgain
        marks = RecordMarks(firesUnrecorded: firesUnrecorded)
        self.policy = policy
    }

    /// The number of the shoot's pictures in transfer.
    var comingCount: Int { pictures.count }

    /// The sentence for the last interruption of the shoot; nil: nothing has interrupted it.
    package var interruptionSentence: String? { interruption?.sentence }

    /// The sentence that says why the ledger cannot record the shoot; nil: the ledger refused nothing.
    package var refusalSentence: String? { marks.refusal }

    /// The speed of the current frame.
    var speed: ShutterSpeed {
        guard let speed = shoot?.frame?.speed else { preconditionFailure("no frame is in work") }
        return speed
    }

    /// The longest possible exposure: the planned one, or the one at the speed that the body reports.
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

    var keepsPictures: Bool { policy != .none }

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

    /// Numbers the order that records the settings of an announced shoot. That shoot waits for this order only.
    mutating func announceShoot() -> Int {
        let mark = marks.next()
        marks.holdShoot()
        return mark
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
