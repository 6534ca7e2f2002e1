import Cameras
import Statecharts

package enum TransferEffect: Equatable, Sendable {
    /// The pictures that the camera's driver is to transfer.
    case keep(PictureRequest)
    case checkRoom
    case report(JournalEntry)
}

/// The data behind `transfer.scxml`.
package struct TransferModel: Equatable, Sendable {
    let policy: TransferPolicy

    package init(_ policy: TransferPolicy = .none) {
        self.policy = policy
    }
}

// Only the functions that the chart names; a test compares both lists.
extension TransferModel: TransferBehavior {
    package typealias Effect = TransferEffect

    package func isWanted() -> Bool { policy != .none }

    package mutating func takePictures(_ effects: inout [TransferEffect]) {
        effects.append(.keep(PictureRequest(policy: policy, hasRoom: true)))
    }

    package mutating func leavePictures(_ effects: inout [TransferEffect]) {
        effects.append(.keep(PictureRequest(policy: policy, hasRoom: false)))
    }

    package mutating func askForRoom(_ effects: inout [TransferEffect]) {
        effects.append(.checkRoom)
    }

    package mutating func noteFull(_ sentence: String, _ effects: inout [TransferEffect]) {
        let message = "\(sentence) No picture is transferred until there is space."
        effects.append(.report(JournalEntry(level: .warning, kind: .note, message: message)))
    }

    package mutating func noteLittleRoom(_ effects: inout [TransferEffect]) {
        noteFull("The disk for pictures is nearly full, or not writable.", &effects)
    }

    package mutating func noteFailure(_ sentence: String, _ effects: inout [TransferEffect]) {
        let message = "\(sentence) No picture is transferred until the folder is writable."
        effects.append(.report(JournalEntry(level: .warning, kind: .note, message: message)))
    }

    package mutating func reportRoom(_ effects: inout [TransferEffect]) {
        let message = "Pictures can be stored again. The transfer continues."
        effects.append(.report(JournalEntry(level: .notice, kind: .note, message: message)))
    }
}
