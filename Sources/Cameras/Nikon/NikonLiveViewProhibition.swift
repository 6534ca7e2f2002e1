import PTP

/// Property 0xD1A4: why live view cannot start now. The meanings are those of libgphoto2 library.c.
package struct NikonLiveViewProhibition: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A P1100 reports all bits although live view can start (a measurement protocol of SnapBridge).
    private static let freeOnCompacts: UInt32 = 0xFFFF_FFFF
    /// The lens is not extended. Live view starts nevertheless.
    private static let lensRetracted: UInt32 = 1 << 24

    /// Whether live view can start.
    package var isFree: Bool { rawValue == Self.freeOnCompacts || rawValue & ~Self.lensRetracted == 0 }

    /// The reasons in short words; empty: live view can start. An unknown reason is the number of its bit.
    package var reasons: [String] {
        guard !isFree else { return [] }
        return (0..<UInt32.bitWidth).compactMap { bit in
            let mask: UInt32 = 1 << bit
            guard rawValue & mask != 0, mask != Self.lensRetracted else { return nil }
            return Self.names[bit] ?? "bit \(bit)"
        }
    }

    private static let names: [Int: String] = [
        2: "sequence error", 4: "button pressed", 5: "aperture ring not at minimum", 8: "battery low",
        9: "TTL error", 12: "unread picture in memory", 14: "no card", 15: "shooting in progress",
        17: "temperature too high", 18: "card write-protected", 19: "card error", 20: "card not formatted",
        21: "Bulb is set", 22: "mirror is up", 31: "mode is not P, S, A or M",
    ]
}
