import Foundation
import Testing

/// The daemon and the camera, each in its own network. The test can disturb the cable between the two networks.
final class Field {
    enum Place {
        case near
        /// The camera is behind the default route, and the computer has another interface.
        case behindRouter
    }

    /// The way in which the daemon finds the camera.
    enum Search: String {
        case address
        case everything
    }

    /// A disturbance of the cable, and its time.
    struct CableFault {
        var moment: Moment
        var disturbance: Disturbance
        /// The duration in seconds; nil: until one second after the shoot pauses.
        var lasts: Double?
        /// The body's phase in which the disturbance begins, if the body causes it.
        var phase = ""

        /// The fault option of the simulated body, if the body causes the disturbance.
        var fault: String? {
            guard disturbance.isFault, case .step(_, let frame) = moment else { return nil }
            let name = disturbance == .reset ? "drop" : "close"
            return "\(name)@\(frame):\(phase),back=\(Int((lasts ?? 1) * 1000))ms"
        }
    }

    private struct Event {
        var disturbance: Disturbance
        var began: Date
        var ended: Date?
        /// The time at which the disturbance ends; nil: when the shoot pauses.
        var end: Date?
        /// The duration in seconds, if the body causes the disturbance.
        var lasts = 0.0
    }

    private static let camera = "192.168.122.1"
    private static let elsewhere = "192.168.122.9"
    private static let plan = ["--shadow", "1/250", "--highlight", "1/1000", "--frames", "3", "--yes"]
    static let speeds = ["1/1000", "1/500", "1/250"]
    private static let speedBefore = "1/60"
    /// A time in seconds that is longer than the daemon waits in any step.
    private static let silenceMax = 15.0
    /// The additional time in seconds that a computer under load needs for a report.
    private static let patience = 6.0

    let place: Place
    private let station: Station
    private let computer: Namespace
    private let far: Namespace
    private var shoot: Station.Running?
    private(set) var journal: [JournalLine] = []
    private var offset = 0
    private let format = JournalLine.format
    private var events: [Event] = []
    /// The time just before the body started. The times in the body's log count from about this time.
    private var cameraBegan = Date.distantPast

    init(_ place: Place, _ search: Search = .address, blows: [CableFault] = []) throws {
        self.place = place
        station = try Station()
        computer = try Namespace()
        far = try Namespace()
        try layCable()
        // The steps take long enough for a disturbance in each of them. The body does not wait before it frees its
        // slot.
        var arguments = ["--save-time", "150ms", "--slot-hold", "1ms", "--latency", "60ms", "--ssdp"]
        arguments += ["--addresses", "\(Self.elsewhere),\(Self.camera)"]
        for blow in blows {
            guard let fault = blow.fault else { continue }
            arguments += ["--fault", fault]
            // `never` stands for the time at the end, which the body's log gives later.
            let never = Date.distantFuture
            let lasts = blow.lasts ?? 1
            events.append(Event(disturbance: blow.disturbance, began: never, ended: never, lasts: lasts))
        }
        if place == .behindRouter { arguments.removeAll { $0 == "--ssdp" } }
        // The body has the address at which the daemon searches for a camera.
        cameraBegan = Date()
        try station.startCamera(arguments, host: Self.camera, port: 15740, in: far)
        let address = "address = \"\(Self.camera):\(station.cameraPort)\""
        try station.startDaemon(camera: search == .address ? address : Self.everything, in: computer)
        try waitUntil("the camera is connected", within: 60) {
            journal.contains { $0["CHART"] == "connection" && $0.states == ["connected"] }
        }
    }

    private static let everything = #"search = ["known", "ssdp", "scan"]"#

    deinit { shoot?.stop(SIGKILL) }

    private func layCable() throws {
        switch place {
        case .near:
            try computer.connect("cam0", to: far, "ap0")
            try computer.ip("address add \(address) dev cam0")
            try far.ip("address add \(Self.camera)/28 dev ap0", "address add \(Self.elsewhere)/28 dev ap0")
        case .behindRouter:
            try computer.connect("cam0", to: far, "ap0")
            try computer.ip("address add \(address) dev cam0", "route add default via 10.99.1.1 dev cam0 metric 100")
            try far.ip("address add 10.99.1.1/28 dev ap0", "address add \(Self.camera)/32 dev lo")
            try computer.ip("link add lan0 type veth peer name lan1", "link set lan1 up", "link set lan0 up")
            try computer.ip("address add 10.99.2.2/28 dev lan0")
        }
    }

    // MARK: Disturbing

    private func begin(_ disturbance: Disturbance) throws {
        switch disturbance {
        case .linkDown: try computer.ip("link set cam0 down")
        case .carrierLost: try far.ip("link set ap0 down")
        case .addressRemoved: try computer.ip("address flush dev cam0 scope global")
        case .routeStolen: try computer.ip("route add default via 10.99.2.1 dev lan0 metric 50")
        case .cameraMoved: station.camera.map { _ = kill($0.process.processIdentifier, SIGUSR1) }
        case .silence: try drop("input", "output")
        case .commandsLost: try drop("input")
        case .answersLost: try drop("output")
        case .reset, .closed: break
        }
    }

