import PTP

/// The list of all files on the cards.
extension NikonPTPIP {
    /// Handles an answer about the list. A body may refuse it, for example because it reports slots without a card.
    /// Then 0x9209 names the real cards (OpenZCine), and each of them is listed.
    mutating func finishFileList(_ task: NikonTask, _ result: OperationResult, at now: Duration) {
        if now > common.transactionSince + timing.slowFileList { known.fileList = .inDoubt }
        var reader = DatasetReader(result.data)
        let numbers = result.isSuccess ? try? reader.array("Handles", of: UInt32.self) : nil
        switch (task, numbers) {
        case (.fileList, let handles?): adoptFileList(handles, at: now)
        case (.storageList, let storages?) where storages.contains(where: Self.isCard):
            body.cards = NikonCardLists(cards: Array(storages.filter(Self.isCard).prefix(NikonLimits.cardsMax)))
            listNextCard(at: now)
        case (.storageFiles, let handles?):
            body.cards.handles += handles
            listNextCard(at: now)
        case _ where result.code == .deviceBusy: tryFileListAgain(at: now)
        case (.fileList, nil) where has(.nikonGetVendorStorageIDs): body.dueStep = .storageList
        default: known.fileList = .never
        }
    }

    private mutating func listNextCard(at now: Duration) {
        if let card = body.cards.cards.popLast() {
            body.dueStep = .storageFiles(card)
        } else {
            adoptFileList(body.cards.handles, at: now)
            body.cards = NikonCardLists()
        }
    }

    /// The low half of the number of an empty slot is 0 (PTP).
    private static func isCard(_ storage: UInt32) -> Bool { storage & 0xFFFF != 0 }

    /// A body is busy after a frame for a limited time.
    private mutating func tryFileListAgain(at now: Duration) {
        guard var due = body.fileListDue, now < due.until else { return body.fileListDue = nil }
        due.at = now + timing.transferAgain
        body.fileListDue = due
    }
}

/// The lists of single cards.
struct NikonCardLists: Sendable {
    /// The cards that are not listed yet.
    var cards: [UInt32] = []
    /// The files of the other cards.
    var handles: [UInt32] = []
}
