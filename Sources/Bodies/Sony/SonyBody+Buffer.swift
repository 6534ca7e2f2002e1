import Cameras
import PTP

/// The steps from an exposed frame to its files in the buffer, with their faults.
extension SonyBody {
    mutating func save(at now: Duration) {
        shutter = .saving
        let saveTime = options.saveTime ?? model.saveTime
        if let fault = takeLinkFault(in: .save, of: card.count) {
            schedule.plan(.linkFails(fault), at: now + saveTime / 2)
        }
        schedule.plan(.pictureSaved, at: now + saveTime)
    }

    mutating func pictureSaved(at now: Duration) {
        shutter = .ready
        guard let frame = card.last else { return }
        if storesOnCard {
            card[card.count - 1].written = now
            shotsLeft = max(0, shotsLeft - 1)
        }
        outputs.append(.log("frame \(frame.number): saved"))
        guard storesOnHost else { return }
        if let (heals, _) = consumeStuckBuffer(frame.number) {
            shutter = .stuck(.preparing)
            outputs.append(.log("fault: the buffer stays in preparation"))
            if let heals { schedule.plan(.bufferRecovers, at: now + heals) }
        } else {
            handOver(frame, at: now)
        }
    }

    private mutating func consumeStuckBuffer(_ number: Int) -> (heals: Duration?, Void)? {
        faults.take { if case .stuckBuffer(number, let heals) = $0 { (heals, ()) } else { nil } }
    }

    mutating func bufferRecovers(at now: Duration) {
        shutter = .ready
        if let frame = card.last { handOver(frame, at: now) }
    }

    /// Puts the files of the frame into the buffer. One event announces all files.
    private mutating func handOver(_ frame: CardFrame, at now: Duration) {
        if let late = faults.take({ if case .objectInfoLate(frame.number, let late) = $0 { late } else { nil } }) {
            objectInfoFrom = now + late
        }
        if let (alone, old) = consumeStale(frame) {
            outputs.append(.log("fault: \(old.filename) is offered again"))
            buffer.append(old)
            if let alone {
                schedule.plan(.filesArrive(frame), at: now + alone)
                return report(.sonyObjectAdded, [SonyObjectHandle.shotImage], at: now)
            }
        }
        filesArrive(frame, at: now)
    }

    mutating func filesArrive(_ frame: CardFrame, at now: Duration) {
        buffer += pictures(of: frame)
        report(.sonyObjectAdded, [SonyObjectHandle.shotImage], at: now)
    }

    /// The first file of the previous frame, for the fault `stale`. For the first frame it is a file of a frame 0.
    private mutating func consumeStale(_ frame: CardFrame) -> (alone: Duration?, old: BufferedPicture)? {
        let fault = faults.take { fault -> (Duration?, Void)? in
            if case .stale(frame.number, let alone) = fault { (alone, ()) } else { nil }
        }
        guard let (alone, _) = fault else { return nil }
        var before = frame
        before.number -= 1
        before = card.last { $0.number == before.number } ?? before
        return pictures(of: before).first.map { (alone, $0) }
    }
}
