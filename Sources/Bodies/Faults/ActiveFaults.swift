/// The faults of a body, and how often each still happens.
package struct ActiveFaults: Sendable {
    private struct Entry {
        let fault: Fault
        /// How often it still happens; nil: always.
        var left: Int?
    }

    private var entries: [Entry]

    package init(_ faults: [Fault]) {
        entries = faults.map { Entry(fault: $0, left: $0.times) }
    }

    /// The first unused fault for which `match` returns a value. It counts as having happened once more.
    package mutating func take<Value>(_ match: (Fault) -> Value?) -> Value? {
        for index in entries.indices {
            if let left = entries[index].left, left == 0 { continue }
            guard let value = match(entries[index].fault) else { continue }
            entries[index].left = entries[index].left.map { $0 - 1 }
            return value
        }
        return nil
    }

    /// Whether a busy storm hits the next command: it hits about half of them, in the pattern of these bits.
    package mutating func consumeBusyStorm() -> Bool {
        for index in entries.indices {
            guard case .busyStorm = entries[index].fault, let left = entries[index].left, left > 0 else { continue }
            entries[index].left = left - 1
            return 0xB2D4_6A9D_3C71_E586 as UInt64 >> UInt64(left % 64) & 1 == 1
        }
        return false
    }

    /// The fault of the link for this phase of a frame. It counts as having happened.
    package mutating func takeLinkFault(in phase: Fault.FramePhase, of frame: Int) -> BodyLinkFault? {
        take { fault in
            switch fault {
            case .drop(frame, phase, let back): .broken(back: back)
            case .close(frame, phase, let back): .closed(back: back)
            case .leave(frame, phase, let departure): .leaves(departure)
            case .mute(frame, phase, let back): .silent(back: back)
            default: nil
            }
        }
    }

    /// The first unused fault for which `match` returns a value, without counting it.
    package func first<Value>(_ match: (Fault) -> Value?) -> Value? {
        for entry in entries where entry.left != 0 {
            if let value = match(entry.fault) { return value }
        }
        return nil
    }
}

extension Fault {
    /// How often the fault happens; nil: each time.
    fileprivate var times: Int? {
        switch self {
        case .busy(_, _, let times), .ignoreSets(_, let times), .jump(_, let times, _), .fail(_, let times),
            .noPicture(_, let times), .noFocus(_, let times), .initFail(_, let times), .authFailed(let times),
            .emptyExtInfo(let times), .refuseConnect(let times), .busyStorm(let times),
            .ssdpFirst(let times):
            times
        case .wrongSpeed(_, _, let times), .ignoreProperty(_, let times): times
        case .neverIdle, .drop, .mute, .close, .leave, .modeAfter, .modeAtFrame, .jumpAtShutter, .stale, .stuckBuffer,
            .objectInfoLate, .transferBreaks:
            1
        case .rejectMode, .pairing, .eventsSilent, .eventStorm, .probe, .slowTransfer, .partialOnly, .wholeOnly,
            .idleDrop, .refuseAfterUncleanEnd, .ssdpSilent, .ssdpWrongLocation, .description:
            nil
        }
    }
}
