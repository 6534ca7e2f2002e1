/// The faults of a body, with the number of times that each will still happen.
package struct ActiveFaults: Sendable {
    private struct Entry {
        let fault: Fault
        /// The number of times that the fault will still happen; nil: always.
        var left: Int?
    }

    private var entries: [Entry]

    package init(_ faults: [Fault]) {
        entries = faults.map { Entry(fault: $0, left: $0.times) }
    }

    /// Finds the first remaining fault for which `match` returns a value, and counts it down by one.
    package mutating func take<Value>(_ match: (Fault) -> Value?) -> Value? {
        for index in entries.indices {
            if let left = entries[index].left, left == 0 { continue }
            guard let value = match(entries[index].fault) else { continue }
            entries[index].left = entries[index].left.map { $0 - 1 }
            return value
        }
        return nil
    }

    /// Whether a busy storm affects the next command. A fixed bit pattern selects about half of the commands.
    package mutating func consumeBusyStorm() -> Bool {
        for index in entries.indices {
            guard case .busyStorm = entries[index].fault, let left = entries[index].left, left > 0 else { continue }
            entries[index].left = left - 1
            return 0xB2D4_6A9D_3C71_E586 as UInt64 >> UInt64(left % 64) & 1 == 1
        }
        return false
    }

    /// Whether a command during a frame is answered Device_Busy.
    ///
    /// - Parameter isOfKind: Whether the command is of a kind.
    package mutating func takeBusy(during frame: Int, _ isOfKind: (Fault.CommandKind) -> Bool) -> Bool {
        let hit = take { fault -> Bool? in
            guard case .busy(let kind, let onlyFrame, _) = fault, onlyFrame ?? frame == frame, isOfKind(kind) else {
                return nil
            }
            return true
        }
        return hit != nil || (isOfKind(.any) && consumeBusyStorm())
    }

    /// The number of bytes after which a part of a frame's file breaks off, and the time without a link; nil: no fault.
    package mutating func takeTransferBreak(
        of frame: Int,
        from offset: Int,
        count: Int
    ) -> (after: Int, back: Duration)? {
        take { fault in
            guard case .transferBreaks(frame, let bytes, let back) = fault, (offset..<offset + count).contains(bytes)
            else { return nil }
            return (bytes - offset, back)
        }
    }

    /// Finds the fault of the link for this phase of a frame, and counts it down by one.
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

    /// Finds the first remaining fault for which `match` returns a value, and does not count it down.
    package func first<Value>(_ match: (Fault) -> Value?) -> Value? {
        for entry in entries where entry.left != 0 {
            if let value = match(entry.fault) { return value }
        }
        return nil
    }
}

extension Fault {
    /// The number of times that the fault happens; nil: always.
    fileprivate var times: Int? {
        switch self {
        case .busy(_, _, let times), .ignoreSets(_, let times), .jump(_, let times, _), .fail(_, let times),
            .noPicture(_, let times), .noFocus(_, let times), .initFail(_, let times), .authFailed(let times),
            .emptyExtInfo(let times), .refuseConnect(let times), .busyStorm(let times),
            .ssdpFirst(let times), .falseCount(let times),
            .notReadyFirst(let times), .damagedReply(_, let times):
            times
        case .wrongSpeed(_, _, let times), .ignoreProperty(_, let times): times
        case .neverIdle, .drop, .mute, .close, .leave, .modeAfter, .modeAtFrame, .jumpAtShutter, .stale, .stuckBuffer,
            .objectInfoLate, .transferBreaks, .remoteModeLost, .lateFocus, .lateObject, .doubleObject,
            .busyAfterReady, .transferStalls, .withoutURL:
            1
        case .rejectMode, .pairing, .eventsSilent, .eventStorm, .probe, .slowTransfer, .partialOnly, .wholeOnly,
            .idleDrop, .refuseAfterUncleanEnd, .notWaiting, .paired, .autoOff, .busyUnreadEvents, .lateCounter, .omits,
            .unpaired, .needsRemoteMode, .pcMode, .earlyClose, .earlyReturn, .probed, .connectionZero,
            .withoutShutterProperty, .oneParameter, .placeholderStorages, .pushedEvents, .silentReleaseBusy,
            .ssdpSilent, .ssdpWrongLocation, .description, .sonyHTTP, .notReadyGap, .pollEnd, .locked, .expiredURL:
            nil
        }
    }
}
