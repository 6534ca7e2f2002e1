import NIOCore
import PTP

/// The descriptions of files.
extension NikonPTPIP {
    /// The request for the description of a file that can prove a frame; nil: none is due. Such files come first.
    mutating func describeProof(at now: Duration) -> NikonNextAction? {
        guard !isExposing || lastFrame.frame?.readyAt != nil,
            let file = files.waiting.first(where: \.isProof)
        else { return nil }
        guard has(.getObjectInfo) else {
            files.update(file.handle) { $0.isProofGivenUp = true }
            return .again
        }
        if let proofAt = files.proofAt, now < proofAt { return nil }
        files.update(file.handle) { $0.describedSince = $0.describedSince ?? now }
        return .perform(.objectInfo(file.handle))
    }

    /// Requests the description of a file. If the body denies it, the first bytes show the kind of the file.
    mutating func describe(_ file: NikonFile, in turn: inout DriverTurn) -> NikonNextAction {
        if has(.getObjectInfo) {
            files.updateFirst { $0.describedSince = $0.describedSince ?? turn.now }
            return .perform(.objectInfo(file.handle))
        }
        if file.isInMemory {
            // The only copy is fetched without a description too.
            files.update(file.handle) { $0.info = .undescribed(file.handle) }
            return .again
        }
        guard has(.nikonGetPartialObjectEx), has(.nikonGetObjectSize) else { return giveUpAll(in: &turn) }
        if !file.isSizeRequested {
            files.updateFirst { $0.isSizeRequested = true }
            return .perform(.objectSize(file.handle))
        }
        return .perform(.head(file.handle))
    }

    /// Gives up all files of a body that denies every description. They stay on its card.
    private mutating func giveUpAll(in turn: inout DriverTurn) -> NikonNextAction {
        note(remark: NikonFileSentences.denied, in: &turn)
        common.pictures.abandon(in: &turn)
        for file in files.waiting where !file.isInMemory {
            turn.append(.picture(common.pictures.nextID(), .skipped(PictureInfo(undescribed: file), .denied)))
        }
        files.removeAll { !$0.isInMemory }
        return .again
    }

    // MARK: Answers

    /// Handles a description. For about a second after the picture, bodies reject the request (airnef).
    mutating func finishObjectInfo(_ handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        files.proofAt = nil
        if result.code == .accessDenied {
            body.denied.insert(.getObjectInfo)
            return
        }
        guard result.isSuccess, let info = try? ObjectInfo(decoding: result.data) else {
            files.proofAt = turn.now + timing.objectInfoAgain
            return noteMissingInfo(of: handle, result, in: &turn)
        }
        if let file = files.waiting.first(where: { $0.handle == handle }), !file.isSame(as: info) {
            // The handle means another file on another card.
            _ = giveUp(file, ResponseCode.invalidObjectHandle.nikonName, isGone: true, in: &turn)
            return
        }
        files.update(handle) { $0.info = info }
        noteKind(of: handle, isFolder: info.isFolder, at: turn.now)
        proveFrame(at: turn.now)
    }

    private mutating func noteMissingInfo(of handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        guard let file = files.waiting.first(where: { $0.handle == handle }) else { return }
        let mayFollow = result.code == .generalError || result.code == .deviceBusy || result.code == .storeNotAvailable
        if mayFollow, let since = file.describedSince, turn.now < since + timing.objectInfo {
            files.retryAt = turn.now + timing.objectInfoAgain
        } else if file.isProof {
            files.update(handle) { $0.isProofGivenUp = true }
        } else if files.waiting.first?.handle == handle {
            noteFailure(of: handle, result, in: &turn)
        }
    }

    mutating func finishObjectSize(_ handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        let size = result.data.getInteger(at: result.data.readerIndex, endianness: .little, as: UInt64.self)
        if result.isSuccess, let size { files.update(handle) { $0.size = size } }
        if !result.isSuccess, files.waiting.first?.info == nil {
            files.update(handle) { $0.isSizeRequested = false }
            noteFailure(of: handle, result, in: &turn)
        }
    }

    mutating func finishHead(_ handle: UInt32, _ result: OperationResult, in turn: inout DriverTurn) {
        guard result.isSuccess else { return noteFailure(of: handle, result, in: &turn) }
        guard let info = ObjectInfo(nikonHead: result.data, handle: handle) else { return files.remove(handle) }
        files.update(handle) { $0.info = info }
        noteKind(of: handle, isFolder: false, at: turn.now)
    }
}

extension PictureInfo {
    /// A file that the body does not describe.
    fileprivate init(undescribed file: NikonFile) {
        self.init(name: file.name, kind: .other, byteCount: file.byteCount, captureDate: "", capture: file.capture)
    }
}
