import Cameras
import Exposure
import PTP

extension Fault {
    /// The largest count in a fault. A larger count is a typing error.
    package static let countMax = 1_000_000

    /// - Parameter maker: The name of the maker whose body has the fault; nil: any maker.
    /// - Throws: `FaultError`, which names the error and the correct notation.
    package init(parsing text: String, for maker: String? = nil) throws(FaultError) {
        var parts = try FaultParts(text)
        if let maker, !parts.entry.isOf(maker) {
            throw FaultError(specification: text, reason: "only bodies of \(parts.entry.owners) have this fault")
        }
        self = try Fault.make(&parts)
        try parts.finish()
    }

    private static func make(_ parts: inout FaultParts) throws(FaultError) -> Fault {
        if let fault = try parsePictures(&parts) { return fault }
        if let fault = try makeDiscovery(&parts) { return fault }
        if let fault = try makeCanon(&parts) { return fault }
        if let fault = try makeNikon(&parts) { return fault }
        if let fault = try makeSonyHTTP(&parts) { return fault }
        return switch parts.entry.name {
        case "busy": try parseBusy(&parts)
        case "ignore-set": .ignoreSets(frame: try parts.optionalFrame(), times: 1)
        case "ignore-sets": .ignoreSets(frame: nil, times: try parts.count())
        case "wrong-speed": .wrongSpeed(frame: try parts.frame(), speed: try parts.speed(), times: try parts.times())
        case "busy-storm": .busyStorm(times: try parts.count())
        case "ignore-property": try makeIgnoreProperty(&parts)
        case "jump": try parseJump(&parts)
        case "never-idle": .neverIdle(frame: try parts.frame(), heals: try parts.back())
        case "drop":
            .drop(
                frame: try parts.frame(),
                phase: try parts.framePhase() ?? .expose,
                back: try parts.back() ?? .seconds(3)
            )
        case "mute": .mute(frame: try parts.frame(), phase: try parts.framePhase() ?? .set, back: try parts.back())
        case "close":
            .close(frame: try parts.frame(), phase: try parts.framePhase() ?? .expose, back: try parts.back())
        case "leave": try parseLeave(&parts)
        case "fail": .fail(frame: try parts.frame(), times: try parts.times() ?? 1)
        case "no-picture": .noPicture(frame: try parts.frame(), times: try parts.times() ?? 1)
        case "no-focus": .noFocus(frame: try parts.frame(), times: try parts.times() ?? 1)
        default: try makeConnecting(&parts)
        }
    }

    private static func parsePictures(_ parts: inout FaultParts) throws(FaultError) -> Fault? {
        switch parts.entry.name {
        case "stale":
            let alone = parts.optionalValue()
            return .stale(frame: try parts.frame(), alone: try alone.map(parts.duration))
        case "stuck-buffer": return .stuckBuffer(frame: try parts.frame(), heals: try parts.back())
        case "object-info":
            return .objectInfoLate(frame: try parts.frame(), try parts.duration(try parts.value()))
        case "transfer-breaks":
            let bytes = try parts.byteCount(try parts.value())
            return .transferBreaks(frame: try parts.frame(), after: bytes, back: try parts.back() ?? .seconds(3))
        case "slow-transfer": return .slowTransfer(bytesPerSecond: try parts.byteCount(try parts.value()))
        case "partial-only": return .partialOnly
        case "whole-only": return .wholeOnly
        default: return nil
        }
    }

    private static func makeCanon(_ parts: inout FaultParts) throws(FaultError) -> Fault? {
        switch parts.entry.name {
        case "not-waiting": return .notWaiting(try parts.duration(try parts.value()))
        case "paired": return .paired(try parts.guid(try parts.value()))
        case "remote-lost": return .remoteModeLost(frame: try parts.frame())
        case "auto-off": return .autoOff(try parts.duration(try parts.value()))
        case "busy-unread-events": return .busyUnreadEvents
        case "late-focus": return .lateFocus(frame: try parts.frame(), try parts.duration(try parts.value()))
        case "late-counter": return .lateCounter(try parts.duration(try parts.value()))
        case "late-object": return .lateObject(frame: try parts.frame(), try parts.duration(try parts.value()))
        case "double-object": return .doubleObject(frame: try parts.frame())
        case "omits": return .omits(try parts.word("a sign of a picture", "the signs"))
        default: return nil
        }
    }

    private static func makeSonyHTTP(_ parts: inout FaultParts) throws(FaultError) -> Fault? {
        if let trait = SonyHTTPTrait(rawValue: parts.entry.name) { return .sonyHTTP(trait) }
        switch parts.entry.name {
        case "not-ready-first": return .notReadyFirst(times: try parts.count())
        case "not-ready-gap": return .notReadyGap(try parts.duration(try parts.value()))
        case "poll-end": return .pollEnd(try parts.word("an end of a poll", "the ends"))
        case "locked": return .locked(String(try parts.value()))
        case "bad-reply":
            let (name, times) = try parts.pair()
            return .damagedReply(
                try parts.word(name, "a damage of a reply", "the names"),
                times: try times.map(parts.count) ?? 1
            )
        case "no-url": return .withoutURL(frame: try parts.frame())
        case "expired-url": return .expiredURL(frame: try parts.frame())
        default: return nil
        }
    }

