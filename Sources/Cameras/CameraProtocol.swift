/// How a camera is controlled over the network. A name and not an enum: a row of ``CameraDrivers`` adds a protocol.
package struct CameraProtocol: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
    /// Lower case, without spaces: recordings contain it.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// PTP over TCP (CIPA DC-005), on port 15740.
    package static let ptpip = Self(rawValue: "ptpip")

    package var description: String { rawValue }
}
