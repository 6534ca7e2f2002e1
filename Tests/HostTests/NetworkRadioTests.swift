import Cameras
import Controller
import Glibc
import Testing

@testable import Host

/// The messages to and from nl80211. The answers were recorded from a kernel with WiFi devices.
@Suite struct NetworkRadioTests {
    /// An exchange of messages, with answers from the recording.
    private struct NL80211Exchange {
        private static let port: UInt32 = 0x1234_5678
        private let recording = NetlinkRecording.radios
        private(set) var queries = WiFiQueries(port: Self.port)
        private(set) var groups: [UInt32] = []
        private(set) var outcomes: [WiFiQueries.Outcome] = []
        private var sequence: UInt32 = 0

        init() { queries.begin() }

        var radios: [UInt32: NetworkInterface.Radio] { queries.radios }

        /// The kernel sends an unrequested message.
        mutating func happens(_ name: String) throws {
            for message in recording.messages(name) { try receive(message) }
        }

        mutating func receive(_ message: NetlinkMessage) throws {
            guard let outcome = try queries.receive(message) else { return }
            if case .join(let joined) = outcome { groups += joined } else { outcomes.append(outcome) }
        }

        /// The next request. Its number is kept for the answers.
        private mutating func sent() throws -> [UInt8] {
            let next = queries.next()
            let request = try #require(next, "nothing is asked")
            let number = request[...].netlinkInteger(at: 8, as: UInt32.self)
            sequence = try #require(number)
            return request
        }

        /// Answers the next request from the recording, and then ends the answer.
        mutating func answers(
            _ names: String...,
            changed change: (inout NetlinkMessage) -> Void = { _ in }
        ) throws {
            _ = try sent()
            for name in names { try says(name, change) }
        }

        /// Ends the present answer.
        mutating func ends() throws { try says("done") { _ in } }

        private mutating func says(_ name: String, _ change: (inout NetlinkMessage) -> Void) throws {
            for var message in recording.messages(name) {
                (message.port, message.sequence) = (Self.port, sequence)
                change(&message)
                try receive(message)
            }
        }

        mutating func begin() { queries.begin() }

        /// The kernel refuses the next request.
        mutating func refuses(_ code: Int32) throws {
            let request = try sent()
            let payload = withUnsafeBytes(of: -code) { Array($0) } + request.prefix(16)
            try receive(
                NetlinkMessage(type: 2, flags: 0x100, sequence: sequence, port: Self.port, payload: payload[...])
            )
        }

        /// The exchange up to a WiFi interface that has joined the camera's network.
        static func joined() throws -> NL80211Exchange {
            var talk = NL80211Exchange()
            try talk.answers("family", "acknowledged")
            try talk.answers("interfaces-joined", "done")
            try talk.answers("access-points-joined", "done")
            return talk
        }
    }

    private func accessPoint(_ radio: NetworkInterface.Radio?) -> NetworkInterface.AccessPoint? {
        if case .joined(let point) = radio { point } else { nil }
    }

    @Test func `a radio that is joined at the start is reported with name, address and signal`() throws {
        let talk = try NL80211Exchange.joined()
        #expect(talk.queries.isIdle)
        #expect(talk.groups.count == 2 && Set(talk.groups).count == 2)
        #expect(talk.radios.count == 1)
        let point = try #require(accessPoint(talk.radios.values.first))
        #expect(point.ssid == "DIRECT-a1E0:ILCE-7M3")
        #expect(point.bssid.split(separator: ":").count == 6 && point.bssid.hasPrefix("02:00:00:00:"))
        #expect(point.signal.map { -60 ... -10 ~= $0 } == true)
    }

    @Test func `a radio that is disconnected is reported at once, and its query confirms it`() throws {
        var talk = try NL80211Exchange.joined()
        try talk.happens("disconnected")
        #expect(Array(talk.radios.values) == [.apart])
        try talk.answers("interface-apart", "acknowledged")
        try talk.answers("access-points-apart", "done")
        #expect(Array(talk.radios.values) == [.apart])
        #expect(talk.queries.isIdle)
    }

    @Test func `a radio that joined another network is reported with the new name`() throws {
        var talk = try NL80211Exchange.joined()
        let before = try #require(accessPoint(talk.radios.values.first))
        try talk.happens("connected")
        #expect(accessPoint(talk.radios.values.first) == before)
        try talk.answers("interface-moved", "acknowledged")
        try talk.answers("access-points-moved", "done")
        let after = try #require(accessPoint(talk.radios.values.first))
        #expect(after.ssid == "Home")
        #expect(after.bssid != before.bssid)
    }

    @Test func `the name comes from the beacon if the radio's settings lack it`() throws {
        var talk = NL80211Exchange()
        try talk.answers("family", "acknowledged")
        try talk.answers("interface-apart", "done")
        try talk.answers("access-points-joined", "done")
        #expect(accessPoint(talk.radios.values.first)?.ssid == "DIRECT-a1E0:ILCE-7M3")
        #expect(accessPoint(talk.radios.values.first)?.signal != nil)
    }

