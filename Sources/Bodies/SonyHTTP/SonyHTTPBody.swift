import Cameras
import Exposure
import JSON
import NIOCore
import PTP

/// A body with Sony's Camera Remote API: JSON over HTTP, with one long poll for events.
///
/// Its behavior is that of the smart remote app in real bodies (SR), where Sony's reference says nothing else.
/// ``HTTPBody`` connects it to connections.
package struct SonyHTTPBody: HTTPMakerBody {
    /// The state of the shutter and of the steps after an exposure.
    enum Shutter: Equatable, Sendable {
        case ready
        /// The body focuses before the exposure. `finds`: whether it will find focus.
        case focusing(finds: Bool)
        /// The shutter is about to open.
        case releasing
        /// The shutter is open. `ends` nil: BULB, or a series of pictures before its last one.
        case open(SonyHTTPShutterSpeed, FrameSettings, since: Duration, ends: Duration?)
        /// Noise reduction exposes a dark frame.
        case darkFrame
        /// The picture is being processed and written.
        case saving
        /// The picture does not become ready, because of a fault.
        case stuck
        /// The picture is ready, and the body is not IDLE yet. `isUnready`: the status is NotReady.
        case settling(isUnready: Bool)
    }

    /// The call that opened the shutter last.
    enum Series: Equatable, Sendable {
        case single
        case bulb
        /// Pictures follow each other until the call that ends them.
        case continuous(isEnding: Bool)
    }

    /// What the body can be used for.
    enum Function: Equatable, Sendable {
        /// The recording mode is off.
        case none
        case entering
        case shooting
        case contents
        /// The function changes. `isContents`: to the list of the card.
        case changing(isContents: Bool)
    }

    /// The state of a picture that a call can wait for.
    enum Capture: Equatable, Sendable {
        case none
        case running
        case finished(urls: [String])
        case failed(SonyHTTPFailure)
    }

    /// A call that waits for an answer.
    struct Waiter: Sendable {
        let id: ConnectionID
        let call: SonyHTTPRequest
        let until: Duration
    }

    /// A planned event inside the body.
    enum ScheduledEvent: Equatable, Sendable {
        case speedShows(SonyHTTPShutterSpeed)
        /// The user turns the dial.
        case speedTurned(SonyHTTPShutterSpeed)
        case speedFallsBack(frame: Int)
        case valueShows(String, JSONValue)
        case functionStarts
        case focusSettles
        case halfPressFocuses(finds: Bool)
        case shutterOpens
        case shutterCloses
        case darkFrameEnds
        case pictureSaved
        case bodyRecovers
        case becomesReady
        case dialTurns(DialMode)
        case linkFails(BodyLinkFault)
        case trickle(ConnectionID, ByteBuffer)
        case liveViewFrame
        /// The counter of the remaining pictures shows a picture, late because of a fault.
        case counterShows
    }

    /// The frame of the latest new speed, and whether the initiator has read the speed since then.
    enum LastSet: Equatable, Sendable {
        case none
        case unread(frame: Int)
        case read(frame: Int)
    }

    package static let ports = [BodyPort(8080, .http), BodyPort(10_000, .http)]
    /// The port of the description.
    package static let descriptionPort: UInt16 = 64_321
    /// The path of the services.
    static let root = "/sony"

    package let model: SonyHTTPModel
    let options: BodyOptions
    var faults: ActiveFaults
    /// The body's speeds in its order, with BULB.
    let speeds: [SonyHTTPShutterSpeed]
    var schedule = Schedule<ScheduledEvent>()

    package internal(set) var mode: DialMode
    var speed: SonyHTTPShutterSpeed
    var speedBefore: SonyHTTPShutterSpeed
    var lastSet = LastSet.none
    /// The present values of the other settings.
    var values: [String: JSONValue] = [:]
    var temperature = 5_500
    var shutter = Shutter.ready
    var series = Series.single
    var function: Function
    var capture = Capture.none
    var isHalfPressed = false
    var focusStatus = "Not Focusing"
    var batteryPercent: Int
    /// The number of pictures that still fit on the card.
    var shotsLeft: Int
    /// The number that the body reports.
    var shotsShown: Int

    /// Whether an initiator has a session: from startRecMode, or from its first poll, until stopRecMode.
    package internal(set) var isSessionOpen = false
    /// The speeds that the initiator read in its session.
    var readings = SonyHTTPReadings()
    /// The time of the last call. A session without a call and without a poll ends.
    var calledAt = Duration.zero
    /// The positions of the changed values since the last event.
    var changed: Set<Int> = []
    /// How often the present changes are sent again, because of a fault.
    var repeatsLeft = 0
    /// The URLs of the new pictures, which one event has.
    var newURLs: [[String]] = []
    var continuousURLs: [String] = []
    var bulbURLs: [String] = []
    var functionResult: String?
    /// The long poll that waits for changes.
    var poll: Waiter?
    /// The call that waits for a picture, for the recording mode or for the function.
    var running: Waiter?
    /// The call of `awaitTakePicture`.
    var awaiting: Waiter?
    /// The calls that wait for the end of `running`.
    var queue: [Waiter] = []
    /// The address and port in the present request, for URLs.
    var authority = ""
    /// The frames whose postview can be fetched.
    var postviews: [Int] = []
    /// The frames that were deleted from the card.
    var deleted: Set<Int> = []
    /// The connection of the live view stream.
    var liveView: LiveView?
    var isLiveViewOn = false
    /// The size of the live view: L or M.
    var liveViewSize = "M"
    var hasFrameInfo = false
    /// The pictures that were selected for "Send to Smartphone"; nil: the body is in another menu.
    var push: Push?

    package var outputs: [HTTPMakerOutput] = []
    /// The frames exposed so far, in order.
    package internal(set) var card: [CardFrame] = []

    /// The speeds of all bodies, slow to fast, without BULB (SR 4.x).
    static let speedScale =
        ShutterSpeed.all.reversed().map { SonyHTTPShutterSpeed($0).rawValue }
        + ["1/10000", "1/12800", "1/16000", "1/20000", "1/25600", "1/32000"]

    package init(model: SonyHTTPModel, options: BodyOptions = BodyOptions()) {
        self.model = model
        self.options = options
        faults = ActiveFaults(options.faults)
        let texts = options.speeds?.map { SonyHTTPShutterSpeed($0).rawValue } ?? model.speedTexts
        speeds = texts.map { SonyHTTPShutterSpeed(rawValue: $0) }
        mode = faults.first { if case .rejectMode(let mode) = $0 { mode } else { nil } } ?? options.mode
        let timed = speeds.filter { $0 != .bulb }
        speed = timed.isEmpty ? .bulb : timed[timed.count / 2]
        speedBefore = speed
        function = model.needsRecMode ? .none : .shooting
        batteryPercent = options.batteryPercent ?? 75
        shotsLeft = options.shotsLeft ?? 500
        shotsShown = shotsLeft
        if let count = options.selectedPictures { push = Push(count: count) }
        applyInitialValues()
    }

    /// Names of Sony bodies begin with `sony:`, and the API reports no serial number.
    package var cameraID: String { "sony:\(model.udn.dropFirst("uuid:".count))" }
    package var ports: [BodyPort] { [BodyPort(model.port, .http), BodyPort(Self.descriptionPort, .http)] }
    package var modelName: String { model.name }
    package var shownSpeed: BodySpeed { speed.ofBody }
    package var isButtonHeld: Bool { isHalfPressed }

    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? {
        discovery(at: host, port: port, service: model.port)
    }

    package func discovery(at host: IPAddress, port: UInt16, service: UInt16) -> BodyDiscovery? {
        let isPushing = push != nil
        let description = SonyHTTPDescription(model, host: host, service: service, isPushing: isPushing)
        // The relative URLs of the services for pictures lead to the body's own port.
        let location = DescriptionURL(
            host: host,
            port: isPushing ? service : port,
            path: SonyHTTPDescription.path
        )
        let announcement = SSDPAnnouncement.sonyHTTP(model, isPushing: isPushing, at: location)
        return BodyDiscovery(announcement, description.files, isServedByBody: isPushing)
    }

    /// The current frame of the body. An exposed frame stays current until it is saved and the button is released.
    package var currentFrame: Int {
        switch shutter {
        case .ready, .focusing, .releasing, .open: card.count + 1
        case .darkFrame, .saving, .stuck, .settling: max(1, card.count)
        }
    }

    // MARK: The user

    package mutating func turnDial(to mode: DialMode, at now: Duration) {
        schedule.plan(.dialTurns(mode), at: now)
    }

    package mutating func turnSpeed(to speed: ShutterSpeed, at now: Duration) {
        schedule.plan(.speedTurned(nearestOffered(speed)), at: now)
    }

    package mutating func setBattery(percent: Int, at now: Duration) {
        batteryPercent = percent
        note("batteryInfo")
        answerPoll(at: now)
    }

    package mutating func losePower(at now: Duration) {
        var fresh = SonyHTTPBody(model: model, options: options)
        fresh.faults = faults
        (fresh.mode, fresh.speed, fresh.speedBefore) = (mode, speed, speedBefore)
        (fresh.values, fresh.temperature) = (values, temperature)
        (fresh.card, fresh.deleted) = (card, deleted)
        (fresh.shotsLeft, fresh.shotsShown, fresh.batteryPercent) = (shotsLeft, shotsLeft, batteryPercent)
        self = fresh
    }

    package mutating func clearFaults(mode: DialMode, at now: Duration) {
        faults = ActiveFaults([])
        schedule.cancel(where: \.isFault)
        showCounter(shotsLeft)
        if shutter == .stuck { schedule.plan(.bodyRecovers, at: now) }
        schedule.plan(.dialTurns(mode), at: now)
        batteryPercent = options.batteryPercent ?? 75
    }
}

extension SonyHTTPBody.ScheduledEvent {
    /// Whether the event is the effect of a fault.
    fileprivate var isFault: Bool {
        switch self {
        case .speedFallsBack, .bodyRecovers, .dialTurns, .linkFails, .counterShows: true
        case .speedShows, .speedTurned, .valueShows, .functionStarts, .focusSettles, .halfPressFocuses, .shutterOpens,
            .shutterCloses, .darkFrameEnds, .pictureSaved, .becomesReady, .trickle, .liveViewFrame:
            false
        }
    }
}

extension SonyHTTPShutterSpeed {
    /// The speed for the rules. A speed beyond the third-stop scale is `1/n`.
    var ofBody: BodySpeed {
        if let shutterSpeed { return BodySpeed(shutterSpeed) }
        guard rawValue.hasPrefix("1/"), let number = Int(rawValue.dropFirst(2)), number > 0 else { return .bulb }
        return BodySpeed(.other(rawValue), nominal: BodySpeed.Fraction(1, number))
    }

    /// The true exposure time; nil for BULB.
    var exposureTime: Duration? { ofBody.exposureTime }
}
