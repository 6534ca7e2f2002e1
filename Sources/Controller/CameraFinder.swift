import Cameras
import Statecharts

/// Finds a camera. The finder has the addresses to probe, the known and the announced cameras, and the addresses that
/// it skips for a while.
///
/// `CameraFinder+Messages` receives messages and inputs. `+Probing` selects the addresses to probe. `+Candidates`
/// handles the probe of each address.
struct CameraFinder: Sendable {
    var chart = ChartRun(SearchModel())
    private let table: DiscoveryTable
    /// The protocols that have a driver.
    private let driven: Set<CameraProtocol>
    /// The addresses that are probed or wait for a probe.
    var candidates: [CandidateRun] = []
    private(set) var cameras = KnownCameras()
    /// The address that was selected last for the connection. The next selection starts after this address.
    var lastPick: CameraAddress?
    /// The address that is in the queue for the connection; nil: no address is in the queue.
    var offer: CameraAddress?
    /// The addresses to skip, each with the time until which it is skipped.
    private(set) var resting: [CameraAddress: Duration] = [:]
    /// The latest refusal from each address. Each refusal is reported once.
    private(set) var refusals: [CameraAddress: Refusal] = [:]
    /// The interfaces on which the host receives announcements, each with its addresses at the latest `listen`.
    private var listening: [UInt32: [NetworkInterface.Address]] = [:]
    private var fetches: [HTTPRequestID: (name: String, url: DescriptionURL)] = [:]
    private var lastFetch = HTTPRequestID(rawValue: 0)

    /// The maximum number of probes at the same time, and of candidates that are not part of a wave.
    static let probesMax = 64
    /// The maximum number of all candidates: two networks of the largest size that is scanned.
    static let candidatesMax = 2048 + probesMax
    /// The maximum number of addresses that are skipped for a while.
    static let restingMax = 256
    /// The minimum time between two requests for the description of one camera.
    private static let fetchPause = Duration.seconds(10)

    init(_ table: DiscoveryTable, driven: Set<CameraProtocol>) {
        self.table = table
        self.driven = driven
    }

    // MARK: Known cameras

    /// Adopts the cameras from the ledger when the ledger opens.
    mutating func begin(with rows: [CameraRow]) { cameras.begin(with: rows) }

    /// Stores a camera that was connected.
    mutating func note(_ row: CameraRow) { cameras.note(row) }

    mutating func forgetSilent(at now: Duration) { cameras.forgetSilent(at: now) }

    // MARK: Candidates

    func index(of generation: LinkGeneration) -> Int? {
        for index in candidates.indices where candidates[index].generation == generation { return index }
        return nil
    }

    func reportWaveOver(in turn: inout Turn) {
        if !candidates.contains(where: \.isOfWave) { turn.append(.enqueue(.waveOver)) }
    }

    /// The earliest deadline of all candidates. This code makes no list, because it runs after each input for hundreds
    /// of candidates.
    var candidatesDeadline: Duration? {
        var earliest: Duration?
        for index in candidates.indices { earliest = earliest.earlier(deadline(ofCandidateAt: index)) }
        return earliest
    }

    /// The earlier deadline of a candidate's chart and driver. This code avoids a copy of the candidate.
    private func deadline(ofCandidateAt index: Int) -> Duration? {
        candidates[index].run.machine.nextDeadline.earlier(candidates[index].driver?.nextDeadline)
    }

    func candidatesDue(by now: Duration) -> [LinkGeneration] {
        var due: [LinkGeneration] = []
        for index in candidates.indices {
            guard let deadline = deadline(ofCandidateAt: index), deadline <= now else { continue }
            due.append(candidates[index].generation)
        }
        return due
    }

    // MARK: Addresses to skip

    /// Forgets all refusals, because a user requested a camera or the network changed.
    ///
    /// The addresses are probed again, and their refusals are reported again.
    mutating func forgetRefusals() {
        resting.removeAll()
        refusals.removeAll()
    }

    mutating func forgetRefusal(of address: CameraAddress) { refusals[address] = nil }

    mutating func note(_ refusal: Refusal, of address: CameraAddress) {
        if refusals.count >= Self.restingMax { refusals.removeAll() }
        refusals[address] = refusal
    }

    func isAddressPaused(_ address: CameraAddress, at now: Duration) -> Bool {
        resting[address].map { now < $0 } ?? false
    }

