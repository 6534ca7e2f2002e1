import Foundation

/// The contents of the daemon's ledger, as `bracketctl history` prints them.
extension Station {
    private struct Summary: Decodable { var shoot: Int }

    /// The number of the newest shoot; 0: no shoot.
    func newestShoot() throws -> Int {
        let text = ctl("history", "--limit", "1", "--json").output
        return text.isEmpty ? 0 : try JSONDecoder().decode(Summary.self, from: Data(text.utf8)).shoot
    }

    /// A shoot with its frames.
    func record<Record: Decodable>(of shoot: Int) throws -> Record {
        var output = ""
        // The daemon opens the ledger on another thread, and refuses requests before that.
        try wait(for: "the ledger", within: 20) {
            output = ctl("history", "show", String(shoot), "--json").output
            return !output.contains("LedgerUnavailable")
        }
        return try JSONDecoder().decode(Record.self, from: Data(output.utf8))
    }
}
