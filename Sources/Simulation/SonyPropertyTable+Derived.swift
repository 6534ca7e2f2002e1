import Cameras
import Exposure
import PTP

/// Bodies of which there is no capture: the captured one, changed where their documents say so.
extension SonyPropertyTable {
    /// A tripod photographer's full-frame body: manual focus, f/8, ISO 100, pictures to host and card.
    static let ilce7M4: [SonyPropertyRecord] = with(
        rx100M7,
        [
            .list(
                0x5007,
                .uint16,
                .getSet,
                .enabled,
                default: 0xFFFF,
                current: 800,
                settable: [
                    280, 320, 350, 400, 450, 500, 560, 630, 710, 800, 900, 1000, 1100, 1300, 1400, 1600, 1800, 2000,
                ]
            ),
            .list(
                0x500A,
                .uint16,
                .getSet,
                .enabled,
                default: 0,
                current: Int64(SonyFocusMode.manual.rawValue),
                settable: [2, 0x8005, 0x8004, 0x8006, 1]
            ),
            speed(current: SonyShutterSpeed(.onTripod), thirdStops(to: .fastest)),
            .list(
                0xD21E,
                .uint32,
                .getSet,
                .enabled,
                default: 0xFF_FFFF,
                current: 100,
                settable: [
                    0xFF_FFFF, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1600, 3200, 6400, 12_800, 25_600,
                ]
            ),
            .list(0xD222, .uint16, .getSet, .enabled, default: 0x11, current: 0x11, settable: [0x01, 0x10, 0x11]),
            .range(0xD249, .uint32, .get, .displayOnly, default: 0, current: 999, 0, 0xFFFF_FFFF, step: 1),
            .list(0xD256, .uint8, .get, .displayOnly, default: 0, current: 2),
            .range(0xD257, .uint32, .get, .displayOnly, default: 0, current: 0, 0, 0xFFFF_FFFF, step: 1),
        ]
    )

    /// A newest body: it says whether it takes a dark frame (PTP 3 Reference p.354), and has the fastest shutter.
    static let ilce1M2: [SonyPropertyRecord] = with(
        ilce7M4,
        [
            speed(current: SonyShutterSpeed(.onTripod), thirdStops(to: .fastest) + beyond),
            .list(0xD15B, .uint8, .getSet, .enabled, default: 2, current: 1, settable: [1, 2]),
        ]
    )

    /// The table with rows replaced, and those added that it did not have.
    private static func with(
        _ table: [SonyPropertyRecord],
        _ changes: [SonyPropertyRecord]
    ) -> [SonyPropertyRecord] {
        var table = table
        for change in changes {
            if let index = table.firstIndex(where: { $0.code == change.code }) {
                table[index] = change
            } else {
                table.append(change)
            }
        }
        return table
    }

    private static func speed(current: SonyShutterSpeed, _ speeds: [SonyShutterSpeed]) -> SonyPropertyRecord {
        .list(
            0xD20D,
            .uint32,
            .getSet,
            .enabled,
            default: 0xFFFF_FFFF,
            current: Int64(current.rawValue),
            settable: speeds.map { Int64($0.rawValue) }
        )
    }

    /// BULB, then the third stops, slow to fast, as bodies list them.
    private static func thirdStops(to fastest: ShutterSpeed) -> [SonyShutterSpeed] {
        [.bulb] + ShutterSpeed.all.reversed().filter { $0 >= fastest }.map { SonyShutterSpeed($0) }
    }

    /// What the fastest shutters add: 1/10000 to 1/32000 (enumeration of a real RX100 VII).
    private static let beyond = [0x2710, 0x3200, 0x3E80, 0x4E20, 0x6400, 0x7D00].map {
        SonyShutterSpeed(rawValue: 0x0001_0000 | $0)
    }
}

extension ShutterSpeed {
    /// Where a simulated body's speed stands after power-on: 1/60.
    fileprivate static let onTripod = all[21]
}
