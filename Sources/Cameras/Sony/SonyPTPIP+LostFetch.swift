import PTP

/// Transfers that end a session, because the body or the disk failed.
extension SonyPTPIP {
    /// Whether the driver no longer tries to keep this file.
    func isUnrecoverable(_ file: ObjectInfo) -> Bool {
        drain.unrecoverable == file || lostFetch(of: file)?.isUnrecoverable ?? false
    }

    /// The data of earlier sessions that ended during the transfer of this file.
    func lostFetch(of file: ObjectInfo) -> SonyLostFetch? {
        lastLoss.flatMap { $0.file == file && $0.bodyID == common.identity?.id ? $0 : nil }
    }

    /// Notes the loss of the session, if it happened in the middle of a transfer.
    package mutating func noteLoss(in turn: inout DriverTurn) {
        guard common.isConnected, case .object(let fetch)? = task, case .keep(let id, let start) = fetch.purpose,
            let current = common.pictures.current, current.id == id, !current.isWhole
        else { return }
        var loss = lostFetch(of: fetch.file) ?? SonyLostFetch(file: fetch.file, bodyID: common.identity?.id)
        loss.note(current.offset, from: start)
        lastLoss = loss
        if loss.isUnrecoverable { turn.note(SonyPictureSentences.sessionBrokenTooOften(fetch.file.filename)) }
    }

    /// Interrupts the transfer of a picture that exists only in the camera, if this computer has no space. After the
    /// last byte the body removes the picture. Only the end of the link stops a transfer before that byte.
    mutating func breakOffWithoutRoom(in turn: inout DriverTurn) {
        guard !common.pictures.request.hasRoom, common.isConnected, body.reading?.storesOnCard != true,
            let current = common.pictures.current, !current.isWhole
        else { return }
        if case .object(let fetch)? = task {
            guard case .keep = fetch.purpose else { return }
            turn.note(SonyPictureSentences.transferInterrupted(current.info.name))
            // The driver ends the link itself, so the transfer does not count as the cause of the loss.
            task = nil
            common.ending = .lose(.reset(SonyPictureSentences.noSpaceInTransfer))
        } else {
            drain.next = nil
            common.pictures.breakOff(at: nil, in: &turn)
        }
        // The disk error may have damaged the received part.
        var loss = SonyLostFetch(file: current.file, bodyID: current.bodyID, reach: current.offset)
        loss.isRestRefused = true
        lastLoss = loss
    }
}