    /// Skips this address for a while.
    mutating func pause(_ address: CameraAddress, for time: Duration, at now: Duration) {
        resting = resting.filter { now < $0.value }
        if resting.count >= Self.restingMax, let first = resting.min(by: { $0.value < $1.value })?.key {
            resting[first] = nil
        }
        resting[address] = now + time
    }

    // MARK: Cameras that announce themselves with SSDP. An announcement does not prove that a camera is there.

    mutating func listen(on interfaces: [NetworkInterface], in turn: inout Turn) {
        // The loopback interface accepts multicast without this flag.
        let interfaces = interfaces.filter { $0.isMulticast || $0.isLoopback }
        let indices = interfaces.map(\.index)
        let changed = interfaces.filter { listening[$0.index] != nil && listening[$0.index] != $0.addresses }.map(
            \.index
        )
        guard indices.sorted() != listening.keys.sorted() || !changed.isEmpty else { return }
        listening = Dictionary(uniqueKeysWithValues: interfaces.map { ($0.index, $0.addresses) })
        turn.append(.discovery(.listen(on: indices, rejoins: changed)))
    }

    mutating func stopListening(in turn: inout Turn) {
        for fetch in fetches.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            turn.append(.http(.discovery, fetch, .cancel))
        }
        fetches.removeAll()
        guard !listening.isEmpty else { return }
        listening.removeAll()
        turn.append(.discovery(.listen(on: [], rejoins: [])))
    }

    mutating func ask(in turn: inout Turn) {
        cameras.forgetSilent(at: turn.now)
        guard !listening.isEmpty else { return }
        turn.append(.discovery(.ask(table.searches)))
    }

    /// Handles an announcement, which may be false.
    ///
    /// - Returns: the protocol and address of the camera to probe; nil: the camera cannot be probed now.
    mutating func receive(
        _ datagram: SSDPDatagram,
        on interface: NetworkInterface?,
        in turn: inout Turn
    ) -> CameraOffer? {
        guard listening[datagram.interface] != nil, let message = try? SSDPMessage.parse(datagram.bytes),
            table.mayNameCamera(message), message.isCredible(by: datagram.from),
            interface?.isNeighbour(datagram.from) == true
        else { return nil }
        let name = message.udn?.rawValue ?? datagram.from.description
        let present = cameras.announced[name]
        guard let url = message.location else {
            // A device can withdraw only its own announcement.
            if present?.url.host == datagram.from { cameras.forget(name) }
            return nil
        }
        var camera = KnownCameras.Announcement(name: name, url: url, interface: datagram.interface, at: turn.now)
        camera.row = table.row(of: message)
        if let present, present.url == url {
            (camera.availability, camera.title, camera.fetchedAt) = (
                present.availability, present.title, present.fetchedAt
            )
            // An answer can lack a target. The name of the program then comes from an earlier announcement.
            camera.row = camera.row ?? present.row
            // A camera that announces itself on two interfaces stays assigned to the first one.
            if listening[present.interface] != nil { camera.interface = present.interface }
        }
        guard cameras.note(camera) else { return nil }
        if camera.availability == .undescribed { fetch(url, of: name, in: &turn) }
        return camera.offer ?? table.offer(of: message)
    }

    private mutating func fetch(_ url: DescriptionURL, of name: String, in turn: inout Turn) {
        let isPausing = cameras.announced[name]?.fetchedAt.map { turn.now < $0 + Self.fetchPause } ?? false
        guard !isPausing, !fetches.values.contains(where: { $0.name == name }),
            fetches.count < KnownCameras.announcedMax
        else { return }
        cameras.change(name) { $0.fetchedAt = turn.now }
        lastFetch.rawValue &+= 1
        fetches[lastFetch] = (name, url)
        turn.append(.http(.discovery, lastFetch, .perform(DeviceDescription.request(at: url))))
    }

    /// - Returns: the protocol and address of the described camera; nil: the camera cannot be probed.
    mutating func receive(_ event: HTTPEvent, of id: HTTPRequestID, in turn: inout Turn) -> CameraOffer? {
        guard let (name, url) = fetches.removeValue(forKey: id), cameras.announced[name]?.url == url else { return nil }
        var fault: DescriptionFetchError?
        do throws(DescriptionFetchError) {
            let description = try DeviceDescription.read(event)
            let availability = availability(of: description, at: url)
            cameras.change(name) { ($0.availability, $0.title) = (availability, description.friendlyName) }
        } catch {
            fault = error
        }
        guard let camera = cameras.announced[name] else { return nil }
        if let fault {
            let message = SearchSentences.descriptionUnreadable(at: camera.url.host, fault)
            turn.append(.journal(.debug(message)))
        }
        return camera.offer
    }

    private func availability(of description: DeviceDescription, at url: DescriptionURL) -> KnownCameras.Availability {
        switch table.fitness(of: description, at: url) {
        case .fit(let offers):
            // The table's order puts PTP/IP first.
            if let offer = offers.first(where: { driven.contains($0.protocol) }) { return .fit(offer) }
            guard let row = offers.first.flatMap({ table.row(of: $0.protocol) }) else { return .unknown }
            return .undriven(protocolName: row.name)
        case .unfit(let remark): return .unfit(remark: remark)
        case nil: return .unknown
        }
    }

    // MARK: Protocols

    /// The offer for a camera at this address. The protocol comes from the camera's description, else from an earlier
    /// session, else from the port. The maker comes from the same source, else from the camera's announcement.
    func offer(at address: CameraAddress) -> CameraOffer {
        if let offer = cameras.offers.first(where: { $0.address == address }) {
            return CameraOffer(offer.protocol, address, path: offer.path, maker: offer.maker)
        }
        if let row = cameras.last(at: address), let known = row.protocol, driven.contains(known) {
            return CameraOffer(known, address, path: row.path ?? "", maker: CameraOffer.maker(ofID: row.id))
        }
        let usual = table.protocol(of: address)
        return CameraOffer(driven.contains(usual) ? usual : .ptpip, address, maker: cameras.maker(at: address.host))
    }

    /// The addresses that the waves of this search probe, with each port that a scan probes. Empty: nothing is scanned.
    func scanned(_ goal: SearchGoal) -> [CameraAddress] {
        guard goal.rules.ways.contains(.scan), goal.onlyAddress == nil else { return [] }
        let rows = table.protocols.filter { $0.isScanned && driven.contains($0.protocol) }
        return Scan.addresses(goal.interfaces, ports: rows.map(\.port), waveMax: goal.rules.waveMax)
    }

    /// The time at which the next wave begins; nil: no search runs, or a wave is in progress.
    var nextWave: Duration? {
        chart.isActive(.betweenWaves) ? chart.machine.due(.timeoutWave) : nil
    }

    /// The first address where a body may wait until its user confirms this computer; nil: there is none.
    var addressToConfirm: CameraAddress? {
        candidates.first { $0.isConfirmationAwaited && $0.run.isActive(.handshake) }?.address
    }

    /// Whether the description of a camera is being fetched.
    func isBeingRead(_ camera: KnownCameras.Announcement) -> Bool {
        camera.availability == .undescribed && fetches.values.contains { $0.name == camera.name }
    }

    /// The first list that is longer than its limit; nil: no list is too long.
    var overflow: Overflow? {
        // One more candidate is possible, because one session can close while another camera is probed.
        Overflow("addresses to call", candidates.count, Self.candidatesMax + 1)
            ?? Overflow("addresses that rest", resting.count, Self.restingMax)
            ?? Overflow("descriptions to fetch", fetches.count, KnownCameras.announcedMax)
            ?? Overflow("known cameras", cameras.known.count, KnownCameras.knownMax)
            ?? Overflow("announced cameras", cameras.announced.count, KnownCameras.announcedMax)
    }
}

extension NetworkInterface {
    /// Whether the sender is in a network of this interface. A host in another network cannot cause a probe.
    fileprivate func isNeighbour(_ sender: IPAddress) -> Bool {
        isNear(sender) || addresses.contains { $0.address == sender }
    }
}

/// An address that is probed, and the driver for the probe.
struct CandidateRun: Sendable {
    /// The generation of the candidate's connections.
    let generation: LinkGeneration
    /// Whether this address belongs to a wave. A wave is one scan of all addresses of the networks.
    var isOfWave: Bool
    var run: ChartRun<CandidateModel>
    /// A copy of the current driver; nil: the probe has not begun.
    var driver: DriverSet?
    /// Whether the body may wait until its user confirms this computer.
    var isConfirmationAwaited = false
    /// The driver's reports of settings before the session was accepted.
    var properties: [CameraEvent] = []
    var link = LinkNetwork()

    var address: CameraAddress { run.machine.behavior.address }
    var wasProbed: Bool { run.machine.behavior.wasProbed }
    /// Whether this candidate waits for its probe.
    var isWaiting: Bool { run.isActive(.queued) || run.isActive(.pausing) }
}
