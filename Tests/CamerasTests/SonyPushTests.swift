import Exposure
import NIOCore
import Testing

@testable import Cameras

/// A Sony body in the mode "Send to Smartphone", with its description, its calls and its pictures.
struct SonyPushTests {
    /// The driver and the replies of a body, without a network between them.
    private struct Bench {
        var driver = SonyPush()
        var now: Duration = .seconds(10)
        var events: [CameraEvent] = []
        var requests: [HTTPRequest] = []
        var pictures: [PictureAction] = []
        /// The number of selected pictures.
        var selected = 25
        var failing: String?
        /// The action that gets no answer in time.
        var slow: String?
        /// The action that gets no answer at all.
        var silent: String?
        /// How many pictures the body no longer has.
        var missing = 0
        var isOff = false
        var description = SonyPushTests.description
        private var ticket = Ticket(rawValue: 0)

        mutating func perform(_ command: CameraCommand) {
            ticket.rawValue += 1
            var actions: [CameraAction] = []
            driver.perform(command, ticket: ticket, at: now, into: &actions)
            handle(actions)
        }

        mutating func advance(by time: Duration) {
            now += time
            var actions: [CameraAction] = []
            driver.advance(to: now, into: &actions)
            handle(actions)
        }

        private mutating func handle(_ actions: [CameraAction]) {
            for action in actions {
                switch action {
                case .http(let id, .perform(let request)):
                    requests.append(request)
                    for event in answer(request) {
                        var more: [CameraAction] = []
                        driver.receive(event, of: id, at: now, into: &more)
                        handle(more)
                    }
                case .report(let event, _): events.append(event)
                case .picture(_, let action): pictures.append(action)
                default: break
                }
            }
            if let overflow = driver.overflow { Issue.record("\(overflow)") }
        }

        private mutating func answer(_ request: HTTPRequest) -> [HTTPEvent] {
            if isOff { return [.failed(.timedOut(request.timeout))] }
            if request.isPicture, missing > 0 {
                missing -= 1
                return [.head(HTTPHead(status: 404))]
            }
            if request.isPicture { return [.head(HTTPHead(status: 200)), .body(ByteBuffer(string: "jpeg")), .end] }
            if request.method == .get {
                let isHere = request.path == "/dd.xml"
                return [.reply(HTTPReply(status: isHere ? 200 : 404, body: ByteBuffer(string: description)))]
            }
            let action = request.headers.first { $0.name == "SOAPAction" }?.value ?? ""
            if let failing, action.contains(failing) { return [.reply(HTTPReply(status: 500))] }
            if let slow, action.contains(slow) { return [.failed(.timedOut(request.timeout))] }
            if let silent, action.contains(silent) { return [] }
            guard action.contains("#Browse") else { return [.reply(HTTPReply(status: 200))] }
            let text = String(buffer: request.body)
            let from = text.split(separator: "<StartingIndex>").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            return [.reply(HTTPReply(status: 200, body: ByteBuffer(string: SonyPushTests.page(from, of: selected))))]
        }

        var actions: [String] {
            requests.compactMap { request in
                request.headers.first { $0.name == "SOAPAction" }?.value.split(separator: "#").last.map { "\($0)" }
            }
        }
    }

    private static let description = """
        <root><device><friendlyName>ILCE-6400</friendlyName><UDN>uuid:00000000-0005-0010-8000-020000000002</UDN>
        <serviceList>
        <service><serviceType>urn:schemas-sony-com:service:XPushList:1</serviceType>
        <controlURL>/upnp/control/XPushList</controlURL></service>
        <service><serviceType>urn:schemas-upnp-org:service:ContentDirectory:1</serviceType>
        <controlURL>/upnp/control/ContentDirectory</controlURL></service>
        </serviceList></device></root>
        """

