import Cameras
import NIOCore
import PTP

/// A model of a Nikon body: its dial, its shutter, its events, its card and its pairing.
///
/// The initiator asks for everything: properties, readiness and events. Some bodies also send their events as packets.
/// ``PTPIPBody`` connects it to a PTP/IP responder.
package struct NikonBody: SpeedBody {
    /// Where the picture of a release goes.
    enum Target: Equatable, Sendable {
        case card, memory, both

        var isCard: Bool { self != .memory }
        var isMemory: Bool { self != .card }
    }

    /// The state of the shutter and of the steps after an exposure.
    enum Shutter: Equatable, Sendable {
        case ready
        /// Autofocus runs before the release.
        case focusing(Target, finds: Bool)
        /// The shutter is not open yet.
        case releasing(Target)
        case open(Exposure)
        /// Noise reduction exposes a dark frame.
        case darkFrame(Target)
        /// The picture is being processed and written.
        case saving(Target)
        /// The picture does not become ready, because of a fault.
        case stuck(Target)
    }

    struct Exposure: Equatable, Sendable {
        let target: Target
        let speed: NikonShutterSpeed
        let settings: FrameSettings
        let since: Duration
        /// nil: Bulb or Time, until the initiator ends the exposure.
        let ends: Duration?
    }

    /// A planned event inside the body.
    enum ScheduledEvent: Equatable, Sendable {
        case speedShows(NikonShutterSpeed)
        /// The user turns the dial.
        case speedTurned(NikonShutterSpeed)
        case speedFallsBack(frame: Int)
        case propertyShows(PropertyCode, PTPValue)
        case focusSettles
        case shutterOpens
        case shutterCloses
        case darkFrameEnds
        case pictureSaved
        case bodyRecovers
        case counterShows
        case filesArrive(CardFrame, Target)
        case dialTurns(DialMode)
        case pairingConfirmed
        case linkFails(BodyLinkFault)
    }

    /// The pairing with an initiator.
    enum Pairing: Equatable, Sendable {
        case paired
        case none
        /// The body shows the PIN from this time.
        case showingPIN(from: Duration)
        /// The initiator has confirmed, and the user has not.
        case confirming
    }

    /// How often the body is still busy after it was ready.
    enum LateBusy: Equatable, Sendable {
        case none
        /// The body has not been ready since the frame.
        case armed(times: Int)
        case busy(times: Int)
    }

    /// What the body does for the present initiator.
    struct Session: Sendable {
        let openedAt: Duration
        var isApplication = false
        var isRemote = false
        var isLiveView = false
        /// The speed that the initiator read last; nil: not read yet.
        var readSpeed: NikonShutterSpeed?
    }

    package let model: NikonModel
    let options: BodyOptions
    package var faults: ActiveFaults
    var sheet: NikonSheet
    /// Every timed speed of the body, in the body's order.
    let speeds: [NikonShutterSpeed]
    var schedule = Schedule<ScheduledEvent>()
    /// nil: no session is open.
    var session: Session?
    /// The events of the next event list.
    var queue: [PTPEvent] = []
    var pairing = Pairing.paired

    /// The position of the dial.
    package internal(set) var mode: DialMode
    /// The speed of the next exposure.
    var speed: NikonShutterSpeed
    var speedBefore: NikonShutterSpeed
    var lastSet = LastSpeedSet.none
    var shutter = Shutter.ready
    var liveViewEye = LiveViewEye()
    /// Why the running action failed, for the next DeviceReady; nil: it did not.
    var failure: ResponseCode?
    var lateBusy = LateBusy.none
    /// The picture in memory that no initiator has deleted.
    var inMemory: CardFrame?
    /// The handles of the files that an initiator deleted.
    var deleted: Set<UInt32> = []
    package var delivery: FileDelivery?
    /// The body rejects GetObjectInfo before this time.
    var objectInfoFrom = Duration.zero
    /// Init packets before this time stay unanswered because of a fault.
    var silentUntil = Duration.zero
    /// Whether the next Init packet stays unanswered because of a fault.
    var ignoresNextInit = false
    /// The number of pictures that still fit on the card.
    var shotsLeft: Int

    package var outputs: [PTPBodyOutput] = []
    /// The frames exposed so far, in order.
    package var card: [CardFrame] = []

    package init(model: NikonModel, options: BodyOptions = BodyOptions()) {
        self.model = model
        self.options = options
        faults = ActiveFaults(options.faults)
        sheet = model.sheet
        if model.hasHalfSteps { sheet.apply(.halfSteps) }
        let own = sheet.choices(.nikonShutterSpeed).map { NikonShutterSpeed(rawValue: UInt32(truncatingIfNeeded: $0)) }
        let timed = own.filter { !Self.special.contains($0) }
        speeds = options.speeds.map { NikonSpeedScale.speeds(of: $0, in: timed) } ?? timed
        mode = faults.first { if case .rejectMode(let mode) = $0 { mode } else { nil } } ?? options.mode
        speed = NikonShutterSpeed(rawValue: UInt32(truncatingIfNeeded: sheet.number(.nikonShutterSpeed) ?? 0))
        speedBefore = speed
        shotsLeft = options.shotsLeft ?? Int(sheet.number(.nikonShotsLeft) ?? 0)
        applyOptions()
    }

    /// The values in a list of speeds that are no times, in the order of real bodies.
    static let special: [NikonShutterSpeed] = [.bulb, .time, .flashSync]

    /// The current frame of the body. An exposed frame stays current until it is saved.
    package var currentFrame: Int {
        switch shutter {
        case .ready, .focusing, .releasing, .open: card.count + 1
        case .darkFrame, .saving, .stuck: card.count
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

    /// Ends the session after the initiator has disconnected. An exposure continues, except Bulb, which ends.
    package mutating func initiatorDisconnected(at now: Duration) {
        if let delay = faults.first({ if case .earlyReturn(let delay) = $0 { delay } else { nil } }), session != nil {
            silentUntil = now + delay
        }
        session = nil
        delivery = nil
        sheet.set(.nikonApplicationMode, 0)
        sheet.set(.nikonLiveViewStatus, 0)
        // A picture in memory is lost.
        inMemory = nil
        if case .showingPIN = pairing { pairing = .none }
        endBulb(at: now)
        turnDialForFrame(at: now)
    }

    private mutating func perform(_ event: ScheduledEvent, at now: Duration) {
        switch event {
        case .speedShows(let value): showSpeed(value)
        case .speedTurned(let value):
            outputs.append(.fact(.moved(ofBody(value))))
            showSpeed(value)
        case .speedFallsBack(let frame): fallBack(frame)
        case .propertyShows(let code, let value): show(code, value)
        case .focusSettles: focusSettles(at: now)
        case .shutterOpens: shutterOpens(at: now)
        case .shutterCloses: shutterCloses(at: now)
        case .darkFrameEnds: darkFrameEnds(at: now)
        case .pictureSaved, .bodyRecovers: pictureSaved(at: now)
        case .counterShows: showCounter()
        case .filesArrive(let frame, let target): announceFiles(of: frame, target)
        case .dialTurns(let mode): turnDial(to: mode)
        case .pairingConfirmed: pairingConfirmed()
        case .linkFails(let fault): outputs.append(.link(fault))
        }
    }
}
