import Cameras

/// The cameras that were connected before, and those that announced themselves.
struct KnownCameras: Equatable, Sendable {
    /// The camera that was connected last is the last one.
    private(set) var known: [CameraRow] = []
    /// The announcements by SSDP, by the body's own name: its UDN, else its address.
    private(set) var announced: [String: Announcement] = [:]

    struct Announcement: Equatable, Sendable {
        var name: String
        var url: DescriptionURL
        var interface: UInt32
        /// The time of its last announcement.
        var at: Duration
        /// The time of the last request for its description.
        var fetchedAt: Duration?
        var availability = Availability.undescribed
        /// The name in its description; empty: it has none, or was not read.
        var title = ""

        /// How to call it; nil: it cannot be called, or that is not known yet.
        var offer: CameraOffer? { if case .fit(let offer) = availability { offer } else { nil } }
    }

    /// The content of a camera's description.
    enum Availability: Equatable, Sendable {
        /// Its description was not read.
        case undescribed
        case fit(CameraOffer)
        /// No driver supports it in its present mode.
        case unfit(remark: String)
        /// It offers only this protocol, which no driver supports.
        case undriven(protocolName: String)
        /// It is not a known kind of camera.
        case unknown
    }

    /// The same limit as in the ledger.
    static let knownMax = 100
    /// More cameras than there are in one place.
    static let announcedMax = 32
    /// A camera without an announcement for this time counts as gone: the search asks every ten seconds.
    static let patience = Duration.seconds(35)

    mutating func begin(with rows: [CameraRow]) {
        let met = known
        known = rows
        for row in met { note(row) }
    }

    mutating func note(_ row: CameraRow) {
        var row = row
        if row.network == nil { row.network = known.first { $0.id == row.id }?.network }
        known.removeAll { $0.id == row.id }
        if known.count >= Self.knownMax { known.removeFirst() }
        known.append(row)
    }

    /// Beyond the limit, announcements without a description are dropped. So a host that pretends to be many cameras
    /// cannot remove those with a description.
    ///
    /// - Returns: whether it was noted.
    mutating func note(_ announcement: Announcement) -> Bool {
        if announced[announcement.name] == nil, announced.count >= Self.announcedMax {
            let empty = announced.values.filter { $0.availability == .undescribed }
            guard let oldest = empty.min(by: { ($0.at, $0.name) < ($1.at, $1.name) }) else { return false }
            announced[oldest.name] = nil
        }
        announced[announcement.name] = announcement
        return true
    }

    mutating func forget(_ name: String) { announced[name] = nil }

    mutating func change(_ name: String, _ change: (inout Announcement) -> Void) {
        guard var announcement = announced[name] else { return }
        change(&announcement)
        announced[name] = announcement
    }

    /// Drops the cameras without an announcement for a long time.
    mutating func forgetSilent(at now: Duration) {
        announced = announced.filter { now - $0.value.at < Self.patience }
    }

    /// The likely addresses of cameras, best first: the wanted camera, then those of this network, the last one first.
    ///
    /// - Parameter joined: the names of the networks of this computer; a camera of another network is left out. Empty:
    ///   not known.
    func addresses(wanted: WantedCamera?, joined: Set<String>) -> [CameraAddress] {
        let near = known.reversed().filter { row in
            guard wanted == nil || row.id == wanted?.id else { return false }
            return joined.isEmpty || row.network.map(joined.contains) ?? true
        }
        return near.compactMap { try? CameraAddress.parse($0.address).get() }
    }

    /// The camera that was connected last at this address.
    func last(at address: CameraAddress) -> CameraRow? {
        let text = address.description
        return known.last { $0.address == text }
    }

    /// The cameras that can be called, in a fixed order.
    var offers: [CameraOffer] {
        announced.values.sorted { $0.name < $1.name }.compactMap(\.offer)
    }
}
