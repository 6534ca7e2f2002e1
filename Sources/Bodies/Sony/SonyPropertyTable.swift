import Cameras
import Exposure
import PTP

/// The properties of a real DSC-RX100M7 on phone WiFi with the dial at M, in the body's order (rocc
/// `PTPFlow_Sony_Connect.json`). The encoded table is byte for byte the recorded 0x9209 dataset.
enum SonyPropertyTable {
    static let rx100M7: [SonyPropertyRecord] = basic + picture + status + rest

    private static let basic: [SonyPropertyRecord] = [
        .list(0x5005, .uint16, current: 2, settable: whiteBalances),  // white balance
        .list(0x5007, .uint16, default: 0xFFFF, current: 280, settable: apertures.filter { $0 <= 1_100 }),  // × 100
        .list(0x500A, .uint16, current: 0x8005, settable: focusModes),  // focus mode
        .list(0x500B, .uint16, current: 0x8001, settable: meterings),  // metering
        // flash
        .list(0x500C, .uint16, current: 2, settable: [2, 3, 0x8001, 0x8003], supported: [2, 1, 3, 0x8001, 0x8003]),
        // exposure program
        .list(
            0x500E,
            .uint32,
            .getSet,
            .displayOnly,
            current: 1,
            settable: [],
            supported: [
                0x10002, 0x20003, 0x30004, 1, 0x78050, 0x78051, 0x78052, 0x78053, 0x48000, 0x48001, 0x88080, 0x88081,
                0x88082, 0x88083, 0x68041, 7, 0x58011, 0x58015, 0x58014, 0x58012, 0x58013, 0x58016, 0x58017, 0x58018,
                0x58019, 0x5801A, 0x5801B, 0x5801C,
            ]
        ),
        .list(0x5010, .int16, current: 0, settable: thirds(upTo: 3).reversed()),  // exposure compensation × 1000
        .list(0x5013, .uint32, current: 1, settable: compactDrives),  // drive mode
        .list(0xD200, .int16, current: 0, settable: thirds(upTo: 3).reversed()),  // flash compensation × 1000
        .list(0xD201, .uint8, current: 31, settable: dynamicRanges),
        .list(0xD203, .uint8, current: 1, settable: [1, 2, 3], supported: [1, 2, 3, 25]),  // image size
        .list(0xD20D, .uint32, default: 0xFFFFFFFF, current: 0x1000F, settable: compactSpeeds),  // shutter speed
    ]

    private static let picture: [SonyPropertyRecord] = [
        .list(0xD20E, .uint8, .get, current: 7),  // battery indicator
        .range(0xD20F, .uint16, .getSet, .disabled, current: 0x157C, 2500, 0x26AC, step: 100),  // colour temperature
        .range(0xD210, .uint8, current: 192, 164, 220, step: 1),
        .list(0xD211, .uint8, current: 1, settable: [1, 3, 2, 4]),  // aspect
        .list(0xD213, .uint8, .get, current: 1),  // focus indication
        .range(0xD214, .uint32, .get, default: 0xFFFFFFFF, current: 0xFFFFFFFF, 0, 0xFFFFFFFF, step: 1),
        .range(0xD215, .uint16, .get, current: 0, 0, 0xFFFF, step: 1),  // shooting file info
        .list(0xD217, .uint8, .get, current: 1),
        .range(0xD218, .int8, .get, .disabled, current: 70, -1, 100, step: 1),  // battery percent
        .list(0xD21B, .uint16, current: 0x8000, settable: pictureEffects),
        .range(0xD21C, .uint8, current: 192, 164, 220, step: 2),
        .range(0xD21D, .uint8, .get, .displayOnly, current: 0, 0, 2, step: 1),  // movie state
        .list(0xD21E, .uint32, default: 0xFFFFFF, current: 0xFFFFFF, settable: compactSensitivities),  // ISO
        .list(0xD221, .uint8, .get, current: 1),  // live view status
        .list(0xD222, .uint16, .getSet, .displayOnly, current: 1),  // save target
        .text(0xD223, current: ""),  // clock, write only
        .list(0xD22A, .uint8, .get, .disabled, current: 1),  // high frame rate state
        .list(
            0xD22C,
            .uint16,
            current: 1,
            settable: [1, 2, 3, 257, 258, 259, 260],
            supported: [1, 2, 3, 257, 258, 259, 260, 513, 514, 515, 516, 517, 518, 519]
        ),
    ]

