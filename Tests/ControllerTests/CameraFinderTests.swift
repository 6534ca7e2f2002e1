import Cameras
import NIOCore
import Testing

@testable import Controller

/// Tests the finder alone, by the messages that it receives and sends.
@Suite struct CameraFinderTests {
    private var finder = CameraFinder(.standard, driven: [.ptpip])
    private var turn = Turn(at: .zero)

    private static func facts(
        _ goal: SearchGoal,
        _ connection: ChartRun<ConnectionModel> = Probe.seeking
    ) -> FinderFacts {
        FinderFacts(
            goal: goal,
            connection: connection.facts,
            driver: Probe.driver,
            sessionGeneration: LinkGeneration(rawValue: 0),
            isListWatched: false
        )
    }

    @Test mutating func `an address is offered by the queue, and no earlier`() {
        let facts = Self.facts(Probe.goal(address: Probe.near))
        finder.receive(.addressWanted, facts, in: &turn)
        finder.receive(.addressWanted, facts, in: &turn)
        #expect(turn.queued == [.cameraFound(Probe.offer)])
        #expect(!turn.hasMessages)
        finder.receive(.cameraFound(Probe.offer), facts, in: &turn)
        #expect(turn.takeMessages() == [.addressFound(Probe.offer)])
    }

    @Test mutating func `without an address and without a search the finder warns and offers nothing`() {
        finder.receive(.addressWanted, Self.facts(Probe.goal()), in: &turn)
        #expect(turn.queued.isEmpty)
        #expect(
            turn.effects.list.contains { if case .journal(let entry) = $0 { entry.level == .warning } else { false } }
        )
    }

    @Test mutating func `a search begins only if one is configured`() {
        finder.receive(TurnMessage.searchWanted(true), Self.facts(Probe.goal(address: Probe.near)), in: &turn)
        #expect(turn.queued.isEmpty)
        finder.receive(TurnMessage.searchWanted(true), Self.facts(Probe.goal([.scan])), in: &turn)
        #expect(turn.queued == [.searchWanted(true)])
    }

    @Test mutating func `a wave probes a limited number of addresses at once, each in its own session`() {
        _ = finder.chart.start(at: .zero)
        finder.receive(Message.searchWanted(true), Self.facts(Probe.goal([.scan])), in: &turn)
        let opened = turn.effects.list.compactMap {
            if case .openLink(let number, _, _, _) = $0 { number } else { nil }
        }
        #expect(opened.count == CameraFinder.probesMax)
        #expect(Set(opened).count == opened.count)
        #expect(finder.candidates.count == 253)
        #expect(finder.overflow == nil)
    }

    @Test(arguments: [false, true])
    mutating func `a refusal by the only camera belongs to the connection`(hasOther: Bool) {
        if hasOther { finder.note(Probe.row) }
        let goal = Probe.goal([.known], address: Probe.far)
        finder.receive(.candidateRefused(.unpaired), Self.facts(goal), in: &turn)
        #expect(turn.takeMessages() == (hasOther ? [] : [.onlyCameraRefused(.unpaired)]))
    }

    @Test mutating func `a camera that waits for its owner is not called, and others are`() {
        finder.note(Probe.row)
        let connection = Probe.connection(after: [.addressFound(CameraOffer(.ptpip, Probe.far))])
        let facts = Self.facts(Probe.goal([.known], address: Probe.far), connection)
        finder.receive(.cameraRefused(.unpaired), facts, in: &turn)
        #expect(turn.takeMessages() == [.othersAvailable(true)])
        #expect(finder.isAddressPaused(Probe.far, at: .seconds(1)))
        finder.receive(.networkBack, facts, in: &turn)
        #expect(!finder.isAddressPaused(Probe.far, at: .seconds(1)))
    }

    @Test(arguments: [nil, "7", "8"])
    mutating func `a session of a search is passed on if its camera is the requested one`(wanted: String?) throws {
        _ = finder.chart.start(at: .zero)
        let shootCamera = wanted.map { WantedCamera(id: $0, name: "Script") }
        let goal = Probe.goal([.known])
        finder.note(Probe.row)
        finder.receive(Message.searchWanted(true), Self.facts(goal), in: &turn)
        let number = try #require(finder.candidates.first?.generation)
        let opened = LinkEvent.opened(ProbeCamera.link)
        finder.receive(.link(opened), of: number, Self.facts(goal), in: &turn)
        finder.receive(.candidate(number, .prepared(Probe.identity)), Self.facts(goal), in: &turn)
        finder.receive(.candidate(number, .status(ScriptedCamera.ready)), Self.facts(goal), in: &turn)
        let meeting = OpenedCamera(
            offer: CameraOffer(.ptpip, Probe.near),
            identity: Probe.identity,
            status: ScriptedCamera.ready
        )
        #expect(turn.queued.last == .candidateOpened(number, meeting))
        #expect(!turn.hasMessages)
        let now = Self.facts(Probe.goal([.known], shootCamera: shootCamera))
        finder.receive(.candidateOpened(number, meeting), now, in: &turn)
        let session = OpenSession(generation: number, driver: Probe.driver, address: Probe.near, meeting: meeting)
        #expect(turn.takeMessages() == (wanted == "8" ? [] : [.sessionAdopted(session)]))
        #expect(finder.candidates.map { $0.run.isActive(.closing) } == (wanted == "8" ? [true] : []))
    }

    @Test mutating func `a connected camera is noted as it was called, though it no longer announces itself`() {
        let offer = CameraOffer(CameraProtocol(rawValue: "other"), Probe.far, path: "/studio")
        let meeting = OpenedCamera(offer: offer, identity: Probe.identity, status: ScriptedCamera.ready)
        let generation = LinkGeneration(rawValue: 1)
        let session = OpenSession(
            generation: generation,
            driver: Probe.driver,
            address: Probe.far,
            meeting: meeting
        )
        let facts = Self.facts(Probe.goal([.known]), Probe.connection(after: [.sessionAdopted(session)]))
        finder.receive(Message.cameraReady(ScriptedCamera.ready), facts, in: &turn)
        let row = finder.cameras.known.first
        #expect(row?.protocol == offer.protocol && row?.path == "/studio")
    }

    // MARK: Announcements

    private static func announcement(of target: SSDPTarget) -> SSDPDatagram {
        let lines = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NT: \(target)", "NTS: ssdp:alive",
            "LOCATION: http://\(Probe.near.host):49152/upnp/CameraDevDesc.xml", "USN: uuid:a-b::\(target)", "", "",
        ]
        let bytes = ByteBuffer(string: lines.joined(separator: "\r\n"))
        return SSDPDatagram(from: IPAddress(bytes: [10, 0, 0, 7]), interface: 2, bytes: bytes)
    }

    @Test mutating func `the list names the program for which a camera waits, by the latest announcement`() {
        _ = finder.chart.start(at: .zero)
        let facts = Self.facts(Probe.goal([.ssdp]))
        finder.receive(Message.searchWanted(true), facts, in: &turn)
        finder.receive(Self.announcement(of: .canonSmartphone), facts, in: &turn)
        finder.receive(HTTPEvent.reply(HTTPReply(status: 404)), of: HTTPRequestID(rawValue: 1), facts, in: &turn)
        var entry = CameraEntry(state: .there, name: "camera at 10.0.0.7", address: Probe.near.host)
        (entry.waitsFor, entry.remark) = (.smartphoneApp, AwaitedProgram.smartphoneApp.remark)
        #expect(finder.entries(facts.connection, Probe.network) == [entry])
        finder.receive(Self.announcement(of: .canonUtility), facts, in: &turn)
        (entry.waitsFor, entry.remark) = (.eosUtility, AwaitedProgram.eosUtility.remark)
        #expect(finder.entries(facts.connection, Probe.network) == [entry])
    }

    @Test mutating func `the first attempt to connect names the maker of an announced camera`() {
        _ = finder.chart.start(at: .zero)
        let facts = Self.facts(Probe.goal([.ssdp]))
        finder.receive(Message.searchWanted(true), facts, in: &turn)
        finder.receive(Self.announcement(of: .canonUtility), facts, in: &turn)
        let offer = CameraOffer(.ptpip, Probe.near, maker: "canon")
        #expect(turn.queued.contains(.cameraFound(offer)))
        var connection = Probe.seeking
        let effects = connection.handle(.cameraFound(offer), at: .zero).effects
        #expect(effects.contains(.send(.command(.connect(Probe.near, maker: "canon"), from: .connection))))
    }

    @Test mutating func `a stop is complete when the last session is closed`() {
        let stopped = Self.facts(Probe.goal())
        finder.receive(.sessionToClose(Probe.session(3)), stopped, in: &turn)
        finder.receive(.connectionStopped, stopped, in: &turn)
        #expect(!turn.effects.list.contains(.finished))
        #expect(finder.candidates.count == 1)
    }
}
