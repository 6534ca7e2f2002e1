import NIOCore
import PTP

/// The transfer of the pictures that are kept, in pieces of a limited size. A transfer that the link interrupts
/// continues at the same byte. Files on the card are not removed.
extension CanonPTPIP {
    /// Handles a new request. Without a policy no file is needed.
    package mutating func takePictureRequest(in turn: inout DriverTurn) {
        guard common.pictures.request.policy == .none else { return }
        common.pictures.abandon(in: &turn)
        files.removeAll { !$0.isInBuffer }
    }

    /// Gives up an interrupted picture of another body.
    mutating func abandonStrangePicture(in turn: inout DriverTurn) {
        guard let current = common.pictures.current, current.bodyID != common.identity?.id else { return }
        common.pictures.abandon(in: &turn)
    }

    /// The next step for the first file; nil: none is due.
    mutating func decideFiles(in turn: inout DriverTurn) -> CanonNextAction? {
        let isUnwanted = common.pictures.request.policy == .none
        if isUnwanted || files.waiting.first?.isDone == true { common.pictures.abandon(in: &turn) }
        let mayComplete = has(.canonTransferComplete)
        files.removeAll { ($0.isDone || isUnwanted) && !($0.isInBuffer && mayComplete) }
        guard let file = files.waiting.first else {
            files.heldSince = nil
            return nil
        }
        if let retryAt = files.retryAt, turn.now < retryAt { return nil }
        let heldSince = files.heldSince
        files.retryAt = nil
        files.heldSince = nil
        if file.isDone || isUnwanted { return complete(file) }
        if file.isOnCard, file.failures > CanonLimits.failedTransfersMax {
            // The session ended in each attempt.
            turn.note(TransferSentences.givenUp(file.name, TransferSentences.linkBroken, isGone: false))
            common.pictures.abandon(in: &turn)
            return complete(file)
        }
        guard let info = file.info else { return .perform(.objectInfo(file.object.handle)) }
        let picture = PictureInfo(info, file)
        if let skip = skip(picture, file) {
            common.pictures.abandon(in: &turn)
            turn.append(.picture(common.pictures.nextID(), .skipped(picture, skip)))
            return complete(file)
        }
        // Without space here, a file that is not on a card waits in the body's buffer.
        guard common.pictures.request.hasRoom else {
            files.heldSince = heldSince ?? turn.now
            return nil
        }
        let isSmall = (file.byteCount ?? 0) <= PTPIPLimits.objectMax
        if file.isOnCard, picture.kind == .other || !isSmall { return complete(file) }
        return fetch(file, info, picture, in: &turn)
    }

    /// Why a file is not kept; nil: it is kept. A file that is only in the buffer is kept whatever its kind, because no
    /// other copy may exist.
    private func skip(_ picture: PictureInfo, _ file: CanonFile) -> PictureSkip? {
        guard file.isOnCard else { return nil }
        if picture.kind == .raw, common.pictures.request.policy == .jpeg { return .policy }
        return common.pictures.request.hasRoom ? nil : .noRoom
    }

    /// Ends the work on the first file. The body frees its buffer only if it is informed.
    private mutating func complete(_ file: CanonFile) -> CanonNextAction {
        guard file.isInBuffer, has(.canonTransferComplete) else {
            files.remove(file.object.handle)
            return .again
        }
        return .perform(.transferComplete(file.object.handle))
    }

    private mutating func fetch(
        _ file: CanonFile,
        _ info: ObjectInfo,
        _ picture: PictureInfo,
        in turn: inout DriverTurn
    ) -> CanonNextAction {
        let bodyID = common.identity?.id
        let isSame = common.pictures.current.map { current in
            info.filename.isEmpty ? current.id == file.picture : current.isOf(info, bodyID: bodyID)
        }
        if isSame != true {
            common.pictures.abandon(in: &turn)
            let id = common.pictures.order(picture, info, bodyID: bodyID)
            files.updateFirst { $0.picture = id }
        }
        let offset = common.pictures.current?.offset ?? 0
        guard let total = file.byteCount, has(.getPartialObject), let start = UInt32(exactly: offset) else {
            if offset > 0 {
                // The rest cannot be fetched alone, so the transfer begins again.
                common.pictures.abandon(in: &turn)
                return .again
            }
            return .perform(.object(file.object.handle))
        }
        let count = min(UInt64(CanonLimits.pieceMax), total - min(total, offset))
        guard count > 0 else { return finishPicture(in: &turn) }
        return .perform(.part(file.object.handle, from: start, count: UInt32(count)))
    }

