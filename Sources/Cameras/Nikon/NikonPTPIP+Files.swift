import NIOCore
import PTP

/// The transfer of the pictures that are kept, in pieces of a limited size. A transfer that the link interrupts
/// continues at the same byte. Files on the card are not removed.
extension NikonPTPIP {
    /// Handles a new request. Without a policy no file is needed.
    package mutating func takePictureRequest(in turn: inout DriverTurn) {
        guard common.pictures.request.policy == .none else { return }
        common.pictures.abandon(in: &turn)
        files.removeAll { !$0.isInMemory && !$0.isProof }
    }

    /// Gives up an interrupted picture of another body.
    mutating func abandonStrangePicture(in turn: inout DriverTurn) {
        guard let current = common.pictures.current else { return }
        let isWaiting = files.waiting.contains { $0.picture == current.id }
        if current.bodyID != common.identity?.id || !isWaiting { common.pictures.abandon(in: &turn) }
    }

    /// The next step for the first file; nil: none is due.
    mutating func decideFiles(in turn: inout DriverTurn) -> NikonNextAction? {
        if let move = describeProof(at: turn.now) { return move }
        guard !isExposing else { return nil }
        let isUnwanted = common.pictures.request.policy == .none
        if isUnwanted || files.waiting.first?.isDone == true { common.pictures.abandon(in: &turn) }
        files.removeAll { !$0.isInMemory && ($0.isDone || isUnwanted && !$0.isProof) }
        guard let file = files.waiting.first else {
            files.heldSince = nil
            return nil
        }
        if let retryAt = files.retryAt, turn.now < retryAt { return nil }
        let heldSince = files.heldSince
        files.retryAt = nil
        files.heldSince = nil
        if file.isDone || isUnwanted && file.isInMemory { return delete(file) }
        guard let info = file.info else { return describe(file, in: &turn) }
        if !file.isSizeRequested, file.byteCount == nil, has(.nikonGetObjectSize), !file.isInMemory {
            files.updateFirst { $0.isSizeRequested = true }
            return .perform(.objectSize(file.handle))
        }
        if !file.isInMemory, file.failures > NikonLimits.failedTransfersMax {
            // The session ended in each attempt.
            return giveUp(file, TransferSentences.linkBroken, in: &turn)
        }
        let picture = PictureInfo(info, file)
        if let skip = skip(picture, file) {
            common.pictures.abandon(in: &turn)
            turn.append(.picture(common.pictures.nextID(), .skipped(picture, skip)))
            return complete(file)
        }
        // Without space here, a picture that is not on a card waits in the body's memory.
        guard common.pictures.request.hasRoom else {
            files.heldSince = heldSince ?? turn.now
            return nil
        }
        let isSmall = (file.byteCount ?? 0) <= PTPIPLimits.objectMax
        if !file.isInMemory, picture.kind == .other || !isSmall { return complete(file) }
        return fetch(file, info, picture, in: &turn)
    }

    /// Why a file is not kept; nil: it is kept. A picture that is only in memory is kept whatever its kind, because no
    /// other copy exists.
    private func skip(_ picture: PictureInfo, _ file: NikonFile) -> PictureSkip? {
        guard !file.isInMemory else { return nil }
        if picture.kind == .raw, common.pictures.request.policy == .jpeg { return .policy }
        return common.pictures.request.hasRoom ? nil : .noRoom
    }

    /// Ends the work on the first file.
    private mutating func complete(_ file: NikonFile) -> NikonNextAction {
        if file.isInMemory { return delete(file) }
        files.remove(file.handle)
        return .again
    }

    /// An unread picture in memory blocks later captures (libgphoto2 library.c).
    private mutating func delete(_ file: NikonFile) -> NikonNextAction {
        let ways: [OperationCode] = [.nikonDeleteFromMemory, .deleteObject]
        guard let way = ways.first(where: has) else {
            files.removeAll { $0.isInMemory && ($0.isDone || common.pictures.request.policy == .none) }
            return .again
        }
        return .perform(.delete(file.handle, by: way))
    }

    mutating func giveUp(
        _ file: NikonFile,
        _ reason: String,
        isGone: Bool = false,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        turn.note(TransferSentences.givenUp(file.name, reason, isGone: isGone))
        common.pictures.abandon(in: &turn)
        files.remove(file.handle)
        return .again
    }

    // MARK: The transfer

