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
    /// What a body of this maker means by Init_Fail 1.
    package var rejection = Refusal.unpaired
    /// The beginnings of the names in Init_Command_Ack. A user can change the name, so another name proves nothing.
    package var namePrefixes: [String] = []
    package var needs = PTPIPConnectionNeeds()
    /// Creates the maker's part of the driver.
    package var make: @Sendable (PTPIPCommon) -> any PTPIPMaker
}

extension PTPIPMakerRow {
    /// A maker that is recognized by its name in the description.
    package init(
        _ name: String,
        rejection: Refusal = .unpaired,
        namePrefixes: [String] = [],
        needs: PTPIPConnectionNeeds = PTPIPConnectionNeeds(),
        make: @escaping @Sendable (PTPIPCommon) -> any PTPIPMaker
    ) {
        let prefix = name.lowercased()
        let isMakerOf = { @Sendable (info: DeviceInfo) in info.isMade(by: prefix) }
        self.init(
            name: name,
            prefix: prefix,
            isMakerOf: isMakerOf,
            rejection: rejection,
            namePrefixes: namePrefixes,
            needs: needs,
            make: make
        )
    }

    package static let sony = sony(SonyTiming())

    /// Sony with these delays and limits.
    package static func sony(_ timing: SonyTiming) -> PTPIPMakerRow {
        PTPIPMakerRow("Sony", namePrefixes: ["ILCE-", "ILME-", "ILX-", "DSC-", "ZV-"]) {
            SonyPTPIP($0, timing: timing)
        }
    }

    package static let canon = canon(CanonTiming())

    /// Canon with these delays and limits. Bodies write their maker as "Canon Inc." or "Canon.Inc".
    package static func canon(_ timing: CanonTiming) -> PTPIPMakerRow {
        PTPIPMakerRow(
            "Canon",
            rejection: .notWaiting(CanonSessionSentences.notWaiting),
            namePrefixes: ["Canon", "EOS", "PowerShot"]
        ) {
            CanonPTPIP($0, timing: timing)
        }
    }

    package static let nikon = nikon(NikonTiming())

    /// Nikon with these delays and limits.
    package static func nikon(_ timing: NikonTiming) -> PTPIPMakerRow {
        PTPIPMakerRow(
            "Nikon",
            rejection: .notWaiting(NikonSessionSentences.notWaiting),
            namePrefixes: ["NIKON"],
            needs: .nikon
        ) {
            NikonPTPIP($0, timing: timing)
        }
    }

    /// All supported makers of PTP/IP cameras.
    package static let all: [PTPIPMakerRow] = [.sony, .canon, .nikon]
}

extension DeviceInfo {
    fileprivate func isMade(by maker: String) -> Bool { manufacturer.lowercased().contains(maker) }
}
