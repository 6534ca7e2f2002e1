/// How a camera is controlled over the network. A name and no enum: a protocol is added by a row of ``CameraDrivers``.
package struct CameraProtocol: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
    /// Lower case, without spaces: it stands in recordings.
    package let rawValue: String

    /// The protocol with this name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// PTP over TCP (CIPA DC-005), on port 15740.
    package static let ptpip = Self(rawValue: "ptpip")

    package var description: String { rawValue }
}
