import PTP

/// Decides what to do with the first file in the buffer.
extension SonyPTPIP {
    /// The origin of the first file in the buffer.
    ///
    /// The shutter is pressed only after a reading with an empty buffer. So a file from before the press is never
    /// assigned to the frame. A file that is present after a reconnect belongs to the frame in doubt, which was pressed
    /// before the link was lost.
    ///
    /// A file that appears before the earliest end of the exposure does not belong to the last frame. It is a late file
    /// of the previous frame, if that frame has no file yet. Otherwise it belongs to no frame.
    func origin(of file: ObjectInfo, at now: Duration) -> SonyFileOrigin {
        if let first = drain.first, first.file == file { return first.origin }
        if drain.wasFetched(file) { return .repeated }
        if drain.belongsToLastPicture(file) { return .lastPicture(drain.lastPicture?.capture) }
        guard let last = lastFrame.lastPressed else { return .stranger }
        let frame = now >= last.earliestEnd ? last : lastFrame.beforeLast.flatMap { $0.isCaptured ? $0 : nil }
        guard let frame, mayOwn(file, frame) else { return .stranger }
        return .frame(frame.ticket)
    }

    private func mayOwn(_ file: ObjectInfo, _ frame: SonyFrame) -> Bool {
        guard frame.bodyID == common.identity?.id, !frame.hasFile || isOwnAfterOld(file, frame) else { return false }
        return (isOfThisSession(frame) || !frame.isOver) && !drain.isOlder(file, thanShotAt: frame.pressedAt)
    }

    /// Whether this newer file belongs to the frame, and the file that was assigned to the frame is old. Only the first
    /// frame of a driver can find an old file. Later, a newer file comes from a press on the body.
    private func isOwnAfterOld(_ file: ObjectInfo, _ frame: SonyFrame) -> Bool {
        frame.isFirst && drain.isNewer(file, thanFileOf: frame.ticket)
    }

    /// Whether the file was in the buffer before this driver pressed the shutter or saw an empty buffer.
    var wasLeft: Bool {
        if case .unknown = lastFrame { !drain.wasEmpty } else { false }
    }

    /// Whether a file may belong to the last frame. Any file may belong to it if the driver knows no frame.
    func isEvidence(_ origin: SonyFileOrigin) -> Bool {
        lastFrame.frame.map { $0.ticket == origin.capture } ?? true
    }

    /// Decides whether and how the first file in the buffer is fetched.
    mutating func plan(_ file: ObjectInfo, _ origin: SonyFileOrigin, in turn: inout DriverTurn) {
        // The interrupted file was first in the buffer. It was deleted if another file is first now.
        if let current = common.pictures.current, !current.isOf(file, bodyID: common.identity?.id) {
            abandonPicture(in: &turn)
        }
        let kind = PictureInfo.Kind(format: file.format, name: file.filename)
        let skip: PictureSkip?
        if origin == .repeated || isUnrecoverable(file) || common.pictures.request.policy == .none {
            skip = nil
        } else if common.pictures.request.policy == .jpeg, kind == .raw, mayDrop(file, in: &turn) {
            skip = .policy
        } else if common.pictures.request.hasRoom {
            return order(file, origin, in: &turn)
        } else if body.reading?.storesOnCard == true {
            skip = .noRoom
        } else {
            drain.held = SonyDrain.Held(file: file, since: turn.now)
            return turn.note(SonyPictureSentences.staysInBuffer(file.filename))
        }
        abandonPicture(in: &turn)
        drain.next = SonyFetch(file: file, origin: origin, purpose: .drop(skip))
    }

    /// Whether the driver can discard a file. A file of any kind is kept unless the camera's card has it too.
    private mutating func mayDrop(_ file: ObjectInfo, in turn: inout DriverTurn) -> Bool {
        if body.reading?.storesOnCard == true { return true }
        if !hasReportedKeepingRAW {
            hasReportedKeepingRAW = true
            turn.note(SonyPictureSentences.rawKept(file.filename))
        }
        return false
    }

    /// Continues the interrupted picture if the body supports that, or begins a new one.
    private mutating func order(_ file: ObjectInfo, _ origin: SonyFileOrigin, in turn: inout DriverTurn) {
        if let current = common.pictures.current {
            let isRestKnown = current.info.byteCount.map { current.offset < $0 } ?? false
            let isRefused = lostFetch(of: file)?.isRestRefused ?? false
            let mayGoOn = isRestKnown && !isRefused && common.deviceInfo.operations.contains(.getPartialObject)
            if current.offset == 0 || mayGoOn {
                return drain.next = SonyFetch(
                    file: file,
                    origin: origin,
                    purpose: .keep(current.id, from: current.offset)
                )
            }
            abandonPicture(in: &turn)
        }
        let info = PictureInfo(file, capture: origin.capture, wasLeft: wasLeft)
        let id = common.pictures.order(info, file, bodyID: common.identity?.id)
        let fetch = SonyFetch(file: file, origin: origin, purpose: .keep(id, from: 0))
        fetchOfPicture = fetch
        drain.next = fetch
    }

    /// Cancels the planned fetch if the last reading shows no ready file.
    mutating func expirePlan(in turn: inout DriverTurn) {
        if drain.next == nil { return }
        if case .ready? = body.reading?.fileInfo { return }
        drain.next = nil
        common.pictures.breakOff(at: nil, in: &turn)
    }
}
