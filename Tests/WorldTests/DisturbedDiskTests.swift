import Bodies
import Cameras
import Controller
import Exposure
import NIOCore
import Testing
import Worlds

/// The effects of slow, full and failing disks.
@Suite struct DisturbedDiskTests {
    // MARK: The ledger

    /// A commit with a camera of this name, by which the tests find the commit in the tables.
    private static func commit(_ name: String, isDurable: Bool = false) -> LedgerEffect {
        var rows = LedgerRows()
        rows.cameras[name] = CameraRow(id: name, maker: "", model: "", firmware: "", address: "")
        return .commit(LedgerCommit(rows: rows, isDurable: isDurable))
    }

    /// A ledger with the commits a to f. The commits a to d were answered, c is durable, e and f are not answered yet.
    private static func ledger() -> VirtualLedger {
        var ledger = VirtualLedger()
        for name in ["a", "b", "c", "d"] { ledger.perform(commit(name, isDurable: name == "c"), at: .zero) }
        _ = ledger.takeDue(by: .zero)
        for name in ["e", "f"] { ledger.perform(commit(name), at: .zero) }
        return ledger
    }

    private static func kept(isPowerCut: Bool) -> Set<String> {
        Set(
            (1...60 as ClosedRange<UInt64>).map { seed in
                var ledger = ledger()
                var random = SeededGenerator(seed: seed)
                ledger.crash(isPowerCut: isPowerCut, drawing: &random)
                return ledger.tables.cameraOrder.joined()
            }
        )
    }

    @Test func `a power cut leaves the synced commits, and the first part of the rest`() {
        #expect(Self.kept(isPowerCut: true) == ["abc", "abcd", "abcde", "abcdef"])
    }

    @Test func `a kill leaves the answered commits, and the first part of the rest`() {
        #expect(Self.kept(isPowerCut: false) == ["abcd", "abcde", "abcdef"])
    }

    @Test func `a power cut may lose what a kill before it left, unless the ledger was opened in between`() {
        func crashTwice(opens: Bool) -> Set<String> {
            Set(
                (1...60 as ClosedRange<UInt64>).map { seed in
                    var ledger = Self.ledger()
                    var random = SeededGenerator(seed: seed)
                    ledger.crash(isPowerCut: false, drawing: &random)
                    if opens {
                        ledger.perform(.open, at: .zero)
                        _ = ledger.takeDue(by: .zero)
                    }
                    ledger.crash(isPowerCut: true, drawing: &random)
                    return ledger.tables.cameraOrder.joined()
                }
            )
        }
        #expect(crashTwice(opens: false).contains("abc"))
        #expect(!crashTwice(opens: true).contains("abc"))
    }

    @Test(arguments: [DiskOperation.write, .sync])
    func `one commit of the ledger fails, and the next one does not`(operation: DiskOperation) {
        var ledger = VirtualLedger()
        ledger.failOnce(operation)
        for name in ["a", "b", "c"] { ledger.perform(Self.commit(name, isDurable: name == "b"), at: .zero) }
        let news = ledger.takeDue(by: .zero)
        // Only the durable commit is synced, so the sync fails at that commit.
        let failing = operation == .write ? 0 : 1
        #expect(news.firstIndex(of: .ledger(.failed("disk I/O error"))) == failing)
        #expect(news.count { $0 == .ledger(.committed) } == 2)
        #expect(ledger.tables.cameraOrder == (operation == .write ? ["b", "c"] : ["a", "c"]))
    }

    @Test(arguments: [false, true])
    func `a commit whose sync failed may be on disk after the end of the process, until the next one`(
        isFollowed: Bool
    ) {
        let left = Set(
            (1...60 as ClosedRange<UInt64>).map { seed in
                var ledger = VirtualLedger()
                ledger.failOnce(.sync)
                ledger.perform(Self.commit("a"), at: .zero)
                ledger.perform(Self.commit("b", isDurable: true), at: .zero)
                if isFollowed { ledger.perform(Self.commit("c", isDurable: true), at: .zero) }
                _ = ledger.takeDue(by: .zero)
                var random = SeededGenerator(seed: seed)
                ledger.crash(isPowerCut: false, drawing: &random)
                return ledger.tables.cameraOrder.joined()
            }
        )
        #expect(left == (isFollowed ? ["ac"] : ["a", "ab"]))
    }

    @Test func `one opening of the ledger and one answer to a client fail, and the next ones do not`() {
        var ledger = VirtualLedger()
        let history = LedgerEffect.read(RequestID(rawValue: 1), .shoots(limit: 5, before: nil))
        for effect in [LedgerEffect.open, history] {
            ledger.failOnce(.read)
            ledger.perform(effect, at: .zero)
            let news = ledger.takeDue(by: .zero)
            let answer = LedgerEvent.read(RequestID(rawValue: 1), .failed("disk I/O error"))
            #expect(news == [.ledger(effect == .open ? .unavailable("disk I/O error") : answer)])
            ledger.perform(effect, at: .zero)
            #expect(ledger.takeDue(by: .zero) != news)
        }
    }

