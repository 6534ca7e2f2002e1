import Cameras
import NIOCore
import PTP

/// A model of a Canon EOS body: its dial, its shutter, its event list and its card.
///
/// The body reports everything in its event list and sends no event packets. ``PTPIPBody`` connects it to a PTP/IP
/// responder.
package struct CanonBody: SpeedBody {
    /// The state of the shutter and of the steps after an exposure.
    enum Shutter: Equatable, Sendable {
        case ready
        /// The button is fully pressed, and the shutter is not open yet.
        case releasing
        /// The shutter is open. `ends` nil: Bulb.
        case open(CanonShutterSpeed, FrameSettings, since: Duration, ends: Duration?)
        /// Noise reduction exposes a dark frame.
        case darkFrame
        /// The picture is being processed and written.
        case saving
        /// The picture does not become ready, because of a fault.
        case stuck
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

    /// A planned event inside the body.
    enum ScheduledEvent: Equatable, Sendable {
        case speedShows(CanonShutterSpeed)
        /// The user turns the dial.
        case speedTurned(CanonShutterSpeed)
        case speedFallsBack(frame: Int)
        case propertyShows(PropertyCode, [UInt32])
        case focusSettles(reportedAfter: Duration)
        case focusReported(found: Bool)
        case shutterOpens
        case shutterCloses
        case darkFrameEnds
        case pictureSaved
        case bodyRecovers
        case counterShows
        case filesArrive(CardFrame)
        case dialTurns(DialMode)
        case linkFails(BodyLinkFault)
        case warnsOfPowerOff
        case powersOff
    }

    /// What the body does for the present initiator.
    struct Session: Sendable {
        enum Events: Equatable, Sendable {
            case off
            /// The next list contains every property.
            case first
            case changes
        }

        var isRemote = false
        var events = Events.off
        /// The groups of display data that the body reports.
        var displayGroups: UInt32 = 0
        /// Whether the initiator has announced free space, without which a body that saves to the host alone counts 0.
        var hasCapacity = false
        /// The speed that the initiator read last; nil: not read yet.
        var readSpeed: CanonShutterSpeed?
        /// The records of the next event list.
        var queue: [CanonEventRecord] = []
    }

    package let model: CanonModel
    let options: BodyOptions
    package var faults: ActiveFaults
    var sheet: CanonSheet
    /// Every speed of the body in M, in the body's order.
    let speeds: [CanonShutterSpeed]
    var schedule = Schedule<ScheduledEvent>()
    var session = Session()

    /// The position of the dial.
    package internal(set) var mode: DialMode
    var speedBefore: CanonShutterSpeed
    var lastSet = LastSpeedSet.none
    var shutter = Shutter.ready
    var liveViewEye = LiveViewEye()
    var focus = Focus.idle
    var buttons = Buttons()
    /// The handles of the files that wait in the body's buffer for their transfer.
    var buffered: [UInt32] = []
    /// The handles of the files that an initiator deleted.
    var deleted: Set<UInt32> = []
    package var delivery: FileDelivery?
    /// Because of a fault, the body rejects GetObjectInfo before this time.
    var objectInfoFrom = Duration.zero
    /// The number of pictures that still fit on the card, without a picture in work.
    var shotsLeft: Int

    package var outputs: [PTPBodyOutput] = []
    /// The frames exposed so far, in order.
    package var card: [CardFrame] = []

    package init(model: CanonModel, options: BodyOptions = BodyOptions()) {
        self.model = model
        self.options = options
        faults = ActiveFaults(options.faults)
        sheet = model.dump
        if let changes = model.changes, !model.isAsCaptured { sheet.apply(changes) }
        let own = sheet.choices(of: .canonShutterSpeed)?.words ?? []
        speeds = options.speeds?.map { CanonShutterSpeed($0) } ?? own.map(CanonShutterSpeed.init(rawValue:))
        mode = faults.first { if case .rejectMode(let mode) = $0 { mode } else { nil } } ?? options.mode
        speedBefore = CanonShutterSpeed(rawValue: sheet.number(.canonShutterSpeed) ?? 0)
        shotsLeft = options.shotsLeft ?? Int(sheet.number(.canonShotsLeft) ?? 0)
        applyOptions()
    }

    /// The speed of the next exposure.
    var speed: CanonShutterSpeed { CanonShutterSpeed(rawValue: sheet.number(.canonShutterSpeed) ?? 0) }

    /// The current frame of the body. An exposed frame stays current until it is saved and the buttons are released.
    package var currentFrame: Int {
        switch shutter {
        case .releasing, .open: card.count + 1
        case .darkFrame, .saving, .stuck: card.count
        case .ready: buttons.frame ?? card.count + 1
        }
    }

    /// When `advance` must be called next; nil: not before the next input.
    package var nextDeadline: Duration? { schedule.nextTime }

    package mutating func advance(to now: Duration) {
        while let (time, event) = schedule.takeNext(dueBy: now) {
            perform(event, at: time)
            turnDialForFrame(at: time)
        }
    }

    /// Releases the buttons after the initiator has disconnected. An exposure continues, except Bulb, which ends.
    package mutating func initiatorDisconnected(at now: Duration) {
        session = Session()
        delivery = nil
        schedule.cancel { $0.isOfSession }
        releaseButtons(at: now)
        turnDialForFrame(at: now)
    }

    private mutating func perform(_ event: ScheduledEvent, at now: Duration) {
        switch event {
        case .speedShows(let value): showSpeed(value)
        case .speedTurned(let value):
            outputs.append(.fact(.moved(value.ofBody)))
            showSpeed(value)
        case .speedFallsBack(let frame): fallBack(frame)
        case .propertyShows(let code, let words): show(code, words, at: now)
        case .focusSettles(let delay): focusSettles(reportedAfter: delay, at: now)
        case .focusReported(let found): reportFocus(found ? .found : .failed)
        case .shutterOpens: shutterOpens(at: now)
        case .shutterCloses: shutterCloses(at: now)
        case .darkFrameEnds: save(at: now)
        case .pictureSaved, .bodyRecovers: pictureSaved(at: now)
        case .counterShows: showCounter()
        case .filesArrive(let frame): filesArrive(frame)
        case .dialTurns(let mode): turnDial(to: mode)
        case .linkFails(let fault): outputs.append(.link(fault))
        case .warnsOfPowerOff: report(CanonEventRecord(.shutdownSoon, UInt32(Self.powerOffWarning.components.seconds)))
        case .powersOff:
            outputs.append(.log("fault: the body turns itself off"))
            outputs.append(.link(.closed(back: Self.powerOffTime)))
        }
    }
}

extension CanonBody.ScheduledEvent {
    /// Whether the event ends with the session.
    fileprivate var isOfSession: Bool {
        switch self {
        case .warnsOfPowerOff, .powersOff, .focusReported: true
        default: false
        }
    }
}
