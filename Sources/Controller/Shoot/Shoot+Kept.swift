import Cameras
import Exposure

// The ledger's record of a shoot.
extension Shoot {
    /// A frame's row, without times and files.
    package func row(_ index: Int) -> FrameRow {
        let outcome = outcome(of: index)
        var row = FrameRow(shoot: id, index: index, planned: plan.frames[index], outcome: outcome.word)
        row.doubt = outcome.doubt
        row.again = again[index]?.word
        if wantedAgain.contains(index), row.again != .attempting, row.again != .unknown { row.again = .planned }
        row.shotsLeft = shotsLeft[index]
        return row
    }

    /// A shoot that an earlier run of the daemon left. A frame that was about to be fired may have been fired.
    package init(_ kept: LedgerContents.Unfinished) {
        let shoot = kept.shoot
        let frames = kept.frames.sorted { $0.index < $1.index }
        id = shoot.id
        plan = Plan(request: shoot.request, frames: frames.map(\.planned))
        camera = CameraIdentity(maker: "", model: shoot.cameraName, firmware: "", serial: "", id: shoot.cameraID)
        began = shoot.began
        // The trigger matters only for the frames that a shoot drops when it begins. The ledger has these drops.
        trigger = .client
        incidents = shoot.incidents
        ended = shoot.ended
        cause = shoot.cause
        requestedStop = shoot.requestedStop
        isRecordIncomplete = kept.isRecordIncomplete
        firings = frames.map { FrameOutcome($0.outcome, doubt: $0.doubt) }
        for (index, frame) in frames.enumerated() {
            shotsLeft[index] = frame.shotsLeft
            switch frame.again {
            case nil: break
            case .captured, .verified, .suspect: again[index] = .captured
            // It does not matter whether the second firing took place: the picture of the first firing exists.
            case .planned, .attempting, .exposed, .lost, .unknown, .failed: wantedAgain.insert(index)
            }
            switch frame.outcome {
            case .verified: shotVerdicts[index] = ShotVerdict(doubt: nil, shot: Ticket(rawValue: 0))
            case .suspect:
                let doubt = SuspectReason.kept(frame.doubt ?? PictureSentences.markedAsSuspect)
                shotVerdicts[index] = ShotVerdict(doubt: doubt, shot: Ticket(rawValue: 0))
            case .planned, .attempting, .exposed, .lost, .captured, .unknown, .failed: break
            }
        }
        left = shoot.outcome ?? .interrupted
        if left == .completed, plan.request.goal != nil { range = FoundRange(kept: plan.frames.map(\.speed).sorted()) }
        // If only lost pictures ended the shoot, the states of its frames already say this.
        if left == .partial, areMissingFramesLost { cause = nil }
        current = firings.lastIndex { $0 != .planned }
        lastReleased = firings.lastIndex { $0.isCaptured }
    }

    /// The same shoot, with every frame in doubt planned again. A camera can report only on its latest frame, and other
    /// frames may have been fired since then.
    package var withoutDoubts: Shoot {
        var shoot = self
        for index in firings.indices where firings[index].isOpen {
            shoot.firings[index] = .planned
            shoot.shotsLeft[index] = nil
            if let doubt = openDoubt(of: index) { shoot.incidents[doubt].outcome = .unknown }
        }
        return shoot
    }
}