    private static func makeNikon(_ parts: inout FaultParts) throws(FaultError) -> Fault? {
        if let fault = withoutValue[parts.entry.name] { return fault }
        switch parts.entry.name {
        case "unpaired": return .unpaired(try parts.optionalValue().map(parts.duration) ?? .seconds(2))
        case "early-return": return .earlyReturn(try parts.optionalValue().map(parts.duration) ?? .milliseconds(1_200))
        case "probed": return .probed(try parts.word("a reaction to a probe", "the reactions"))
        case "pushed-events": return .pushedEvents(try parts.word("a way to send events", "the ways"))
        case "false-count": return .falseCount(times: try parts.count())
        case "busy-after-ready":
            let times = try parts.optionalValue().map(parts.count)
            return .busyAfterReady(frame: try parts.frame(), times: times ?? 3)
        case "transfer-stalls":
            return .transferStalls(frame: try parts.frame(), after: try parts.byteCount(try parts.value()))
        default: return nil
        }
    }

    /// Nikon's faults that have a name alone.
    private static let withoutValue: [String: Fault] = [
        "needs-remote-mode": .needsRemoteMode, "pc-mode": .pcMode, "early-close": .earlyClose,
        "connection-zero": .connectionZero, "without-d100": .withoutShutterProperty, "one-parameter": .oneParameter,
        "placeholder-storages": .placeholderStorages, "silent-release-busy": .silentReleaseBusy,
    ]

    private static func parseLeave(_ parts: inout FaultParts) throws(FaultError) -> Fault {
        let place = try parts.optionalValue().map(parts.place)
        let departure = Departure(
            back: try parts.back() ?? .seconds(3),
            place: place,
            isOrderly: parts.flag("politely")
        )
        return .leave(frame: try parts.frame(), phase: try parts.framePhase() ?? .expose, departure)
    }

    private static func makeDiscovery(_ parts: inout FaultParts) throws(FaultError) -> Fault? {
        switch parts.entry.name {
        case "ssdp-silent": return .ssdpSilent
        case "ssdp-first": return .ssdpFirst(times: try parts.count())
        case "ssdp-wrong-location":
            let host = try parts.optionalValue().map(parts.host)
            return .ssdpWrongLocation(host ?? IPAddress(bytes: wrongHost))
        case "description": return .description(try parts.word("a mode of the description", "the modes"))
        default: return nil
        }
    }

    /// 198.51.100.1, an address for examples. No host has this address (RFC 5737).
    private static let wrongHost: [UInt8] = [198, 51, 100, 1]

    private static func makeIgnoreProperty(_ parts: inout FaultParts) throws(FaultError) -> Fault {
        let (name, times) = try parts.pair()
        guard let property = CameraProperty(rawValue: String(name)) else {
            let names = CameraProperty.allCases.map(\.rawValue).joined(separator: ", ")
            throw parts.error("'\(name)' is not a property; the properties are \(names)")
        }
        return .ignoreProperty(property, times: try times.map(parts.count))
    }

    /// Reads the notation `jump`. With a speed it means the fault `jumpAtShutter`, without a speed the fault `jump`.
    private static func parseJump(_ parts: inout FaultParts) throws(FaultError) -> Fault {
        let frame = try parts.frame()
        guard let text = parts.optionalValue() else {
            return .jump(frame: frame, times: try parts.times() ?? 1, after: try parts.after() ?? .zero)
        }
        return .jumpAtShutter(frame: frame, text.uppercased() == "BULB" ? nil : try parts.speed(text))
    }

    private static func makeConnecting(_ parts: inout FaultParts) throws(FaultError) -> Fault {
        switch parts.entry.name {
        case "reject-mode": return .rejectMode(try parts.optionalValue().map(parts.mode) ?? .aperturePriority)
        case "mode-after":
            let (duration, mode) = try parts.pair()
            guard let mode else { throw parts.error("the mode is missing") }
            return .modeAfter(try parts.duration(duration), try parts.mode(mode))
        case "mode":
            let frame = try parts.frame()
            return .modeAtFrame(frame: frame, try parts.mode(try parts.value()))
        case "init-fail":
            let (reason, times) = try parts.pair()
            return .initFail(reason: try parts.reason(reason), times: try times.map(parts.count) ?? 1)
        case "pairing": return .pairing(try parts.duration(try parts.value()))
        case "auth-failed": return .authFailed(times: try parts.count())
        case "empty-extinfo": return .emptyExtInfo(times: try parts.count())
        case "events-silent": return .eventsSilent
        case "event-storm": return .eventStorm(times: try parts.count())
        case "refuse-connect": return .refuseConnect(times: try parts.count())
        case "idle-drop": return .idleDrop(try parts.duration(try parts.value()))
        case "refuse-after-unclean-end":
            let (duration, how) = try parts.pair()
            guard how == nil || how == "busy" else { throw parts.error("after the duration only ':busy' is allowed") }
            return .refuseAfterUncleanEnd(try parts.duration(duration), isBusy: how != nil)
        case "probe": return .probe(every: try parts.duration(try parts.value()))
        default: preconditionFailure("the table names a fault that the parser does not make")
        }
    }

    private static func parseBusy(_ parts: inout FaultParts) throws(FaultError) -> Fault {
        let frame = try parts.optionalFrame()
        let (first, second) = try parts.pair()
        guard let second else {
            return .busy(frame == nil ? .any : .change, frame: frame, times: try parts.count(first))
        }
        return .busy(try parts.commandKind(first), frame: frame, times: try parts.count(second))
    }
}