    /// The reply to `Browse`. The list is escaped, and each picture has two sizes.
    private static func page(_ from: Int, of total: Int) -> String {
        let numbers = (from..<max(from, total)).prefix(20)
        let items = numbers.map { number in
            "<item id=\"\(number)\"><dc:title>DSC\(number).JPG</dc:title><dc:date>20260102T030405</dc:date>"
                + "<res protocolInfo=\"a\">http://192.168.122.1:60151/DSC\(number).JPG</res>"
                + "<res protocolInfo=\"b\">http://192.168.122.1:60151/small.JPG</res></item>"
        }
        let list = "<DIDL-Lite xmlns:dc=\"d\">\(items.joined())</DIDL-Lite>"
        let escaped = list.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return "<s:Envelope xmlns:s=\"e\"><s:Body><u:BrowseResponse xmlns:u=\"c\"><Result>\(escaped)</Result>"
            + "<NumberReturned>\(numbers.count)</NumberReturned><TotalMatches>\(total)</TotalMatches>"
            + "</u:BrowseResponse></s:Body></s:Envelope>"
    }

    private static let address = CameraAddress(host: "192.168.122.1", port: 64321)

    private static func connected(_ change: (inout Bench) -> Void = { _ in }) -> Bench {
        var bench = Bench()
        change(&bench)
        bench.perform(.connect(address, by: .sonyPush))
        return bench
    }

    @Test func `the mode is connected as a camera that cannot shoot`() throws {
        var bench = Self.connected()
        guard case .prepared(let identity)? = bench.events.first, case .status(let status)? = bench.events.last else {
            Issue.record("\(bench.events)")
            return
        }
        #expect(identity.model == "ILCE-6400" && status.mode == .other("Send to Smartphone") && status.speeds.isEmpty)
        bench.events = []
        bench.perform(.capture(try ShutterSpeed(parsing: "1/60")))
        #expect(bench.events == [.failed(.other(SonyPushSentences.cannotShoot))])
    }

    @Test func `at rest the body is asked now and then, and a body that was switched off is lost`() throws {
        var bench = Self.connected()
        bench.events = []
        let first = try #require(bench.driver.nextDeadline)
        #expect(first == bench.now + SonyPush.checkPause)
        bench.advance(by: SonyPush.checkPause)
        #expect(bench.events.isEmpty && bench.driver.nextDeadline == bench.now + SonyPush.checkPause)
        bench.isOff = true
        bench.advance(by: SonyPush.checkPause)
        guard case .lost(.silent)? = bench.events.last else { Issue.record("\(bench.events)"); return }
        #expect(bench.driver.nextDeadline == nil)
    }

    @Test func `the selected pictures are listed in pages, and the transfer is ended`() {
        var bench = Self.connected()
        bench.perform(.files(.listSelected))
        guard case .files(.listed(let files))? = bench.events.last else {
            Issue.record("\(bench.events)")
            return
        }
        #expect(files.count == 25 && files.first?.name == "DSC0.JPG")
        // The same form as that of a card's list.
        #expect(files.first?.time == "2026-01-02T03:04:05")
        #expect(bench.actions == ["X_TransferStart\"", "Browse\"", "Browse\"", "X_TransferEnd\""])
    }

    @Test func `the selected pictures are fetched in order, and then the transfer is ended`() {
        var bench = Self.connected()
        bench.perform(.files(.getSelected))
        #expect(bench.events.last == .files(.sent(25)) && bench.pictures.filter { $0 == .end }.count == 25)
        #expect(bench.requests.filter(\.isPicture).first?.path == "/DSC0.JPG")
        #expect(bench.actions.last == "X_TransferEnd\"" && bench.requests.last?.isPicture == false)
    }

    @Test(arguments: ["X_TransferStart", "Browse"]) func `a rejected call is reported`(action: String) {
        var bench = Self.connected { $0.failing = action }
        bench.perform(.files(.getSelected))
        #expect(bench.events.last == .failed(.other(SonyPushSentences.refused(action, 500))))
        // A transfer that began is also ended.
        #expect(bench.actions.contains("X_TransferEnd\"") == (action == "Browse"))
    }

    @Test func `no selected picture is no error`() {
        var bench = Self.connected { $0.selected = 0 }
        bench.perform(.files(.getSelected))
        #expect(bench.events.last == .files(.sent(0)))
    }

    @Test func `a device without the services is refused`() {
        let bench = Self.connected { $0.description = $0.description.replacing("XPushList", with: "Other") }
        #expect(bench.events == [.refused(.protocolError(SonyPushSentences.notInMode))])
        #expect(bench.requests.count == SonyHTTP.descriptionPaths.count)
    }

