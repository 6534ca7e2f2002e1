import PTP

/// A maker of PTP/IP cameras, and how its bodies are recognized.
package struct PTPIPMakerRow: Sendable {
    /// The usual name: `Sony`.
    package var name: String
    /// The prefix of the ids of its bodies: `sony`.
    package var prefix: String
    /// Whether a description is of one of its bodies. The vendor extension id is not reliable over WiFi; the maker's
    /// name is (libgphoto2 library.c).
    package var isMakerOf: @Sendable (DeviceInfo) -> Bool
    /// Its part of the driver.
    package var make: @Sendable (PTPIPCommon) -> any PTPIPMaker
}

extension PTPIPMakerRow {
    /// A maker that is recognized by its name in the description.
    package init(_ name: String, make: @escaping @Sendable (PTPIPCommon) -> any PTPIPMaker) {
        let prefix = name.lowercased()
        self.init(name: name, prefix: prefix, isMakerOf: { $0.isMade(by: prefix) }, make: make)
    }

    package static let sony = sony(SonyTiming())

    /// The same with other delays and limits.
    package static func sony(_ timing: SonyTiming) -> PTPIPMakerRow {
        PTPIPMakerRow("Sony") { SonyPTPIP($0, timing: timing) }
    }

    /// All supported makers of PTP/IP cameras.
    package static let all: [PTPIPMakerRow] = [.sony]
}

extension DeviceInfo {
    fileprivate func isMade(by maker: String) -> Bool { manufacturer.lowercased().contains(maker) }
}
