import NIOCore
import PTP

/// The live view that a command started.
struct CanonLiveViewSession: Sendable {
    /// The writes that switch it on and that the body has not accepted yet.
    var pending: [CanonPropertyWrite]
    /// The value of the output before.
    let outputBefore: UInt32
    var ending = LiveViewEnd()

    /// The bit of 0xD1B0 for this computer (libgphoto2 config.c).
    static let toComputer: UInt32 = 2
}

/// One picture of the live view: the mode and the output on, the picture, and the output off again.
extension CanonPTPIP {
    mutating func decide(_ taking: TakingLiveView, in turn: inout DriverTurn) -> CanonNextAction {
        // Live view is off again here.
        if let outcome = taking.outcome { return end(outcome, taking.ticket, in: &turn) }
        if turn.now >= taking.end { return answer(taking, taking.late) }
        if turn.now < taking.notBefore { return .wait(until: min(taking.notBefore, taking.end)) }
        guard has(.canonGetViewFinderData) else {
            return answer(taking, .failed(.other(LiveViewSentences.unsupported)))
        }
        guard taking.until != nil else {
            guard isBodyIdle(since: taking.since, at: turn.now) else { return .wait(until: taking.gateUntil) }
            return beginLiveView(taking, at: turn.now)
        }
        if let write = body.liveView?.pending.first { return .perform(.liveViewSwitch(write)) }
        return .perform(.liveViewPicture)
    }

    private mutating func answer(_ taking: TakingLiveView, _ outcome: CameraEvent) -> CanonNextAction {
        var next = taking
        next.outcome = outcome
        activity = .takingLiveView(next)
        restartPolling()
        return .again
    }

    /// Notes what must be switched on, and what the end of the session restores if the link lasts that long.
    private mutating func beginLiveView(_ taking: TakingLiveView, at now: Duration) -> CanonNextAction {
        var next = taking
        next.begin(at: now)
        activity = .takingLiveView(next)
        let output = body.store.number(.canonLiveViewOutput) ?? 0
        // Live view for this computer that the user switched on stays on.
        guard output & CanonLiveViewSession.toComputer == 0 else { return .again }
        var pending = [CanonPropertyWrite(.canonLiveViewOutput, [output | CanonLiveViewSession.toComputer])]
        if body.store.number(.canonLiveViewMode) == 0 {
            pending.insert(CanonPropertyWrite(.canonLiveViewMode, [1]), at: 0)
        }
        for write in pending { noteChange(write) }
        body.liveView = CanonLiveViewSession(pending: pending, outputBefore: output)
        return .again
    }

    private mutating func noteChange(_ write: CanonPropertyWrite) {
        let earlier = known.changes.first { $0.code == write.code }
        let before = earlier?.before ?? body.store.number(write.code) ?? 0
        known.changes.removeAll { $0.code == write.code }
        known.changes.append(CanonChange(code: write.code, before: before, written: write.words.first ?? 0))
    }

    /// Notes that a value is again what it was before live view. The output can still be the driver's own value.
    private mutating func noteRestored(_ write: CanonPropertyWrite) {
        guard let change = known.changes.first(where: { $0.code == write.code }) else { return }
        known.changes.removeAll { $0.code == write.code }
        guard let value = write.words.first, value != change.before else { return }
        known.changes.append(CanonChange(code: write.code, before: change.before, written: value))
    }

    mutating func finishLiveViewSwitch(_ write: CanonPropertyWrite, _ result: OperationResult, at now: Duration) {
        if result.code == .ok { body.writtenAt[write.code] = now }
        guard case .takingLiveView(var taking) = activity, taking.outcome == nil else {
            return finishLiveViewEnd(write, result, at: now)
        }
        if result.code.isCanonBusy {
            taking.notBefore = now + timing.busyWrite
            activity = .takingLiveView(taking)
        } else if result.code == .ok {
            body.liveView?.pending.removeAll { $0 == write }
        } else {
            _ = answer(taking, .failed(.other(LiveViewSentences.notStarted(result.code.canonName))))
        }
    }

