/// The network protocol that controls a camera. A struct, so that a row of ``CameraDrivers`` can add a protocol.
package struct CameraProtocol: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
    /// The name in lower case, without spaces. Recordings contain this name.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// PTP over TCP (CIPA DC-005), on port 15740.
    package static let ptpip = Self(rawValue: "ptpip")

    package var description: String { rawValue }
}