    @Test(arguments: DiskOperation.allCases)
    func `one write, sync or read of a picture fails, and the next one does not`(operation: DiskOperation) {
        var disk = VirtualDisk()
        disk.metadata = { _ in .unreadable("") }
        disk.failOnce(operation)
        var answers: [PictureOutcome] = []
        for number: UInt32 in 1...2 {
            let id = PictureID(rawValue: number)
            let destination = PictureDestination(
                shoot: nil,
                set: nil,
                name: "DSC\(number).JPG",
                kind: .jpeg,
                byteCount: 3
            )
            for effect: PictureEffect in [.begin(destination, offset: 0), .bytes(ByteBuffer(string: "abc")), .finish] {
                disk.perform(effect, of: id, at: .zero)
            }
            for case .picture(id, let outcome) in disk.takeDue(by: .zero) { answers.append(outcome) }
        }
        func stored(_ number: Int, _ metadata: PictureMetadata) -> PictureOutcome {
            .stored(StoredPicture(path: "other/DSC\(number).JPG", byteCount: 3, metadata: metadata))
        }
        let failed = PictureOutcome.failed(sentence: "Input/output error", isFull: false)
        #expect(answers[0] == (operation == .read ? stored(1, .notRead("Input/output error")) : failed))
        #expect(answers[1] == stored(2, .unreadable("")))
    }

    @Test func `a slow ledger answers in order, each commit in its drawn time`() {
        var ledger = VirtualLedger()
        ledger.beSlow(.milliseconds(10) ... .milliseconds(50), seed: 3)
        for name in ["a", "b", "c"] { ledger.perform(Self.commit(name), at: .zero) }
        var times: [Duration] = []
        while let time = ledger.nextTime {
            let news1 = ledger.takeDue(by: time)
            #expect(news1 == [.ledger(.committed)])
            times.append(time)
        }
        #expect(ledger.tables.cameraOrder == ["a", "b", "c"])
        for (one, next) in zip([.zero] + times, times) {
            #expect((.milliseconds(10) ... .milliseconds(50)).contains(next - one))
        }
        #expect(times.count == 3)
    }

    @Test func `a ledger that is silent or full for a time, or locked, works normally afterwards`() {
        var ledger = VirtualLedger()
        ledger.openFailure = "locked"
        ledger.perform(.open, at: .zero)
        let news2 = ledger.takeDue(by: .zero)
        #expect(news2 == [.ledger(.unavailable("locked"))])
        ledger.refuse("full", until: .seconds(2))
        ledger.perform(Self.commit("a"), at: .seconds(1))
        let news3 = ledger.takeDue(by: .seconds(1))
        #expect(news3 == [.ledger(.failed("full"))])
        ledger.beSilent(until: .seconds(4))
        ledger.perform(Self.commit("b"), at: .seconds(2))
        let news4 = ledger.takeDue(by: .seconds(3))
        #expect(news4 == [])
        #expect(ledger.nextTime == .seconds(4))
        let news5 = ledger.takeDue(by: .seconds(4))
        #expect(news5 == [.ledger(.committed)])
        #expect(ledger.tables.cameraOrder == ["b"])
        ledger.openFailure = "locked"
        ledger.refuse("full", until: .seconds(100))
        ledger.beSilent(until: .seconds(100))
        ledger.perform(Self.commit("c"), at: .seconds(5))
        ledger.clearFaults(at: .seconds(6))
        ledger.perform(.open, at: .seconds(6))
        let news = ledger.takeDue(by: .seconds(6))
        #expect(news.first == .ledger(.committed))
        guard case .ledger(.opened)? = news.last else { Issue.record("\(news)"); return }
    }

    // MARK: Pictures

    private static let picture = PictureID(rawValue: 1)

    private static func begin(_ disk: inout VirtualDisk, _ id: PictureID = picture) {
        let place = PictureDestination(shoot: 1, set: 1, name: "\(id.rawValue).JPG", kind: .jpeg, byteCount: 8)
        disk.perform(.begin(place, offset: 0), of: id, at: .zero)
        disk.perform(.bytes(ByteBuffer(string: "12345678")), of: id, at: .zero)
    }

    @Test func `a crash leaves the first bytes of a picture under way, and no picture`() {
        let lengths = (1...80 as ClosedRange<UInt64>).map { seed -> Int in
            var disk = VirtualDisk()
            Self.begin(&disk)
            var random = SeededGenerator(seed: seed)
            disk.crash(drawing: &random)
            #expect(disk.files.isEmpty)
            let part = disk.parts["shoot-1/set-1/1.JPG"] ?? ByteBuffer()
            #expect("12345678".hasPrefix(String(buffer: part)))
            return part.readableBytes
        }
        #expect(Set(lengths) == Set(0...8))
    }

    @Test func `a finished picture that was not reported is whole or absent after a crash`() {
        let ends = (1...20 as ClosedRange<UInt64>).map { seed -> Bool in
            var disk = VirtualDisk()
            disk.beSlow(.seconds(1) ... .seconds(2))
            Self.begin(&disk)
            disk.perform(.finish, of: Self.picture, at: .zero)
            var random = SeededGenerator(seed: seed)
            disk.crash(drawing: &random)
            #expect(disk.files.isEmpty != disk.parts.isEmpty)
            #expect(disk.files.values.allSatisfy { $0.readableBytes == 8 })
            return disk.files.isEmpty
        }
        #expect(Set(ends) == [true, false])
    }

    @Test func `a full or broken disk takes pictures again after the fault`() {
        var disk = VirtualDisk()
        disk.beFull(until: .seconds(1))
        disk.checkRoom(at: .zero)
        let news6 = disk.takeDue(by: .zero)
        #expect(news6 == [.room(isThere: false)])
        disk.checkRoom(at: .seconds(1))
        let news7 = disk.takeDue(by: .seconds(1))
        #expect(news7 == [.room(isThere: true)])
        disk.refuse("broken", until: .seconds(2))
        Self.begin(&disk)
        let news8 = disk.takeDue(by: .seconds(1))
        #expect(news8 == [.picture(Self.picture, .failed(sentence: "broken", isFull: false))])
        disk.checkRoom(at: .seconds(2))
        let news9 = disk.takeDue(by: .seconds(2))
        #expect(news9 == [.room(isThere: true)])
    }
}
