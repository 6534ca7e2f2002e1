import NIOCore
import PTP

/// The pictures that are kept. Their bytes are delivered while they leave the buffer.
///
/// The transfer delays the next frame, and the driver cannot avoid that. While a file is in the buffer, these bodies
/// ignore settings and the shutter, and there is only one command connection. So the driver transfers a picture as fast
/// as the network allows, and requests nothing else.
///
/// The body removes a file after its last byte. So a picture is complete when all announced bytes arrived, even without
/// the answer that follows them. If the body still has the file, it delivers the file again. The driver then recognizes
/// and discards it.
extension SonyPTPIP {
    /// Handles a new request. A picture in transfer continues, unless it exists only in the camera and has no space
    /// here.
    package mutating func takePictureRequest(in turn: inout DriverTurn) {
        if common.pictures.current?.stage == .streaming || task?.isTransfer == true {
            return breakOffWithoutRoom(in: &turn)
        }
        // The fetch is planned again with the new request.
        drain.next = nil
        drain.held = nil
        if common.pictures.request.policy == .none || common.pictures.current?.stage == .ordered {
            abandonPicture(in: &turn)
        }
    }

    // MARK: Bytes

    /// Handles the answer after the bytes. Returns whether the file has left the buffer.
    mutating func finishPicture(_ fetch: SonyFetch, _ result: OperationResult, in turn: inout DriverTurn) -> Bool {
        guard let current = common.pictures.current, case .keep(current.id, let start) = fetch.purpose else {
            noteFailedFetch(result, of: fetch.origin, in: &turn)
            return false
        }
        let isEnd = result.isSuccess && start == 0 && !current.isShort || result.isComplete && current.isWhole
        if isEnd, current.offset > 0 {
            endPicture(result, in: &turn)
            return true
        }
        if result.isSuccess, start == 0 { common.pictures.noteShort() }
        let isPart = start > 0 && result.isSuccess && result.byteCount > 0
        if isPart {
            // A body may send fewer bytes than requested.
            let purpose = SonyFetch.Purpose.keep(current.id, from: current.offset)
            drain.next = SonyFetch(file: fetch.file, origin: fetch.origin, purpose: purpose)
            return false
        }
        common.pictures.breakOff(at: turn.now, in: &turn)
        noteFailedFetch(result, of: fetch.origin, in: &turn)
        giveUpPicture(fetch, result, in: &turn)
        return false
    }

    private mutating func endPicture(_ result: OperationResult?, in turn: inout DriverTurn) {
        common.pictures.begin(in: &turn)
        guard let current = common.pictures.current else { return }
        if !current.isWhole, let announced = current.info.byteCount {
            let (name, byteCount) = (current.info.name, current.offset)
            turn.note(SonyPictureSentences.sizeDiffers(name, byteCount: byteCount, announced: announced))
        }
        if let result, result.code != .ok {
            turn.note(SonyPictureSentences.completeDespite(result.code, current.info.name))
        }
        common.pictures.end(in: &turn)
    }

    /// Gives up a picture if the body refused to send the remaining bytes or the transfer failed too often. The file
    /// must leave the buffer before the next frame.
    private mutating func giveUpPicture(_ fetch: SonyFetch, _ result: OperationResult, in turn: inout DriverTurn) {
        guard let current = common.pictures.current, current.isInterrupted else { return }
        let isBusy = result.code == .deviceBusy || result.code == .accessDenied
        let isRestRefused = fetch.purpose != .keep(current.id, from: 0) && result.byteCount == 0 && !isBusy
        let isUnrecoverable = drain.failures > SonyLimits.failedFetchesMax
        guard isRestRefused || isUnrecoverable else { return }
        if isUnrecoverable {
            drain.unrecoverable = fetch.file
            turn.note(SonyPictureSentences.transferFailedTooOften(current.info.name))
        }
        abandonPicture(in: &turn)
    }

    // MARK: The end

    package mutating func interrupt(in turn: inout DriverTurn) {
        if common.pictures.interrupt(in: &turn), let fetchOfPicture { noteFetched(fetchOfPicture) }
    }

    /// Gives up an interrupted picture when its file is no longer in the buffer.
    mutating func expirePicture(in turn: inout DriverTurn) {
        guard let current = common.pictures.current, case .interrupted(let at) = current.stage else { return }
        guard let reading = body.reading, reading.fileInfo == .empty, reading.requestedAt >= at ?? .zero else { return }
        // Keeps the incomplete file if the body never delivered more of it.
        if current.isShortByItself, current.offset > 0 { return endPicture(nil, in: &turn) }
        turn.note(SonyPictureSentences.restLost(current.info.name))
        abandonPicture(in: &turn)
    }

    /// Gives up the current picture: no more bytes of it arrive.
    mutating func abandonPicture(in turn: inout DriverTurn) {
        guard let current = common.pictures.current else { return }
        if case .keep(current.id, _)? = drain.next?.purpose { drain.next = nil }
        common.pictures.abandon(in: &turn)
    }

    /// Reports a file that has left the buffer and was not kept.
    mutating func reportSkip(_ fetch: SonyFetch, _ skip: PictureSkip?, in turn: inout DriverTurn) {
        guard let skip else { return }
        let info = PictureInfo(fetch.file, capture: fetch.origin.capture, wasLeft: wasLeft)
        turn.append(.picture(common.pictures.nextID(), .skipped(info, skip)))
    }

    /// Remembers a file that has left the buffer.
    mutating func noteFetched(_ fetch: SonyFetch) {
        drain.wasEvidence = isEvidence(fetch.origin)
        var takenBefore = common.transactionSince
        if let ticket = fetch.origin.capture {
            if let frame = lastFrame.lastPressed, frame.ticket == ticket {
                // The factor 9/8 covers 30″, for which a body exposes 32 s.
                takenBefore = frame.pressedAt + frame.exposureMax * 9 / 8
            }
            lastFrame.update(of: ticket) { $0.hasFile = true }
        }
        if fetch.origin != .repeated { lastLoss = nil }
        drain.note(fetched: fetch, takenBefore: takenBefore)
    }
}