    @Test(arguments: [
        "", "<a/>", "<a><Result>x</Result><NumberReturned>9</NumberReturned><TotalMatches>1</TotalMatches></a>",
    ])
    func `a reply that is no list is an error`(text: String) {
        #expect(throws: DescriptionFault.self) { try SonyPushPage.read(ByteBuffer(string: text)) }
    }

    // MARK: Failures

    @Test(arguments: ["X_TransferStart", "Browse"]) func `a call without an answer is followed by the end`(
        action: String
    ) {
        var bench = Self.connected { $0.slow = action }
        bench.perform(.files(.getSelected))
        #expect(bench.events.last == .failed(.other(SonyPushSentences.unanswered(action))))
        #expect(bench.actions.last == "X_TransferEnd\"")
    }

    @Test func `an end that is rejected or lost is reported`() {
        var bench = Self.connected { $0.failing = "X_TransferEnd" }
        bench.perform(.files(.getSelected))
        #expect(bench.events.last == .failed(.other(SonyPushSentences.refused("X_TransferEnd", 500))))
        var lost = Self.connected { $0.slow = "X_TransferEnd" }
        lost.perform(.files(.getSelected))
        guard case .lost(.silent)? = lost.events.last else {
            Issue.record("not lost: \(lost.events)")
            return
        }
    }

    @Test(arguments: ["X_TransferStart", "Browse"]) func `a disconnect ends the transfer and waits for the answer`(
        action: String
    ) {
        var bench = Self.connected { $0.silent = action }
        bench.perform(.files(.getSelected))
        bench.events = []
        bench.perform(.disconnect)
        #expect(bench.actions.last == "X_TransferEnd\"" && bench.events == [.disconnected])
    }

    @Test func `a disconnect is bounded, even if the body is silent`() {
        var bench = Self.connected { $0.silent = "X_Transfer" }
        bench.perform(.files(.getSelected))
        bench.events = []
        bench.perform(.disconnect)
        #expect(bench.events.isEmpty && bench.driver.nextDeadline == bench.now + .seconds(2))
        bench.advance(by: .seconds(2))
        #expect(bench.events == [.disconnected] && bench.driver.nextDeadline == nil)
    }

    @Test func `a picture that is gone is counted, and reported as skipped`() {
        var bench = Self.connected { $0.missing = 2 }
        bench.perform(.files(.getSelected))
        let sentence = SonyPushSentences.incomplete(sent: 23, of: 25) ?? ""
        #expect(bench.events.last == .failed(.other(sentence)) && sentence.hasPrefix("23 of 25"))
        let skips = bench.pictures.compactMap { if case .skipped(_, let reason) = $0 { reason } else { nil } }
        #expect(skips == [.notOffered(status: 404), .notOffered(status: 404)])
    }

    @Test func `a selection that is too long is transferred as far as possible, and that is said`() {
        var bench = Self.connected { $0.selected = 1400 }
        bench.perform(.files(.getSelected))
        let sentence = SonyPushSentences.incomplete(sent: 1000, of: 1400) ?? ""
        #expect(bench.events.last == .failed(.other(sentence)) && sentence.hasPrefix("1000 of 1400"))
        #expect(bench.pictures.filter { $0 == .end }.count == 1000)
    }

    @Test func `files of the card are refused with the option to use`() {
        var bench = Self.connected()
        bench.perform(.files(.list(since: nil, limit: 1)))
        #expect(bench.events.last == .failed(.other(SonyPushSentences.onlySelected)))
    }

    @Test func `a status is read from the body, and a body that is off is lost`() {
        var bench = Self.connected()
        bench.events = []
        bench.perform(.readStatus)
        guard case .status? = bench.events.last else {
            Issue.record("no status: \(bench.events)")
            return
        }
        #expect(bench.requests.last?.path == "/dd.xml" && bench.requests.count == 2)
        bench.isOff = true
        bench.perform(.readStatus)
        guard case .lost(.silent)? = bench.events.last else {
            Issue.record("not lost: \(bench.events)")
            return
        }
    }
}
