import Cameras
import Statecharts

/// The data behind `transfer.scxml`.
struct TransferModel: Equatable, Sendable {
    let policy: TransferPolicy

    init(_ policy: TransferPolicy = .none) {
        self.policy = policy
    }
}

// This extension has only the functions that the chart names. A test compares it with the chart.
extension TransferModel: TransferBehavior {
    typealias Effect = PartEffect

    func isWanted() -> Bool { policy != .none }

    mutating func enableTransfer(_ effects: inout [PartEffect]) {
        keepPictures(hasRoom: true, &effects)
    }

    mutating func pauseTransfer(_ effects: inout [PartEffect]) {
        keepPictures(hasRoom: false, &effects)
    }

    mutating func requestRoomCheck(_ effects: inout [PartEffect]) {
        effects.append(.append(.checkRoom))
    }

    mutating func noteFull(_ sentence: String, _ effects: inout [PartEffect]) {
        let message = PictureSentences.pausedByFullDisk(sentence)
        effects.append(.journal(JournalEntry(level: .warning, kind: .note, message: message)))
    }

    mutating func noteLowSpace(_ effects: inout [PartEffect]) {
        noteFull(PictureSentences.diskNearlyFull, &effects)
    }

    mutating func noteFailure(_ sentence: String, _ effects: inout [PartEffect]) {
        let message = PictureSentences.pausedByFailure(sentence)
        effects.append(.journal(JournalEntry(level: .warning, kind: .note, message: message)))
    }

    mutating func reportRoom(_ effects: inout [PartEffect]) {
        effects.append(.journal(JournalEntry(level: .notice, kind: .note, message: PictureSentences.continues)))
    }
}

extension TransferModel {
    /// Sends the driver the policy for pictures. No chart waits for an answer to this command.
    private func keepPictures(hasRoom: Bool, _ effects: inout [PartEffect]) {
        let request = PictureRequest(policy: policy, hasRoom: hasRoom)
        effects.append(.send(.command(.keepPictures(request), from: .unanswered)))
    }
}