    private func end(_ disturbance: Disturbance) throws {
        switch disturbance {
        case .linkDown: try computer.ip("link set cam0 up")
        case .carrierLost: try far.ip("link set ap0 up")
        case .addressRemoved: try computer.ip("address add \(address) dev cam0")
        case .routeStolen: try computer.ip("route delete default dev lan0")
        case .silence, .commandsLost, .answersLost: try far.run("nft", "delete", "table", "inet", "hole")
        case .cameraMoved, .reset, .closed: break
        }
        // With the link or the address, the kernel has also removed the default route.
        guard place == .behindRouter, disturbance.isOfNetwork else { return }
        try? computer.ip("route replace default via 10.99.1.1 dev cam0 metric 100")
    }

    /// The computer's address. The networks are small, because the kernel allows 1024 unanswered neighbours in all
    /// namespaces together.
    private var address: String { place == .near ? "192.168.122.7/28" : "10.99.1.2/28" }

    /// Drops packets without a report in the camera's network, but not those of address resolution.
    private func drop(_ hooks: String...) throws {
        let chains = hooks.map { hook in
            "add chain inet hole \(hook) { type filter hook \(hook) priority 0; policy drop; }"
        }
        try far.run("nft", (["add table inet hole"] + chains).joined(separator: "; "))
    }

    // MARK: A shoot

    /// Fires a shoot during these disturbances, one after the other, and checks the result.
    ///
    /// - Returns: the errors that were found; empty if none.
    func fire(through blows: [CableFault]) throws -> [String] {
        let shoot = try station.start("bracketctl", ["--socket", station.socket, "shoot"] + Self.plan)
        self.shoot = shoot
        var cursor = journal.count
        for blow in blows where blow.fault == nil {
            try waitUntil("\(blow.moment)", within: 60) {
                if let met = journal[cursor...].firstIndex(where: blow.moment.isMet) {
                    cursor = met + 1
                    return true
                }
                return !shoot.process.isRunning
            }
            guard shoot.process.isRunning else { break }
            let end = blow.lasts.map { Date(timeIntervalSinceNow: $0) }
            events.append(Event(disturbance: blow.disturbance, began: Date(), end: end))
            try begin(blow.disturbance)
            if blow.disturbance == .cameraMoved {
                // The daemon detects the loss at the latest when it would detect silence.
                events[events.count - 1].ended = Date(timeIntervalSinceNow: Self.silenceMax)
            }
        }
        try waitUntil("the shoot is over", within: 120) {
            !shoot.process.isRunning && !events.contains { $0.ended == nil }
        }
        try waitUntil("the speed is put back", within: 60) {
            journal.last { $0["CHART"] == "settings" }?.states == ["clear"]
        }
        placeFaults()
        return try judge(shoot)
    }

    /// Sets the times of the body's faults from the body's log: `   12345 ms  fault: the link breaks for 1000 ms`.
    private func placeFaults() {
        var lines = (station.camera?.text ?? "").split(separator: "\n")[...]
        for index in events.indices where events[index].disturbance.isFault {
            let isDrop = events[index].disturbance == .reset
            let words = isDrop ? "  fault: the link breaks for " : "  fault: the body closes its connections"
            guard let place = lines.firstIndex(where: { $0.contains(words) }) else { continue }
            let milliseconds = lines[place].split(separator: " ").first.flatMap { Double($0) }
            lines = lines[(place + 1)...]
            guard let milliseconds else { continue }
            events[index].began = cameraBegan.addingTimeInterval(milliseconds / 1000)
            events[index].ended = events[index].began.addingTimeInterval(events[index].lasts)
        }
    }

    /// Reads new journal lines, ends disturbances that are due, and waits for the condition.
    private func waitUntil(_ what: String, within seconds: Double, _ isSo: () -> Bool) throws {
        var failure: (any Error)?
        try station.wait(for: what, within: seconds) {
            read()
            do { try endDue() } catch { failure = error }
            return failure != nil || isSo()
        }
        if let failure { throw failure }
    }

    private func read() {
        let bytes = station.daemon?.bytes(from: offset) ?? Data()
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
        let whole = bytes[...last]
        offset += whole.count
        journal += String(decoding: whole, as: UTF8.self).split(separator: "\n").compactMap { JournalLine($0, format) }
    }

    private func endDue() throws {
        for index in events.indices where events[index].ended == nil {
            let began = events[index].began
            // If the shoot was already paused, no new pause marks the time. So the disturbance ends after the longest
            // silence.
            let isLong = began.timeIntervalSinceNow < -Self.silenceMax
            if events[index].end == nil, isLong || reasons.contains(where: { $0.time >= began }) {
                events[index].end = Date(timeIntervalSinceNow: 1)
            }
            guard let end = events[index].end, end <= Date() else { continue }
            try self.end(events[index].disturbance)
            events[index].ended = Date()
        }
    }