    private static let status: [SonyPropertyRecord] = [
        .list(0xD231, .uint8, current: 1, settable: [1, 2]),
        .list(0xD235, .uint8, .get, .disabled, current: 0, settable: [0, 1]),
        .list(0xD236, .uint8, .get, current: 1, settable: [0, 1]),
        .list(0xD239, .uint8, .get, .disabled, current: 0),
        .list(0xD23A, .uint16, .getSet, .disabled, default: 1, current: 4),
        .list(0xD23B, .uint16, .getSet, .disabled, current: 0xFFFF),
        .list(0xD23C, .uint8, .get, .disabled, current: 0),
        .list(0xD23D, .uint16, .get, .disabled, default: 1, current: 1),
        .list(0xD23E, .uint8, .getSet, .disabled, current: 0),
        .list(0xD23F, .uint8, current: 0, settable: Array(0...10)),
        .list(0xD240, .uint8, current: 1, settable: Array(1...19)),
        .list(0xD241, .uint8, current: 9, settable: [8, 9, 3]),
        .list(0xD242, .uint16, current: 4, settable: [4, 25, 5, 27, 29, 31]),
        .list(0xD243, .uint16, current: 2, settable: [2, 4]),
        .list(0xD244, .uint16, current: 2, settable: [2, 4, 6]),
        .list(0xD245, .uint8, current: 1, settable: [1, 2]),
        .list(0xD246, .uint8, current: 1, settable: [1, 2, 4]),
        .list(0xD247, .uint8, current: 0, settable: [0, 1, 2, 3, 17, 18, 19, 20]),
    ]

    private static let rest: [SonyPropertyRecord] = [
        .list(0xD248, .uint8, .get, .displayOnly, current: 1),  // slot 1 status
        .range(0xD249, .uint32, .get, .displayOnly, current: 116, 0, 0xFFFFFFFF, step: 1),  // slot 1 shots left
        .range(0xD24A, .uint32, .get, .disabled, current: 0, 0, 0xFFFFFFFF, step: 1),
        .range(0xD24C, .uint8, .get, .displayOnly, current: 100, 0, 0, step: 1),  // focus position
        .list(0xD24E, .uint16, .get, current: 1),
        .list(0xD24F, .uint8, current: 1, settable: [1, 2]),
        .list(0xD250, .uint8, .get, current: 0),
        .range(0xD251, .uint8, .get, .displayOnly, current: 0, 0, 2, step: 1),  // overheating
        .list(0xD252, .uint8, current: 2, settable: [1, 2, 3]),  // JPEG quality
        .list(0xD253, .uint8, current: 3, settable: [1, 2, 3]),  // still format
        .list(0xD254, .uint64, current: 0x14000F0, settable: [0xFFFFFFFF, 0xAFFFFFFFF, 0x35FFFFFFFF, 0x6BFFFFFFFF]),
        .list(0xD255, .uint8, current: 3, settable: [5, 4, 3, 2, 1]),
        .list(0xD259, .uint8, .getSet, .displayOnly, current: 1),
        .list(0xD25A, .uint8, current: 0, settable: [0, 1]),  // position key
        .list(0xD25B, .uint8, .get, current: 1, settable: [0, 1]),  // zoom enabled
        .range(0xD25C, .uint32, .getSet, .disabled, current: 1000, 1000, 1000, step: 100),
        .plain(0xD25D, .uint32, .get, current: 0x1000000),  // zoom bar
        .list(0xD25F, .uint8, current: 1, settable: [1, 3, 4]),  // zoom setting
        .list(0xD260, .uint8, .get, .disabled, current: 1),
        .range(0xD261, .uint32, .get, .disabled, current: 0, 0, 0xFFFFFFFF, step: 1),
        .list(0xD262, .uint8, .getSet, .disabled, current: 0),
        .list(0xD263, .uint8, current: 0, settable: [1, 0]),
        .list(0xD264, .uint8, .get, current: 0),
        .range(0xD267, .uint32, .get, current: 0, 0, 0x28001E0, step: 1),
        .list(0xD269, .uint8, .getSet, .disabled, current: 3),  // which of RAW+JPEG goes to the host
        .list(0xD26A, .uint8, default: 1, current: 1, settable: [1, 2]),  // live view quality
        .list(0xD271, .uint8, .get, .disabled, current: 0, settable: [0, 1]),
        .list(0xD272, .uint8, .get, .disabled, current: 0, settable: [0, 1]),
        .list(0xD273, .uint8, .get, .disabled, current: 0),
        .text(
            0xD278,
            .get,
            .displayOnly,
            current: "http://192.168.122.1:60152/liveviewstream?%211234%21%2a%3a%2a%3aimage%2fjpeg%3a%2a%21%21%21%21%21"
        ),  // live view URL
    ]