    mutating func finishLiveViewPicture(_ result: OperationResult, at now: Duration) {
        guard case .takingLiveView(var taking) = activity else { return }
        taking.notBefore = now + LiveViewLimits.again
        activity = .takingLiveView(taking)
        switch result.code {
        // A body that is not ready can also answer OK without data.
        case .ok where result.isComplete && result.byteCount > 0:
            _ = answer(taking, .liveView(LiveViewAnswer(of: result.data, by: CanonLiveView.jpeg)))
        case let code where code == .ok || code.isCanonBusy: break
        default:
            let code = result.code
            let failure = CameraFailure.refused(
                operation: OperationCode.canonGetViewFinderData.canonName,
                code: code.rawValue,
                name: code.canonName
            )
            _ = answer(taking, .failed(failure))
        }
    }

    // MARK: The end

    /// Switches off the live view that no command needs; nil: it is off. Only the body's report confirms it.
    mutating func endLiveView(in turn: inout DriverTurn) -> CanonNextAction? {
        guard let session = body.liveView else { return nil }
        if case .takingLiveView(let taking) = activity, taking.outcome == nil { return nil }
        if let acceptedAt = session.ending.acceptedAt {
            let output = body.store.number(.canonLiveViewOutput) ?? 0
            let isListed = body.list.map { $0.requestedAt >= acceptedAt } ?? false
            let isOff = isListed && output & CanonLiveViewSession.toComputer == 0
            let until = acceptedAt + timing.writeAgain
            if !isOff, turn.now < until { return .wait(until: until) }
            if isOff { return finishLiveViewEnd() }
        }
        guard session.ending.tries < LiveViewLimits.endsMax else {
            turn.note(LiveViewSentences.notEnded)
            return finishLiveViewEnd()
        }
        if turn.now < session.ending.notBefore { return .wait(until: session.ending.notBefore) }
        body.liveView?.ending.tryAgain(notBefore: turn.now + timing.busyWrite)
        return .perform(.liveViewSwitch(CanonPropertyWrite(.canonLiveViewOutput, [session.outputBefore])))
    }

    private mutating func finishLiveViewEnd() -> CanonNextAction? {
        body.liveView = nil
        return has(.canonTerminateViewFinder) ? .perform(.terminateLiveView) : nil
    }

    private mutating func finishLiveViewEnd(_ write: CanonPropertyWrite, _ result: OperationResult, at now: Duration) {
        guard result.code == .ok, write.words.first == body.liveView?.outputBefore else { return }
        noteRestored(write)
        body.liveView?.ending.acceptedAt = now
        restartPolling()
    }
}

/// The data of GetViewFinderData: records of u32 size, u32 type and content, little-endian (libgphoto2 library.c, and
/// the bytes of an EOS 1300D).
package enum CanonLiveView {
    /// The types of records with a JPEG.
    private static let jpegTypes: Set<UInt32> = [1, 9, 11]
    private static let headSize = 8

    /// Finds the first record with a JPEG. A record that is shorter than its own head would lead nowhere.
    package static func jpeg(_ data: ByteBuffer) throws(LiveViewError) -> LiveViewJPEG {
        var rest = data
        while rest.readableBytes > 0 {
            var reader = DatasetReader(rest)
            let size: Int
            let type: UInt32
            do throws(DatasetError) {
                size = Int(try reader.integer("live view record size", as: UInt32.self))
                type = try reader.integer("live view record type")
            } catch {
                throw .header(error)
            }
            guard size >= headSize, size <= rest.readableBytes, let record = rest.readSlice(length: size) else {
                throw .header(.countBeyondData(field: "live view record", count: size, left: rest.readableBytes))
            }
            if type == 0 { break }
            guard jpegTypes.contains(type) else { continue }
            let start = record.readerIndex + headSize
            guard let picture = record.getSlice(at: start, length: size - headSize) else { break }
            return try LiveViewJPEG(parsing: picture)
        }
        throw .noJPEG
    }
}
