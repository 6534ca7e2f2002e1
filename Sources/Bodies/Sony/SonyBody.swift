import Cameras
import NIOCore
import PTP

/// A model of a Sony body: its dial, its shutter, its buffer and its card.
///
/// The inputs are operations and time. The outputs are answers and actions. The body has no connections, because
/// ``PTPIPBody`` connects it to a PTP/IP responder.
package struct SonyBody: PTPBody {
    package typealias LinkFault = BodyLinkFault

    /// The state of the shutter and of the steps after an exposure.
    enum Shutter: Equatable, Sendable {
        case ready
        /// The button is fully pressed, and the shutter is not open yet.
        case releasing
        /// The shutter is open. `ends` nil: BULB.
        case open(SonyShutterSpeed, FrameSettings, since: Duration, ends: Duration?)
        /// Noise reduction exposes a dark frame.
        case darkFrame
        /// The picture is being processed and written.
        case saving
        /// The picture does not become ready, because of a fault.
        case stuck(Stuck)
    }

    /// The step at which a picture is stuck.
    enum Stuck: Equatable, Sendable {
        /// The body has not completed the picture.
        case busy
        /// The picture is saved but not yet in the buffer.
        case preparing
    }

    /// The state of autofocus.
    enum Focus: Equatable, Sendable {
        case idle
        case searching(finds: Bool)
        case locked
        case failed
    }

    /// The buttons that the initiator presses.
    struct Buttons: Equatable, Sendable {
        var half = false
        var full = false
        /// The frame to which the half press belongs.
        var frame: Int?
    }

    /// A picture in transfer to the initiator.
    struct Delivery: Equatable, Sendable {
        let transaction: UInt32
        /// Whether the answer contains the last byte of the picture.
        var isLast = true
        /// How long the link is down after the answer breaks off; nil: the answer does not break off.
        var back: Duration?
    }

    /// A planned event inside the body.
    enum ScheduledEvent: Equatable, Sendable {
        case speedShows(SonyShutterSpeed)
        /// The user turns the dial.
        case speedTurned(SonyShutterSpeed)
        case speedFallsBack(frame: Int)
        case propertyShows(PropertyCode, PTPValue)
        case focusSettles
        case shutterOpens
        case shutterCloses
        case darkFrameEnds
        case pictureSaved
        case bodyRecovers
        case bufferRecovers
        case filesArrive(CardFrame)
        case dialTurns(DialMode)
        case linkFails(LinkFault)
        case event(PTPEvent)
    }

    /// The initiator's progress in Sony's session setup.
    enum Session: Equatable, Sendable {
        case none
        case open(since: Duration)
        /// All three phases of SDIO_Connect are completed.
        case authenticated(since: Duration)
    }

    package let model: SonyModel
    let options: BodyOptions
    var faults: ActiveFaults
    var sheet: SonyPropertySheet
    let speeds: SpeedList
    var schedule = Schedule<ScheduledEvent>()
    var session = Session.none
    /// The version in the last answer to 0x9202.
    var version: SonyExtensionVersion

    /// The mode: the position of the dial, or a later choice of the initiator.
    package internal(set) var mode: DialMode
    /// The speed of the next exposure.
    package internal(set) var speed: SonyShutterSpeed
    var speedBefore: SonyShutterSpeed
    /// The speed that the initiator read last in this session; nil: not read yet.
    var readSpeed: SonyShutterSpeed?
    /// The sheet's change count when the initiator last read the properties in this session; nil: not read yet.
    var reportedChanges: Int?
    var lastSet = LastSpeedSet.none
    var shutter = Shutter.ready
    var liveViewEye = LiveViewEye()
    var focus = Focus.idle
    var buttons = Buttons()
    var buffer: [BufferedPicture] = []
    /// The running transfer of the first picture. The picture leaves the buffer when its last byte is sent.
    var delivery: Delivery?
    /// Because of a fault, the body rejects GetObjectInfo before this time.
    var objectInfoFrom = Duration.zero
    var shotsLeft: Int

    package var outputs: [PTPBodyOutput] = []
    /// The frames exposed so far, in order.
    package internal(set) var card: [CardFrame] = []

    package init(model: SonyModel, options: BodyOptions = BodyOptions()) {
        self.model = model
        version = model.version
        self.options = options
        faults = ActiveFaults(options.faults)
        sheet = SonyPropertySheet(model.properties)
        speeds = SpeedList(Self.offeredSpeeds(model, options, sheet))
        mode = faults.first { if case .rejectMode(let mode) = $0 { mode } else { nil } } ?? options.mode
        speed = Self.firstSpeed(sheet, options.speeds?.map { SonyShutterSpeed($0) })
        speedBefore = speed
        shotsLeft = options.shotsLeft ?? Int(sheet.integer(.sonySlot1ShotsLeft) ?? 0)
        applyOptions()
        refreshSheet()
    }

    /// The current frame of the body. An exposed frame stays current until it is saved and fetched and the buttons are
    /// released.
    package var currentFrame: Int {
        switch shutter {
        case .releasing, .open: card.count + 1
        case .darkFrame, .saving, .stuck: card.count
        case .ready: buttons.frame ?? (buffer.isEmpty ? card.count + 1 : card.count)
        }
    }

    /// When `advance` must be called next; nil: not before the next input.
    package var nextDeadline: Duration? { schedule.nextTime }

    package mutating func advance(to now: Duration) {
        while let (time, event) = schedule.takeNext(dueBy: now) {
            perform(event, at: time)
            refresh(at: time)
        }
    }

    /// Plans a fault of the link.
    mutating func failLink(_ fault: LinkFault, at time: Duration) { schedule.plan(.linkFails(fault), at: time) }

    /// Releases the buttons after the initiator has disconnected. An exposure continues.
    package mutating func initiatorDisconnected(at now: Duration) {
        session = .none
        readSpeed = nil
        reportedChanges = nil
        delivery = nil
        releasePress(at: now)
        if !model.keepsBufferOverSessions { buffer.removeAll() }
        refresh(at: now)
    }

    private mutating func perform(_ event: ScheduledEvent, at now: Duration) {
        switch event {
        case .speedShows(let value): showSpeed(value)
        case .speedTurned(let value):
            outputs.append(.fact(.moved(value.ofBody)))
            showSpeed(value)
        case .speedFallsBack(let frame): fallBack(frame)
        case .propertyShows(let code, let value): show(value, of: code)
        case .focusSettles: focusSettles(at: now)
        case .shutterOpens: shutterOpens(at: now)
        case .shutterCloses: shutterCloses(at: now)
        case .darkFrameEnds: save(at: now)
        case .pictureSaved: pictureSaved(at: now)
        case .bodyRecovers: pictureSaved(at: now)
        case .bufferRecovers: bufferRecovers(at: now)
        case .filesArrive(let frame): filesArrive(frame, at: now)
        case .dialTurns(let mode): turnDial(to: mode)
        case .linkFails(let fault): outputs.append(.link(fault))
        case .event(let event): outputs.append(.event(event))
        }
    }

    // MARK: Events

    /// Sends an event to the initiator after the event delay of the model.
    mutating func report(_ code: EventCode, _ parameters: [UInt32] = [], at now: Duration) {
        guard session != .none, faults.first({ $0 == .eventsSilent ? true : nil }) == nil else { return }
        let event = PTPEvent(code: code, parameters: parameters)
        schedule.plan(.event(event), at: now + model.eventDelay)
    }

    /// Updates the properties. Reports each change by event 0xC203 with the parameter 0, as a real body does.
    mutating func refresh(at now: Duration) {
        let before = sheet.changeCount
        turnDialForFrame(at: now)
        refreshSheet()
        let storm = faults.first { if case .eventStorm(let times) = $0 { times } else { nil } } ?? 1
        for _ in 0..<(sheet.changeCount - before) * storm { report(.sonyDevicePropChanged, [0], at: now) }
    }
}