    // MARK: Lists

    static let whiteBalances: [Int64] = [
        2, 4, 0x8011, 0x8010, 6, 0x8001, 0x8002, 0x8003, 0x8004, 7, 0x8030, 0x8012, 0x8020, 0x8021, 0x8022,
    ]
    static let focusModes: [Int64] = [2, 0x8005, 0x8004, 0x8006, 1]
    static let meterings: [Int64] = [0x8001, 0x8002, 0x8004, 0x8005, 0x8003, 0x8006]
    static let dynamicRanges: [Int64] = [1, 31, 17, 18, 19, 20, 21, 32, 33, 34, 35, 36, 37, 38]

    static let pictureEffects: [Int64] = [
        0x8000, 0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8010, 0x8020, 0x8021, 0x8030, 0x8040, 0x8050, 0x8051, 0x8052,
        0x8053, 0x8060, 0x8090, 0x8070, 0x8071, 0x8072, 0x8080, 0x8081, 0x8082, 0x80A0, 0x80A1, 0x80A2, 0x80A3, 0x80A4,
        0x80A5, 0x80A6, 0x80B0, 0x80C0, 0x80C1, 0x80C2,
    ]

    /// BULB, then 30″ to 1/32000.
    static let compactSpeeds = (thirdStops(to: .fastest) + beyond).map { Int64($0.rawValue) }

    static let compactDrives: [Int64] = [
        1, 0x18012, 0x18015, 0x10002, 0x98030, 0x98031, 0x98032, 0x38004, 0x38003, 0x38005, 0x88008, 0x88009, 0x8800C,
        0x8800D, 0x8800E, 0x8800F, 0x48337, 0x48537, 0x48937, 0x48377, 0x48577, 0x48977, 0x48311, 0x48511, 0x48911,
        0x48321, 0x48521, 0x48331, 0x48531, 0x58336, 0x58536, 0x58936, 0x58376, 0x58576, 0x58976, 0x58310, 0x58510,
        0x58910, 0x58320, 0x58520, 0x58330, 0x58530, 0x68028, 0x68018, 0x78029, 0x78019,
    ]

    /// Auto, extended ISO 64 and 80, 100 to 12800, then ISO with multi-frame noise reduction.
    static let compactSensitivities: [Int64] =
        [0xFF_FFFF] + marked(0x1000_0000, [64, 80]) + plainSensitivities.filter { $0 <= 12_800 }
        + [0x100_0000, 0x200_0000].flatMap { marked($0, wholeStops.filter { $0 <= 25_600 || $0 == 0xFF_FFFF }) }
}
