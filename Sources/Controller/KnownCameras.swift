import Cameras

/// The cameras that were connected before, and those that announced themselves.
struct KnownCameras: Equatable, Sendable {
    /// The cameras in the order of their latest sessions. The most recent camera is at the end.
    private(set) var known: [CameraRow] = []
    /// The SSDP announcements by the name of the body: its UDN, or else its address.
    private(set) var announced: [String: Announcement] = [:]

    struct Announcement: Equatable, Sendable {
        var name: String
        var url: DescriptionURL
        var interface: UInt32
        /// The time of the camera's latest announcement.
        var at: Duration
        /// The time of the latest request for the camera's description.
        var fetchedAt: Duration?
        var availability = Availability.undescribed
        /// The name in the camera's description; empty: the description has no name, or was not read.
        var title = ""
        /// The row of the latest announcement's target; nil: no announcement had a known target.
        var row: DiscoveryTable.SSDPRow?

        /// The protocol and address of the camera; nil: it cannot be probed, or this is not known yet.
        var offer: CameraOffer? { if case .fit(let offer) = availability { offer } else { nil } }
    }

    /// The content of a camera's description.
    enum Availability: Equatable, Sendable {
        /// The description was not read.
        case undescribed
        case fit(CameraOffer)
        /// No driver supports the camera in its present mode.
        case unfit(remark: String)
        /// The camera offers only this protocol, which no driver supports.
        case undriven(protocolName: String)
        /// The device is not a known kind of camera.
        case unknown
    }

    /// The maximum number of known cameras, as in the ledger.
    static let knownMax = 100
    /// The maximum number of announced cameras. A network has fewer cameras than this.
    static let announcedMax = 32
    /// The time after which a camera without an announcement counts as gone.
    ///
    /// This is checked before each search message. In the first two minutes of a search, and for a client that watches
    /// the list, these messages are at most 10 s apart.
    static let silenceMax = Duration.seconds(35)

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

    /// Stores an announcement. In a full list, this replaces the oldest announcement without a description.
    ///
    /// So a host with many false announcements cannot remove a camera whose description was read.
    ///
    /// - Returns: whether the announcement was stored.
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

    /// Removes the cameras whose latest announcement is too old.
    mutating func forgetSilent(at now: Duration) {
        announced = announced.filter { now - $0.value.at < Self.silenceMax }
    }

    /// The addresses of the known cameras, or of the wanted camera only. The most recent camera comes first.
    ///
    /// - Parameter joined: the names of this computer's networks; empty: not known. Cameras on other networks are left
    ///   out.
    func addresses(wanted: WantedCamera?, joined: Set<String>) -> [CameraAddress] {
        let near = known.reversed().filter { row in
            guard wanted == nil || row.id == wanted?.id else { return false }
            return joined.isEmpty || row.network.map(joined.contains) ?? true
        }
        return near.compactMap { try? CameraAddress.parse($0.address).get() }
    }

    /// The camera that was connected most recently at this address.
    func last(at address: CameraAddress) -> CameraRow? {
        let text = address.description
        return known.last { $0.address == text }
    }

    /// The announced cameras that can be probed, in a fixed order.
    var offers: [CameraOffer] { announcements.compactMap(\.offer) }

    /// The maker that an announcement from this host names; nil: no announcement names one.
    func maker(at host: String) -> String? {
        announcements.first { $0.url.host.description == host && $0.row?.maker != nil }?.row?.maker
    }

    private var announcements: [Announcement] { announced.values.sorted { $0.name < $1.name } }
}