    private mutating func fetch(
        _ file: NikonFile,
        _ info: ObjectInfo,
        _ picture: PictureInfo,
        in turn: inout DriverTurn
    ) -> NikonNextAction {
        let bodyID = common.identity?.id
        let current = common.pictures.current
        // The size can differ although the description lacks it.
        let isCurrent = current?.isOf(info, bodyID: bodyID) == true && current?.info.byteCount == picture.byteCount
        if !isCurrent || file.picture != current?.id {
            common.pictures.abandon(in: &turn)
            let id = common.pictures.order(picture, info, bodyID: bodyID)
            files.updateFirst { $0.picture = id }
        }
        let offset = common.pictures.current?.offset ?? 0
        guard !file.isInMemory, let total = file.byteCount, let way = partialRead(from: offset) else {
            if offset > 0 {
                // The rest cannot be fetched alone, so the transfer begins again.
                common.pictures.abandon(in: &turn)
                files.updateFirst { $0.picture = nil }
                return .again
            }
            return .perform(.object(file.handle))
        }
        let count = min(UInt64(NikonLimits.pieceMax), total - min(total, offset))
        guard count > 0 else { return finishPicture(in: &turn) }
        return .perform(.part(file.handle, from: offset, count: UInt32(count), by: way))
    }

    /// The operation that reads a part from an offset; nil: the body has none.
    private func partialRead(from offset: UInt64) -> OperationCode? {
        body.abilities.partialReads.first { code in
            has(code) && (code != .getPartialObject || offset <= UInt64(UInt32.max))
        }
    }

    private mutating func finishPicture(in turn: inout DriverTurn) -> NikonNextAction {
        common.pictures.end(in: &turn)
        files.updateFirst {
            $0.isDone = true
            $0.failures = 0
            $0.isStuck = false
        }
        return .again
    }

    // MARK: Answers

    /// Handles the answer after a piece. A body may send fewer bytes than requested.
    mutating func finishPart(
        _ handle: UInt32,
        _ code: OperationCode,
        _ result: OperationResult,
        in turn: inout DriverTurn
    ) {
        guard let file = files.waiting.first, file.handle == handle, let current = common.pictures.current else {
            return
        }
        if result.byteCount == 0, result.code == .accessDenied || result.code == .operationNotSupported,
            code != .getObject
        {
            // Another operation can read the same bytes.
            body.denied.insert(code)
            return
        }
        if result.byteCount == 0, isStillBusy(file, result, at: turn.now) { return }
        if result.code != .deviceBusy { files.updateFirst { $0.busySince = nil } }
        let isWhole = file.byteCount.map { current.offset >= $0 } ?? result.isSuccess
        if isWhole, current.offset > 0 {
            _ = finishPicture(in: &turn)
        } else if result.isSuccess, result.byteCount > 0, code != .getObject {
            files.updateFirst {
                $0.failures = 0
                $0.isStuck = false
            }
        } else {
            common.pictures.breakOff(at: turn.now + timing.transferAgain, in: &turn)
            if result.code == .accessDenied { note(remark: NikonFileSentences.denied, in: &turn) }
            noteFailure(of: handle, result, in: &turn)
        }
    }

    /// Whether a busy body is asked again without counting that as a failure.
    mutating func isStillBusy(_ file: NikonFile, _ result: OperationResult, at now: Duration) -> Bool {
        let since = file.busySince ?? now
        guard result.code == .deviceBusy, now < since + timing.busy else { return false }
        files.update(file.handle) { $0.busySince = since }
        files.retryAt = now + timing.transferAgain
        return true
    }

    mutating func finishDelete(_ handle: UInt32, _ result: OperationResult, at now: Duration) {
        guard result.code == .deviceBusy, let file = files.waiting.first, file.handle == handle,
            file.failures <= NikonLimits.failedTransfersMax
        else { return files.remove(handle) }
        files.updateFirst { $0.failures += 1 }
        files.retryAt = now + timing.transferAgain
    }

    /// Tries a transaction about the first file again later, or gives up the file. A picture in memory is never given
    /// up, because it is the only copy.
    mutating func noteFailure(of handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        if let file = files.waiting.first, isStillBusy(file, result, at: turn.now) { return }
        files.updateFirst { $0.failures += 1 }
        files.retryAt = turn.now + timing.transferAgain
        let isGone = result.code == .invalidObjectHandle
        guard let file = files.waiting.first, isGone || file.failures > NikonLimits.failedTransfersMax else { return }
        guard isGone || !file.isInMemory else {
            files.retryAt = turn.now + timing.onlyCopyAgain
            if !file.isStuck { turn.note(TransferSentences.onlyInBuffer(file.name, result.code.nikonName)) }
            return files.updateFirst { $0.isStuck = true }
        }
        _ = giveUp(file, result.code.nikonName, isGone: isGone, in: &turn)
    }

    package mutating func interrupt(in turn: inout DriverTurn) {
        if common.pictures.interrupt(in: &turn) { files.updateFirst { $0.isDone = true } }
    }
}

extension PictureInfo {
    fileprivate init(_ info: ObjectInfo, _ file: NikonFile) {
        self.init(
            name: info.filename.isEmpty ? file.name : info.filename,
            kind: Kind(nikonFormat: info.format, name: info.filename),
            byteCount: file.byteCount,
            captureDate: info.captureDate,
            capture: file.capture
        )
    }
}
