import PTP

/// Transfers that end a session, because of the body or the disk.
extension SonyPTPIP {
    /// Whether another attempt to keep a file is useless.
    func isUnrecoverable(_ file: ObjectInfo) -> Bool {
        drain.unrecoverable == file || lostFetch(of: file)?.isUnrecoverable ?? false
    }

    /// The data of earlier sessions that ended in the transfer of this file.
    func lostFetch(of file: ObjectInfo) -> SonyLostFetch? {
        lastLoss.flatMap { $0.file == file && $0.bodyID == common.identity?.id ? $0 : nil }
    }

    /// The session is lost, possibly in the middle of a transfer.
    package mutating func noteLoss(in turn: inout DriverTurn) {
        guard common.isConnected, case .object(let fetch)? = task, case .keep(let id, let start) = fetch.purpose,
            let current = common.pictures.current, current.id == id, !current.isWhole
        else { return }
        var loss = lostFetch(of: fetch.file) ?? SonyLostFetch(file: fetch.file, bodyID: common.identity?.id)
        loss.note(current.offset, from: start)
        lastLoss = loss
        if loss.isUnrecoverable { turn.note(SonyPictureSentences.sessionBrokenTooOften(fetch.file.filename)) }
    }

    /// The last byte of a picture removes it from the body's buffer. Without space here, a picture that exists only in
    /// the camera must not reach its last byte. Only the end of the link stops a transfer.
    mutating func breakOffWithoutRoom(in turn: inout DriverTurn) {
        guard !common.pictures.request.hasRoom, common.isConnected, body.reading?.storesOnCard != true,
            let current = common.pictures.current, !current.isWhole
        else { return }
        if case .object(let fetch)? = task {
            guard case .keep = fetch.purpose else { return }
            turn.note(SonyPictureSentences.transferInterrupted(current.info.name))
            // The transfer did not cause this loss.
            task = nil
            common.ending = .lose(.reset(SonyPictureSentences.noSpaceInTransfer))
        } else {
            drain.next = nil
            common.pictures.breakOff(at: nil, in: &turn)
        }
        // The error of the disk may have damaged the received part.
        var loss = SonyLostFetch(file: current.file, bodyID: current.bodyID, reach: current.offset)
        loss.isRestRefused = true
        lastLoss = loss
    }
}

extension SonyTask {
    /// Whether a file is transferred.
    var isTransfer: Bool {
        if case .object = self { true } else { false }
    }
}
