import Controller
import Exposure
import Glibc
import Ledger

// Commits to a ledger like a shoot, one row each and every second one durable, and prints the results:
//
//     ledgerload FOLDER COUNT     continues after an earlier run, with COUNT commits
//
// `found N`: the number of commits of earlier runs. Then the number of each commit that was accepted, or `refused`
// with the reason. After a refusal FOLDER/filler is removed once and the same commit is tried again.

@main
enum LedgerLoad {
    private static let framesPerShoot = 9

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            return end("usage: ledgerload FOLDER COUNT", 64)
        }
        let clock = LedgerClock { (Int64(time(nil)) * 1000, .zero) }
        let ledger = Ledger(directory: arguments[1], clock: clock)
        do throws(LedgerFault) {
            let contents = try ledger.open()
            if let notice = contents.notice { report("notice \(notice)") }
            let found = found(in: ledger, lastShoot: contents.lastShoot)
            report("found \(found)")
            for number in found..<found + count {
                do throws(LedgerFault) {
                    try commit(number, to: ledger)
                } catch {
                    report("refused \(error)")
                    guard unlink("\(arguments[1])/filler") == 0 else { return end("", 1) }
                    try commit(number, to: ledger)
                }
                report("\(number)")
            }
        } catch {
            return end("unavailable \(error)", 1)
        }
    }

    private static func commit(_ number: Int, to ledger: Ledger) throws(LedgerFault) {
        let (shoot, index) = (number / framesPerShoot + 1, number % framesPerShoot)
        var rows = LedgerRows()
        if index == 0, let request = try? PlanRequest() {
            rows.shoots[shoot] = ShootRow(
                id: shoot,
                request: request,
                headline: "1/4 to 1/1000",
                cameraID: "sony-1",
                cameraName: "ILCE-7M4",
                began: .clock(.zero)
            )
        }
        let planned = PlannedFrame(position: FramePosition(set: 1, frame: index + 1), speed: ShutterSpeed.all[index])
        var frame = FrameRow(shoot: shoot, index: index, planned: planned, outcome: .captured)
        frame.shotsLeft = number
        rows.frames[FrameKey(shoot: shoot, index: index)] = frame
        try ledger.commit(LedgerCommit(rows: rows, isDurable: number.isMultiple(of: 2)))
    }

    /// The number of commits in the ledger, counted from the first. It is negative if a commit in between is missing.
    private static func found(in ledger: Ledger, lastShoot: Int) -> Int {
        var next = 0
        for shoot in stride(from: 1, through: lastShoot, by: 1) {
            guard case .shoot(_, let frames) = ledger.read(.shoot(shoot)) else { return -1 }
            for frame in frames {
                guard frame.shotsLeft == next, frame.outcome == .captured else { return -1 }
                next += 1
            }
        }
        return next
    }

    private static func report(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    private static func end(_ line: String, _ code: CInt) {
        if !line.isEmpty { report(line) }
        exit(code)
    }
}
