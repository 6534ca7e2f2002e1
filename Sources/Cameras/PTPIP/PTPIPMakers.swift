import PTP

/// A maker of PTP/IP cameras, and the rule that recognizes its bodies.
package struct PTPIPMakerRow: Sendable {
    /// The usual name: `Sony`.
    package var name: String
    /// The prefix of the ids of its bodies: `sony`.
    package var prefix: String
    /// Whether a description belongs to a body of this maker. Over WiFi the maker's name is reliable, but the vendor
    /// extension id is not (libgphoto2 library.c).
    package var isMakerOf: @Sendable (DeviceInfo) -> Bool
    /// Creates the maker's part of the driver.
    package var make: @Sendable (PTPIPCommon) -> any PTPIPMaker
}

extension PTPIPMakerRow {
    /// A maker that is recognized by its name in the description.
    package init(_ name: String, make: @escaping @Sendable (PTPIPCommon) -> any PTPIPMaker) {
        let prefix = name.lowercased()
        self.init(name: name, prefix: prefix, isMakerOf: { $0.isMade(by: prefix) }, make: make)
    }

    package static let sony = sony(SonyTiming())

    /// Sony with these delays and limits.
    package static func sony(_ timing: SonyTiming) -> PTPIPMakerRow {
        PTPIPMakerRow("Sony") { SonyPTPIP($0, timing: timing) }
    }

    /// All supported makers of PTP/IP cameras.
    package static let all: [PTPIPMakerRow] = [.sony]
}

extension DeviceInfo {
    fileprivate func isMade(by maker: String) -> Bool { manufacturer.lowercased().contains(maker) }
}
