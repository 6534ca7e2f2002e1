import Cameras
import Exposure
import PTP

/// Bodies that were not recorded. Their tables are the recorded table, changed according to documents.
extension SonyPropertyTable {
    /// A full-frame body on a tripod: manual focus, f/8, ISO 100, pictures to host and card.
    static let ilce7M4: [SonyPropertyRecord] = with(
        rx100M7,
        [
            .list(0x5007, .uint16, default: 0xFFFF, current: 800, settable: apertures),
            .list(0x500A, .uint16, current: Int64(SonyFocusMode.manual.rawValue), settable: focusModes),
            .list(0x5010, .int16, current: 0, settable: thirds(upTo: 5).reversed()),
            .list(0x5013, .uint32, current: 1, settable: drives),
            speed(current: SonyShutterSpeed(.onTripod), thirdStops(to: .fastest).map(inWholeSeconds)),
            .list(0xD21E, .uint32, default: 0xFF_FFFF, current: 100, settable: sensitivities),
            .list(0xD222, .uint16, default: 0x11, current: 0x11, settable: [0x01, 0x10, 0x11]),
            .range(0xD249, .uint32, .get, .displayOnly, current: 999, 0, 0xFFFF_FFFF, step: 1),
            .list(0xD252, .uint8, current: 2, settable: [1, 2, 3, 4]),
            .list(0xD253, .uint8, current: 3, settable: [1, 2, 3]),
            .list(0xD256, .uint8, .get, .displayOnly, current: 2),
            .range(0xD257, .uint32, .get, .displayOnly, current: 0, 0, 0xFFFF_FFFF, step: 1),
            .list(0xD269, .uint8, current: 1, settable: [1, 2, 3]),
        ]
    )

    /// A recent body. It reports whether it takes a dark frame (PTP 3 Reference p.354), and has the fastest shutter.
    static let ilce1M2: [SonyPropertyRecord] = with(
        ilce7M4,
        [
            speed(current: SonyShutterSpeed(.onTripod), thirdStops(to: .fastest).map(inWholeSeconds) + beyond),
            .list(0xD15B, .uint8, default: 2, current: 1, settable: [1, 2]),
        ]
    )

    /// The table with changed rows. A row with a new code is added.
    static func with(
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
            default: 0xFFFF_FFFF,
            current: Int64(current.rawValue),
            settable: speeds.map { Int64($0.rawValue) }
        )
    }

    /// BULB, then the third stops from slow to fast, as in the lists of bodies.
    static func thirdStops(to fastest: ShutterSpeed) -> [SonyShutterSpeed] {
        [.bulb] + ShutterSpeed.all.reversed().filter { $0 >= fastest }.map { SonyShutterSpeed($0) }
    }

    /// The speed, with 30″ as 30/1. An ILCE-7M4 has 30/1 at the end of its range, and the current 1/2 as 5/10 (LGD
    /// sony-a7m4). The form in the list of version 3 is not known.
    private static func inWholeSeconds(_ speed: SonyShutterSpeed) -> SonyShutterSpeed {
        let longest = SonyShutterSpeed(rawValue: 0x001E_0001)
        return speed.isSameTime(as: longest) ? longest : speed
    }

    /// The additional speeds of the fastest shutters: 1/10000 to 1/32000 (enumeration of a real RX100 VII).
    static let beyond = [0x2710, 0x3200, 0x3E80, 0x4E20, 0x6400, 0x7D00].map {
        SonyShutterSpeed(rawValue: 0x0001_0000 | $0)
    }

    // MARK: Lists

    /// The f-numbers f/2.8 to f/22, × 100.
    static let apertures: [Int64] = [
        280, 320, 350, 400, 450, 500, 560, 630, 710, 800, 900, 1000, 1100, 1300, 1400, 1600, 1800, 2000, 2200,
    ]

    /// Auto, extended ISO 50 to 80, 100 to 51200 in thirds, extended to 204800, then ISO with multi-frame noise
    /// reduction. The list is as long as the list of a full-frame body.
    static let sensitivities: [Int64] =
        [0xFF_FFFF] + marked(0x1000_0000, [50, 64, 80]) + plainSensitivities
        + marked(0x1000_0000, [64_000, 80_000, 102_400, 128_000, 160_000, 204_800])
        + marked(0x0100_0000, wholeStops) + marked(0x0200_0000, wholeStops)

    static let wholeStops: [Int64] = [
        0xFF_FFFF, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200,
    ]

    static func marked(_ mark: Int64, _ values: [Int64]) -> [Int64] { values.map { mark | $0 } }

    /// ISO 100 to 51200 in thirds.
    static let plainSensitivities: [Int64] = [
        100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_200, 4_000, 5_000,
        6_400, 8_000, 10_000, 12_800, 16_000, 20_000, 25_600, 32_000, 40_000, 51_200,
    ]

    /// Exposure compensation × 1000, from −`stops` to +`stops`, with Sony's rounding of thirds.
    static func thirds(upTo stops: Int64) -> [Int64] {
        let above = (0..<stops).flatMap { (stop: Int64) -> [Int64] in
            [stop * 1_000 + 300, stop * 1_000 + 700, stop * 1_000 + 1_000]
        }
        return above.reversed().map { -$0 } + [0] + above
    }

    /// The drive modes for still pictures in PTP 3 (p.181–186), in the order of a real RX100 VII's list.
    static let drives: [Int64] =
        single + brackets(group: 0x4_0000, thirds: 7, whole: 1) + brackets(group: 0x5_0000, thirds: 6, whole: 0)
        + [0x6_8028, 0x6_8018, 0x7_8029, 0x7_8019]

    private static let single: [Int64] = [
        1, 0x1_0002, 0x1_8010, 0x1_8015, 0x1_8012, 0x9_8030, 0x9_8031, 0x9_8032, 0x3_8004, 0x3_8003, 0x3_8005,
        0x8_8008, 0x8_8009, 0x8_800C, 0x8_800D, 0x8_800E, 0x8_800F,
    ]

    /// The numbers of bracket modes. Their digits are `8 n s k`: `n` pictures with the step `s`. `k` marks the group
    /// and the size of the step.
    private static func brackets(group: Int64, thirds: Int64, whole: Int64) -> [Int64] {
        let small = [0x30 | thirds, 0x50 | thirds, 0x70 | thirds, 0x10 | whole]
        let large = [0x20 | whole, 0x30 | whole]
        return small.flatMap { step in bracket(group | step, [3, 5, 9]) }
            + large.flatMap { step in bracket(group | step, [3, 5]) }
    }

    private static func bracket(_ mark: Int64, _ counts: [Int64]) -> [Int64] {
        counts.map { (count: Int64) -> Int64 in mark | 0x8000 | count << 8 }
    }
}

extension ShutterSpeed {
    /// The speed of a simulated body after power-on: 1/60.
    static let onTripod = all[21]
}
