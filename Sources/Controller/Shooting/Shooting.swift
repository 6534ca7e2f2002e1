import Cameras
import Exposure
import Statecharts

/// What the shooting chart asks for.
package enum ShootingEffect: Equatable, Sendable {
    case camera(CameraCommand)
    /// The order was taken; from now on the client hears of the shoot's progress.
    case accepted(RequestID, streams: Bool)
    /// There is no camera to shoot with; the client is to hear why.
    case refusedWithoutCamera(RequestID)
    /// Somebody waits for the camera: one that refused us is to be asked again.
    case wantCamera
    /// How the shoot stands now is to be kept, under this number; see ``RecordOrder``.
    case record(mark: Int, isDurable: Bool)
    /// Somebody waits for the disk: it is to be tried again.
    case wantRecord
    case report(JournalEntry)
}

/// Who commands a pause.
package enum PauseCommander: Hashable, Sendable {
    case person
    /// The daemon is to end.
    case stop
}

/// The data behind `shooting.scxml`. What is going on is in the chart; here is only what it is about.
package struct ShootingModel: Equatable, Sendable {
    /// The last shoot, until it is dismissed or another begins.
    package internal(set) var shoot: Shoot?
    /// How the camera said it stands.
    package internal(set) var camera: CameraStatus?
    package internal(set) var lastShootID = 0
    var tries = SpeedTries()
    /// What interrupted the shoot last; nil: nothing did.
    var interruption: Interruption?
    /// Whether a frame whose picture does not fit the plan is fired again.
    /// The configuration says so, and may say another thing meanwhile.
    package var firesSuspectsAgain: Bool
    /// Who has the shoot pause at the frame's end.
    package var pauseCommander = PauseCommander.person
    var marks: RecordMarks
    var shots = ShotCount()
    /// Whether the body was seen idle since it was connected: no picture of an earlier frame stands in its buffer.
    var wasSeenIdle = false
    var pictures = ExpectedPictures()
    /// Whether pictures are taken over at all.
    let keepsPictures: Bool

    /// The camera is asked this often before its being busy ends the shoot.
    package static let busyAttemptsMax = 3
    /// The speed is set this often before a camera that keeps another one ends the shoot.
    package static let settingAttemptsMax = 3
    /// From here on a body with noise reduction takes a dark frame as long as the exposure. Which exposures get one is
    /// a setting of the body and not told on the wire; one second is what most do, so that is assumed.
    package static let noiseReductionFrom = Duration.seconds(1)

    package init(firesSuspectsAgain: Bool = false, firesUnrecorded: Bool = false, keepsPictures: Bool = false) {
        self.firesSuspectsAgain = firesSuspectsAgain
        marks = RecordMarks(firesUnrecorded: firesUnrecorded)
        self.keepsPictures = keepsPictures
    }

    /// How many pictures of the shoot are on their way.
    var comingCount: Int { pictures.count }

    /// What interrupted the shoot last, in a sentence; nil: nothing did.
    package var interruptionSentence: String? { interruption?.sentence }

    /// Why nothing can be recorded, in a sentence; nil: nothing was refused.
    package var refusalSentence: String? { marks.refusal }

    /// The speed of the frame in work.
    var speed: ShutterSpeed {
        guard let speed = shoot?.frame?.speed else { preconditionFailure("no frame is in work") }
        return speed
    }

    /// How long the exposure may be: as planned, or as long as the speed that the body shows.
    var exposureMax: Duration {
        guard case .speed(let shown)? = camera?.speed else { return speed.exposureTime }
        return max(speed.exposureTime, shown.exposureTime)
    }

    /// How long the body may be occupied with the exposure: with the dark frame, where it may take one.
    var occupied: Duration {
        let exposure = exposureMax
        let mayReduceNoise = camera?.noiseReduction != .off && exposure >= Self.noiseReductionFrom
        return mayReduceNoise ? exposure * 2 : exposure
    }

    /// Whether a picture that the body takes now is kept on this computer and nowhere else.
    var isOnlyCopyHere: Bool { keepsPictures && camera?.savesToHostAlone == true }

    /// How the picture of the frame in work stands.
    var standing: FrameFiles.Standing { pictures.standing(of: shoot?.current, kinds: camera?.fileKinds) }

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
        _ more: JournalEntry.Field...
    ) -> ShootingEffect {
        .report(JournalEntry(level: level, kind: kind, message: message, fields: fields + more))
    }
}