    @Test func `an event during the query of a radio repeats the query`() throws {
        var talk = try NL80211Exchange.joined()
        try talk.happens("connected")
        try talk.answers("interface-joined", "acknowledged")
        try talk.happens("disconnected")
        try talk.happens("disconnected")
        try talk.answers("access-points-joined", "done")
        #expect(!talk.queries.isIdle)
        try talk.answers("interface-apart", "acknowledged")
        try talk.answers("access-points-apart", "done")
        #expect(talk.queries.isIdle)
        #expect(Array(talk.radios.values) == [.apart])
    }

    @Test(arguments: [EBUSY, ENOMEM])
    func `a radio keeps its state when the kernel refuses its access point`(code: CInt) throws {
        var talk = try NL80211Exchange.joined()
        let before = talk.radios
        try talk.happens("connected")
        try talk.answers("interface-joined", "acknowledged")
        try talk.refuses(code)
        #expect(talk.radios == before && talk.queries.isIdle)
        #expect(talk.outcomes == [.refused("\(SystemError(code: code))")])
        // The result is the same if the kernel refuses the whole request.
        try talk.happens("connected")
        try talk.refuses(code)
        #expect(talk.radios == before && talk.outcomes.count == 2)
        // The facts from other messages stay valid.
        try talk.happens("disconnected")
        try talk.answers("interface-apart", "acknowledged")
        try talk.refuses(code)
        #expect(Array(talk.radios.values) == [.apart])
    }

    @Test func `radios keep their state when the kernel refuses their list`() throws {
        var talk = try NL80211Exchange.joined()
        let before = talk.radios
        talk.begin()
        try talk.refuses(EBUSY)
        #expect(talk.radios == before && talk.queries.isIdle)
        #expect(talk.outcomes == [.refused("Device or resource busy")])
    }

    @Test func `a radio keeps its state when its access point is unreadable`() throws {
        var talk = try NL80211Exchange.joined()
        let before = talk.radios
        try talk.happens("connected")
        try talk.answers("interface-joined", "acknowledged")
        #expect(throws: NetlinkMessage.Fault.self) {
            try talk.answers("access-points-joined") { $0.payload.removeLast() }
        }
        try talk.ends()
        #expect(talk.radios == before && talk.queries.isIdle)
        #expect(talk.outcomes.count == 1)
        // The error does not affect the next answer.
        try talk.happens("connected")
        try talk.answers("interface-apart", "acknowledged")
        try talk.answers("access-points-apart", "done")
        #expect(Array(talk.radios.values) == [.apart])
        #expect(talk.outcomes.count == 1)
    }

    @Test func `a radio that is unplugged is reported no more`() throws {
        var talk = try NL80211Exchange.joined()
        try talk.happens("connected")
        // 19 is ENODEV.
        try talk.refuses(19)
        #expect(talk.radios.isEmpty && talk.queries.isIdle && talk.outcomes.isEmpty)
    }

    @Test func `a radio that is missing in the list is reported no more`() throws {
        var talk = try NL80211Exchange.joined()
        talk.begin()
        try talk.answers("done")
        #expect(talk.radios.isEmpty && talk.queries.isIdle && talk.outcomes.isEmpty)
    }

    @Test func `a kernel without radios gives a reason, and radios that are added later are found`() throws {
        var talk = NL80211Exchange()
        // 2 is ENOENT.
        try talk.refuses(2)
        #expect(talk.outcomes == [.unknown("No such file or directory")])
        #expect(talk.queries.isIdle)
        try talk.happens("family")
        #expect(talk.groups.count == 2)
        try talk.answers("interfaces-joined", "done")
        try talk.answers("access-points-joined", "done")
        #expect(accessPoint(talk.radios.values.first) != nil)
    }

    @Test func `a change during a dump repeats the query`() throws {
        var talk = try NL80211Exchange.joined()
        try talk.happens("connected")
        let request = try #require(talk.queries.isIdle ? nil : NetlinkRecording.radios.messages("done").first)
        try talk.answers()
        var done = request
        (done.port, done.sequence, done.flags) = (0x1234_5678, 4, 0x12)
        try talk.receive(done)
        #expect(talk.outcomes == [.beginAgain])
    }

    @Test func `a name of printable text stays as it is, and any other is written byte by byte`() {
        func name(_ bytes: [UInt8]) -> String? {
            NetworkInterface.AccessPoint(ssid: bytes, bssid: [2, 0, 0, 0, 0xAB, 1], signal: nil)?.ssid
        }
        #expect(name(Array("DIRECT-a1E0:ILCE-7M3".utf8)) == "DIRECT-a1E0:ILCE-7M3")
        #expect(name(Array("Café 東京".utf8)) == "Café 東京")
        #expect(name([0x48, 0x69, 0xFF, 0x07]) == "Hi\\xff\\x07")
        #expect(name(Array("a\nb".utf8)) == "a\\x0ab")
        #expect(name(Array("\u{202E}ab".utf8)) == "\\xe2\\x80\\xaeab")
        #expect(name([]) == nil)
        #expect(name([0, 0, 0]) == nil)
        #expect(name([UInt8](repeating: 65, count: 33)) == nil)
        let point = NetworkInterface.AccessPoint(ssid: [65], bssid: [2, 0, 0, 0, 0xAB, 1], signal: -40)
        #expect(point?.bssid == "02:00:00:00:ab:01")
    }
}