    private mutating func finishPicture(in turn: inout DriverTurn) -> CanonNextAction {
        common.pictures.end(in: &turn)
        files.updateFirst {
            $0.isDone = true
            $0.failures = 0
            $0.isStuck = false
        }
        return .again
    }

    // MARK: Answers

    mutating func finishObjectInfo(_ handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        guard files.waiting.first?.object.handle == handle else { return }
        do throws(DatasetError) {
            guard result.isSuccess else { return noteFailure(of: handle, result, in: &turn) }
            let info = try ObjectInfo(decoding: result.data)
            files.updateFirst { $0.info = info }
        } catch {
            noteFailure(of: handle, result, in: &turn)
        }
    }

    /// Handles the answer after a piece. A body may send fewer bytes than requested.
    mutating func finishPart(_ handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        guard let file = files.waiting.first, file.object.handle == handle, let current = common.pictures.current else {
            return
        }
        let isWhole = file.byteCount.map { current.offset >= $0 } ?? result.isSuccess
        if isWhole, current.offset > 0 {
            _ = finishPicture(in: &turn)
        } else if result.isSuccess, result.byteCount > 0, has(.getPartialObject) {
            files.updateFirst {
                $0.failures = 0
                $0.isStuck = false
            }
        } else {
            common.pictures.breakOff(at: turn.now + timing.transferAgain, in: &turn)
            noteFailure(of: handle, result, in: &turn)
        }
    }

    /// A busy body has not freed its buffer, and a full buffer stops the next pictures.
    mutating func finishTransferComplete(_ handle: UInt32, _ result: OperationResult, at now: Duration) {
        guard result.code.isCanonBusy, let file = files.waiting.first, file.object.handle == handle,
            file.failures <= CanonLimits.failedTransfersMax
        else { return files.remove(handle) }
        files.updateFirst { $0.failures += 1 }
        files.retryAt = now + timing.transferAgain
    }

    /// Tries a transaction about the first file again later, or gives up the file. A file in the buffer that may be the
    /// only copy is never given up, because TransferComplete deletes it.
    private mutating func noteFailure(of handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        files.updateFirst { $0.failures += 1 }
        files.retryAt = turn.now + timing.transferAgain
        let isGone = result.code == .invalidObjectHandle
        guard let file = files.waiting.first, isGone || file.failures > CanonLimits.failedTransfersMax else { return }
        guard isGone || file.isOnCard else {
            files.retryAt = turn.now + timing.onlyCopyAgain
            if !file.isStuck { turn.note(TransferSentences.onlyInBuffer(file.name, result.code.canonName)) }
            return files.updateFirst { $0.isStuck = true }
        }
        turn.note(TransferSentences.givenUp(file.name, result.code.canonName, isGone: isGone))
        common.pictures.abandon(in: &turn)
        files.updateFirst { $0.isDone = true }
    }

    package mutating func interrupt(in turn: inout DriverTurn) {
        if common.pictures.interrupt(in: &turn) { files.updateFirst { $0.isDone = true } }
    }
}

extension PictureInfo {
    fileprivate init(_ info: ObjectInfo, _ file: CanonFile) {
        let name = info.filename.isEmpty ? file.object.name : info.filename
        self.init(
            name: name,
            kind: Kind(canonFormat: file.object.format ?? info.format, name: name),
            byteCount: file.byteCount,
            captureDate: info.captureDate,
            capture: file.capture
        )
    }
}
