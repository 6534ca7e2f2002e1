/// How to control a camera that was found.
package struct CameraOffer: Hashable, Sendable {
    package var `protocol`: CameraProtocol
    package var address: CameraAddress
    /// The path of the service at this address. Empty: the usual path, or the protocol has no paths.
    package var path: String
    /// The body's own name; nil: not known.
    package var name: String?
    /// The id that the body's driver reports; nil: not known before the first connection.
    package var id: String?
    /// The prefix of the maker's ids: `canon`; nil: not known. The maker decides what a rejected connection means.
    package var maker: String?

    package init(
        _ protocol: CameraProtocol,
        _ address: CameraAddress,
        path: String = "",
        name: String? = nil,
        id: String? = nil,
        maker: String? = nil
    ) {
        self.protocol = `protocol`
        self.address = address
        self.path = path
        self.name = name
        self.id = id
        self.maker = maker ?? id.flatMap(Self.maker(ofID:))
    }

    /// The prefix of an id; nil: the id has none.
    package static func maker(ofID id: String) -> String? { id.firstIndex(of: ":").map { String(id[..<$0]) } }
}

/// The result of reading a device's description.
package enum DeviceFitness: Equatable, Sendable {
    /// The camera can be controlled in these ways, the best first.
    case fit([CameraOffer])
    /// The camera's mode does not allow control. `remark` is a sentence for the user: the reason and what to do.
    case unfit(remark: String)
}
