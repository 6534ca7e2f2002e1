/// A way to drive a camera that was found.
package struct CameraOffer: Hashable, Sendable {
    package var `protocol`: CameraProtocol
    package var address: CameraAddress
    /// As the body calls itself; nil: not known.
    package var name: String?
    /// Of the body, as its driver reports it; nil: not known before it is connected.
    package var id: String?

    package init(_ protocol: CameraProtocol, _ address: CameraAddress, name: String? = nil, id: String? = nil) {
        self.protocol = `protocol`
        self.address = address
        self.name = name
        self.id = id
    }
}

/// What a device's description means.
package enum DeviceFitness: Equatable, Sendable {
    /// It is a camera that can be driven in these ways, the best first.
    case fit([CameraOffer])
    /// It is a camera that cannot be driven as it is; `remark` says why and what to do, in a sentence for people.
    case unfit(remark: String)
}
