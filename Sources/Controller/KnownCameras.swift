import Cameras

/// The cameras that were connected before, and those that announced themselves.
struct KnownCameras: Equatable, Sendable {
    /// The one that was connected last comes last.
    private(set) var known: [CameraRow] = []
    /// What came by SSDP, by the body's own name for itself: its UDN, else its address.
    private(set) var announced: [String: Announcement] = [:]

    /// A camera that announced itself.
    struct Announcement: Equatable, Sendable {
        var name: String
        var url: DescriptionURL
        var interface: UInt32
        /// When its last announcement came.
        var at: Duration
        /// When its description was asked for last.
        var fetchedAt: Duration?
        var standing = Standing.undescribed

        /// How it can be called; nil: it is no camera that can be called, or that is not known yet.
        var offer: CameraOffer? { if case .fit(let offer, _) = standing { offer } else { nil } }
    }

    /// What a description says of a camera, under the name that it has there.
    enum Standing: Equatable, Sendable {
        /// Its description was not read.
        case undescribed
        case fit(CameraOffer, name: String)
        /// It cannot be driven as it is.
        case unfit(remark: String, name: String)
        /// It offers nothing but this protocol, which no driver speaks.
        case undriven(protocolName: String, name: String)
        /// No camera that we know of.
        case unknown(name: String)

        /// Empty: not told.
        var name: String {
            switch self {
            case .undescribed: ""
            case .fit(_, let name), .unfit(_, let name), .undriven(_, let name), .unknown(let name): name
            }
        }
    }

    /// As many as the ledger keeps.
    static let knownMax = 100
    /// More cameras than there are in one place.
    static let announcedMax = 32
    /// A camera that announced nothing for so long is gone: cameras are asked every ten seconds.
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

    /// Where there are too many, those that only the name is known of make room. A host that pretends to be many
    /// cameras cannot make the finder forget those that described themselves.
    ///
    /// - Returns: whether it was noted.
    mutating func note(_ announcement: Announcement) -> Bool {
        if announced[announcement.name] == nil, announced.count >= Self.announcedMax {
            let empty = announced.values.filter { $0.standing == .undescribed }
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

    /// Forgets the cameras that announced nothing for long.
    mutating func forgetSilent(at now: Duration) {
        announced = announced.filter { now - $0.value.at < Self.patience }
    }

    /// Where cameras may be, the likeliest first: the wanted one, then those of this network, the last one first.
    ///
    /// - Parameter joined: the names of the networks that this computer is on; a camera of another one is not there.
    ///   Empty: not known.
    func addresses(wanted: WantedCamera?, joined: Set<String>) -> [CameraAddress] {
        let near = known.reversed().filter { row in
            guard wanted == nil || row.id == wanted?.id else { return false }
            return joined.isEmpty || row.network.map(joined.contains) ?? true
        }
        return near.compactMap { try? CameraAddress.parse($0.address).get() }
    }

    /// Those that can be called, in a fixed order.
    var offers: [CameraOffer] {
        announced.values.sorted { $0.name < $1.name }.compactMap(\.offer)
    }
}
