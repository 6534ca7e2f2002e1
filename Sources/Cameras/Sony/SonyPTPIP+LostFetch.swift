import PTP

/// Transfers that end a session, whether the body or the disk is to blame.
extension SonyPTPIP {
    /// Whether a file is not worth another try to keep it.
    func isHopeless(_ file: ObjectInfo) -> Bool {
        drain.hopeless == file || lostFetch(of: file)?.isHopeless ?? false
    }

    /// What is known of earlier sessions that ended in the transfer of this file.
    func lostFetch(of file: ObjectInfo) -> SonyLostFetch? {
        lastLoss.flatMap { $0.file == file && $0.bodyID == common.identity?.id ? $0 : nil }
    }

    /// The session is lost: perhaps in the middle of a transfer.
    package mutating func noteLoss(into actions: inout [CameraAction]) {
        guard common.isConnected, case .object(let fetch)? = errand, case .keep(let id, let start) = fetch.purpose,
            let current = common.pictures.current, current.id == id, !current.isWhole
        else { return }
        var loss = lostFetch(of: fetch.file) ?? SonyLostFetch(file: fetch.file, bodyID: common.identity?.id)
        loss.note(current.offset, from: start)
        lastLoss = loss
        if loss.isHopeless {
            actions.append(.note("\(fetch.file.filename) broke the session too often, and is dropped if possible"))
        }
    }

    /// The last byte of a picture takes it out of the body's buffer. Without room here, one that is nowhere else must
    /// not come that far. Nothing but the end of the link stops a transfer.
    mutating func breakOffWithoutRoom(into actions: inout [CameraAction]) {
        guard !common.pictures.request.hasRoom, common.isConnected, body.reading?.storesOnCard != true,
            let current = common.pictures.current, !current.isWhole
        else { return }
        if case .object(let fetch)? = errand {
            guard case .keep = fetch.purpose else { return }
            let name = current.info.name
            actions.append(.note("no space for \(name), which exists only in the camera: its transfer is interrupted"))
            // This loss is no fault of the transfer's.
            errand = nil
            let reason = "this computer cannot store the picture in transfer, which exists only in the camera"
            common.ending = .lose(.reset(reason))
        } else {
            drain.next = nil
            common.pictures.breakOff(at: nil, into: &actions)
        }
        // What came may be damaged by the disk's fault.
        var loss = SonyLostFetch(file: current.file, bodyID: current.bodyID, reach: current.offset)
        loss.isRestRefused = true
        lastLoss = loss
    }
}

extension SonyErrand {
    /// A file comes.
    var isTransfer: Bool {
        if case .object = self { true } else { false }
    }
}