    // MARK: Results

    /// All lines in which the daemon reported why the shoot does not continue.
    var reasons: [JournalLine] { journal.filter { $0["REASON"] != nil } }

    private struct Record: Decodable {
        struct Frame: Decodable {
            var speed: String
            var outcome: String
        }
        var outcome: String?
        var frames: [Frame]
    }

    private func judge(_ shoot: Station.Running) throws -> [String] {
        var wrongs: [String] = []
        if shoot.process.terminationStatus != 0 { wrongs.append("exit code \(shoot.process.terminationStatus)") }
        if !shoot.text.hasSuffix("3 of 3 exposures captured\n") { wrongs.append("the client ends with \(shoot.text)") }
        let card = try station.card()
        let doubts = journal.count { $0["CHART"] == "shooting" && $0.states.contains("awaitingCamera") }
        for speed in Self.speeds where !card.contains(speed) { wrongs.append("\(speed) is missing on \(card)") }
        if card.count > Self.speeds.count + doubts { wrongs.append("\(card) after \(doubts) doubts") }
        if !Set(card).isSubset(of: Self.speeds) { wrongs.append("\(card) has speeds that were not planned") }
        let history = station.ctl("history", "show", "1", "--json")
        let record = try JSONDecoder().decode(Record.self, from: Data(history.output.utf8))
        if record.outcome != "completed" { wrongs.append("the history says \(record)") }
        if record.frames.map(\.speed) != Self.speeds || record.frames.contains(where: { $0.outcome != "captured" }) {
            wrongs.append("the history has \(record.frames)")
        }
        let shown = station.camera?.text.split(separator: "\n").last { $0.contains("  speed is ") } ?? "nothing"
        if !shown.hasSuffix("speed is \(Self.speedBefore)") { wrongs.append("the camera is left at: \(shown)") }
        return wrongs + judgeReasons()
    }

    /// Compares each reason with the disturbance at its time.
    private func judgeReasons() -> [String] {
        reasons.compactMap { line in
            let reason = line["REASON"] ?? ""
            let begun = events.filter { $0.began <= line.time }
            let recent = begun.filter { happening in
                happening.ended.map { line.time < $0.addingTimeInterval(Self.patience) } ?? true
            }
            let away = recent.filter { $0.disturbance.isOfNetwork }
            let isAwayForLong = away.contains { happening in
                happening.began < line.time.addingTimeInterval(-Self.patience)
                    && happening.ended.map { line.time < $0 } ?? true
            }
            let isFair =
                switch reason {
                case "wifi-switched": !away.isEmpty
                case "link-lost": recent.contains { !$0.disturbance.isOfNetwork } && !isAwayForLong
                default: false
                }
            return isFair ? nil : "\(reason) is wrong: \(line.text)"
        }
    }

    /// The disturbances that should have interrupted a step, but did not, or that were reported with another reason.
    func unnoticed(_ blows: [CableFault]) -> [String] {
        zip(blows, events).compactMap { blow, happening in
            // A short silence may have no effect. A second disturbance during a pause changes little.
            guard case .step = blow.moment, !blow.disturbance.isSilent || blow.lasts == nil else { return nil }
            let told = reasons.first { $0.time.addingTimeInterval(0.001) >= happening.began }
            guard told?["REASON"] != blow.disturbance.reason else { return nil }
            return "after \(blow.disturbance.rawValue) at \(blow.moment) the reason is \(told?.text ?? "none")"
        }
    }

    /// The times from each disturbance to the daemon's report about it.
    var delays: [(Disturbance, Double)] {
        events.compactMap { happening in
            let reason = happening.disturbance.reason
            guard !happening.disturbance.isFault,
                let told = reasons.first(where: { $0.time > happening.began && $0["REASON"] == reason })
            else { return nil }
            return (happening.disturbance, told.time.timeIntervalSince(happening.began))
        }
    }

    /// The times from the end of each disturbance until the camera is connected again.
    var returns: [Double] {
        events.compactMap { happening in
            guard let ended = happening.ended,
                let back = journal.first(where: {
                    $0.time > ended && $0["CHART"] == "connection" && $0.states == ["connected"]
                })
            else { return nil }
            return back.time.timeIntervalSince(ended)
        }
    }

    /// The steps in which a shoot was interrupted.
    var interrupted: [String] {
        journal.filter { Moment.pause.isMet(by: $0) && $0["FROM"]?.isEmpty == false }.compactMap { $0["FROM"] }
    }

    /// The output of the processes, for a report.
    var log: String {
        """
        happened: \(events)
        \(station.daemon?.text ?? "")
        client:
        \(shoot?.text ?? "")
        camera:
        \(station.camera?.text.split(separator: "\n").suffix(60).joined(separator: "\n") ?? "")
        """
    }

    var clientText: String { shoot?.text ?? "" }
}
