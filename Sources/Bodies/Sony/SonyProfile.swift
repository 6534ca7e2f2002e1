import Cameras
import PTP

/// Property lists of real bodies that were asked for version 2 over USB: every code with its type, its form and its
/// value. A dump does not say whether a property can be set.
enum SonyProfile {
    /// LGD sony-a7m4: aperture priority. 0xD20D is a range, with 30″ as 30/1, and 0xD218 a range from 255 (unknown).
    static let ilce7M4: [SonyPropertyRecord] = [
        choices(0x5004, .uint8, 20, [16, 20, 19, 18, 17, 4, 3, 2, 1]),
        choices(
            0x5005,
            .uint16,
            2,
            [
                2, 4, 0x8011, 0x8010, 6, 0x8001, 0x8002, 0x8003, 0x8004, 7, 0x8030, 0x8012, 0x8020, 0x8021, 0x8022,
            ]
        ),
        span(0x5007, .uint16, 800, from: 560, to: 3200, step: 1),
        choices(0x500A, .uint16, 1),
        choices(0x500B, .uint16, 0x8001, [0x8001, 0x8002, 0x8004, 0x8005, 0x8003, 0x8006]),
        choices(0x500C, .uint16, 3),
        choices(0x5010, .int16, 0),
        choices(0xD200, .int16, 0),
        choices(0xD201, .uint8, 31, [1, 31, 17, 18, 19, 20, 21]),
        choices(0xD203, .uint8, 1, [1, 2, 3]),
        span(0xD20D, .uint32, 0x5_000A, from: 0x1_1F40, to: 0x1E_0001, step: 1),
        choices(0xD20E, .uint8, 14),
        span(0xD20F, .uint16, 5500, from: 2500, to: 9900, step: 100),
        choices(0xD211, .uint8, 1, [1, 3, 2, 4]),
        choices(0xD213, .uint8, 1),
        choices(0xD217, .uint8, 1),
        span(0xD218, .uint8, 80, from: 255, to: 100, step: 1),
        choices(0xD21E, .uint32, 0xFF_FFFF),
        choices(0xD21F, .uint8, 1),
        choices(0xD221, .uint8, 1),
        choices(0xD222, .uint16, 1, [1, 17, 16]),
        choices(0x500E, .uint16, 3),
        choices(
            0x5013,
            .uint16,
            0x8010,
            [
                1, 0x8010, 2, 0x8015, 0x8012, 0x8004, 0x8003, 0x8005, 0x8008, 0x8009, 0x800C, 0x800D, 0x800E, 0x800F,
                0x8337, 0x8537, 0x8937, 0x8357, 0x8557, 0x8957, 0x8377, 0x8577, 0x8977, 0x8311, 0x8511, 0x8911,
                0x8321, 0x8521, 0x8331, 0x8531, 0x8336, 0x8536, 0x8936, 0x8356, 0x8556, 0x8956, 0x8376, 0x8576,
                0x8976, 0x8310, 0x8510, 0x8910, 0x8320, 0x8520, 0x8330, 0x8530, 0x8028, 0x8018, 0x8029, 0x8019,
            ]
        ),
        span(0xD214, .uint32, 0x4CF_A0E0, from: 0, to: 0xFFFF_FFFF, step: 1),
        span(0xD215, .uint16, 0, from: 0, to: 0xFFFF, step: 1),
    ]

    /// LGD sony-zv-e10: in a mode for movies. 0xD224, 0xD226 and 0xD229 are what 0x5010, 0xD21E and 0xD20D show, with
    /// lists of what can be set.
    static let zvE10 = zvE10First + lastRows(d266: 0, d2D1: 3, d2DE: 1)

    private static let zvE10First: [SonyPropertyRecord] = [
        choices(0x5004, .uint8, 3, [3]),
        choices(
            0x5005,
            .uint16,
            2,
            [
                2, 4, 0x8011, 0x8010, 6, 0x8001, 0x8002, 0x8003, 0x8004, 0x8030, 0x8012, 0x8020, 0x8021, 0x8022,
            ]
        ),
        span(0x5007, .uint16, 350, from: 0, to: 0xFFFF, step: 1),
        choices(0x500A, .uint16, 0x8004, [0x8004, 1]),
        choices(0x500B, .uint16, 0x8001, [0x8001, 0x8002, 0x8004, 0x8005, 0x8003, 0x8006]),
        choices(0x500C, .uint16, 2),
        choices(
            0x500E,
            .uint16,
            0x8059,
            [
                2, 3, 4, 1, 0x8050, 0x8051, 0x8052, 0x8053, 0x8054, 0x8059, 0x805A, 0x805B, 0x805C, 0x8000, 0x8001,
                0x8041, 7, 0x8011, 0x8015, 0x8014, 0x8012, 0x8013, 0x8016, 0x8017, 0x8018,
            ]
        ),
        choices(0x5010, .int16, 0),
        choices(0x5013, .uint16, 1, [1]),
        choices(0xD200, .int16, 0),
        choices(0xD201, .uint8, 31, [1, 31, 17, 18, 19, 20, 21]),
        choices(0xD203, .uint8, 1, [1, 2, 3]),
        span(0xD20D, .uint32, 0x1_007D, from: 0, to: 0xFFFF_FFFF, step: 1),
        choices(0xD20E, .uint8, 14),
        span(0xD20F, .uint16, 5500, from: 2500, to: 9900, step: 100),
        span(0xD210, .uint8, 192, from: 164, to: 220, step: 1),
        choices(0xD211, .uint8, 1, [1, 3, 2, 4]),
        choices(0xD213, .uint8, 1),
        span(0xD214, .uint32, 0xFFFF_FFFF, from: 0, to: 0xFFFF_FFFF, step: 1),
        span(0xD215, .uint16, 0, from: 0, to: 0xFFFF, step: 1),
        choices(0xD217, .uint8, 1),
        span(0xD218, .int8, 73, from: -1, to: 100, step: 1),
        choices(
            0xD21B,
            .uint16,
            0x8000,
            [
                0x8000, 0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8010, 0x8020, 0x8021, 0x8030, 0x8040, 0x8050,
                0x8051, 0x8052, 0x8053, 0x8060,
            ]
        ),
        span(0xD21C, .uint8, 192, from: 164, to: 220, step: 2),
        span(0xD21D, .uint8, 0, from: 0, to: 2, step: 1),
        choices(0xD21E, .uint32, 0xFF_FFFF),
        choices(0xD21F, .uint8, 1),
        choices(0xD220, .uint8, 1),
        choices(0xD221, .uint8, 0),
        choices(0xD222, .uint16, 1, [1, 17, 16]),
        choices(0xD224, .int16, 0, [2000, 1700, 1300, 1000, 700, 300, 0, -300, -700, -1000, -1300, -1700, -2000]),
        choices(
            0xD226,
            .uint32,
            0xFF_FFFF,
            [
                0xFF_FFFF, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000,
                5000, 6400, 8000, 10_000, 12_800, 16_000, 20_000, 25_600, 32_000,
            ]
        ),
        choices(0xD227, .uint8, 0),
        choices(0xD228, .uint8, 5),
        choices(
            0xD229,
            .uint32,
            0x1_007D,
            [
                0x1_007D, 0x1_00A0, 0x1_00C8, 0x1_00FA, 0x1_0140, 0x1_0190, 0x1_01F4, 0x1_0280, 0x1_0320, 0x1_03E8,
                0x1_04E2, 0x1_0640, 0x1_07D0, 0x1_09C4, 0x1_0C80, 0x1_0FA0,
            ]
        ),
        choices(0xD22A, .uint8, 1),
        choices(0xD22B, .uint8, 0),
        choices(0xD235, .uint8, 0, [0, 1]),
        choices(0xD23E, .uint8, 0),
        choices(0xD23F, .uint8, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        choices(0xD240, .uint8, 1, [1, 2, 3, 4, 5, 6, 13]),
        choices(0xD241, .uint8, 9, [8, 9]),
        choices(0xD242, .uint16, 1, [1, 24, 2, 26, 3, 28, 30]),
        choices(0xD243, .uint16, 1),
        choices(0xD244, .uint16, 1),
        choices(0xD245, .uint8, 1),
        choices(0xD246, .uint8, 1),
        choices(0xD247, .uint8, 0, [0, 1, 2, 3, 17, 18, 19, 20]),
        choices(0xD248, .uint8, 1),
        span(0xD249, .uint32, 0, from: 0, to: 0xFFFF_FFFF, step: 1),
        span(0xD24A, .uint32, 54_051, from: 0, to: 0xFFFF_FFFF, step: 1),
        choices(0xD24B, .uint8, 0),
        span(0xD24C, .uint8, 100, from: 0, to: 0, step: 1),
        choices(0xD24D, .uint8, 0, [0, 1, 2, 3, 4]),
        choices(0xD24E, .uint16, 1),
        choices(0xD24F, .uint8, 1),
        choices(0xD250, .uint8, 0),
    ]

    /// LGD sony-rx100m7: manual exposure and focus. With the same three properties.
    static let rx100M7 = rx100M7First + lastRows(d266: 1, d2D1: 2, d2DE: 2)

    private static let rx100M7First: [SonyPropertyRecord] = [
        choices(0x5004, .uint8, 3, [16, 20, 19, 18, 4, 3, 2]),
        choices(
            0x5005,
            .uint16,
            2,
            [
                2, 4, 0x8011, 0x8010, 6, 0x8001, 0x8002, 0x8003, 0x8004, 7, 0x8030, 0x8012, 0x8020, 0x8021, 0x8022,
            ]
        ),
        span(0x5007, .uint16, 400, from: 0, to: 0xFFFF, step: 1),
        choices(0x500A, .uint16, 1, [2, 0x8005, 0x8004, 0x8006, 1]),
        choices(0x500B, .uint16, 0x8001, [0x8001, 0x8002, 0x8004, 0x8005, 0x8003, 0x8006]),
        choices(0x500C, .uint16, 3),
        choices(0x500E, .uint16, 1),
        choices(0x5010, .int16, 0),
        choices(
            0x5013,
            .uint16,
            1,
            [
                1, 0x8012, 0x8015, 2, 0x8030, 0x8031, 0x8032, 0x8004, 0x8003, 0x8005, 0x8008, 0x8009, 0x800C, 0x800D,
                0x800E, 0x800F, 0x8337, 0x8537, 0x8937, 0x8377, 0x8577, 0x8977, 0x8311, 0x8511, 0x8911, 0x8321,
                0x8521, 0x8331, 0x8531, 0x8336, 0x8536, 0x8936, 0x8376, 0x8576, 0x8976, 0x8310, 0x8510, 0x8910,
                0x8320, 0x8520, 0x8330, 0x8530, 0x8028, 0x8018, 0x8029, 0x8019,
            ]
        ),
        choices(0xD200, .int16, 0),
        choices(0xD201, .uint8, 31, [1, 31, 17, 18, 19, 20, 21, 32, 33, 34, 35, 36, 37, 38]),
        choices(0xD203, .uint8, 1, [1, 2, 3]),
        span(0xD20D, .uint32, 0x1_0064, from: 0, to: 0xFFFF_FFFF, step: 1),
        choices(0xD20E, .uint8, 15),
        span(0xD20F, .uint16, 5500, from: 2500, to: 9900, step: 100),
        span(0xD210, .uint8, 192, from: 164, to: 220, step: 1),
        choices(0xD211, .uint8, 1, [1, 3, 2, 4]),
        choices(0xD213, .uint8, 1),
        span(0xD214, .uint32, 0xFFFF_FFFF, from: 0, to: 0xFFFF_FFFF, step: 1),
        span(0xD215, .uint16, 0, from: 0, to: 0xFFFF, step: 1),
        choices(0xD217, .uint8, 1),
        span(0xD218, .int8, 70, from: -1, to: 100, step: 1),
        choices(
            0xD21B,
            .uint16,
            0x8000,
            [
                0x8000, 0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8010, 0x8020, 0x8021, 0x8030, 0x8040, 0x8050,
                0x8051, 0x8052, 0x8053, 0x8060, 0x8090, 0x8070, 0x8071, 0x8072, 0x8080, 0x8081, 0x8082, 0x80A0,
                0x80A1, 0x80A2, 0x80A3, 0x80A4, 0x80A5, 0x80A6, 0x80B0, 0x80C0, 0x80C1, 0x80C2,
            ]
        ),
        span(0xD21C, .uint8, 192, from: 164, to: 220, step: 2),
        span(0xD21D, .uint8, 0, from: 0, to: 2, step: 1),
        choices(0xD21E, .uint32, 0xFF_FFFF),
        choices(0xD220, .uint8, 1),
        choices(0xD221, .uint8, 0),
        choices(0xD222, .uint16, 1, [1, 17, 16]),
        choices(
            0xD224,
            .int16,
            0,
            [
                3000, 2700, 2300, 2000, 1700, 1300, 1000, 700, 300, 0, -300, -700, -1000, -1300, -1700, -2000, -2300,
                -2700, -3000,
            ]
        ),
        choices(
            0xD226,
            .uint32,
            0xFF_FFFF,
            [
                0xFF_FFFF, 64, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 2000, 2500,
                3200, 4000, 5000, 6400, 8000, 10_000, 12_800, 0x1FF_FFFF, 0x100_0064, 0x100_00C8, 0x100_0190,
                0x100_0320, 0x100_0640, 0x100_0C80, 0x100_1900, 0x100_3200, 0x100_6400, 0x2FF_FFFF, 0x200_0064,
                0x200_00C8, 0x200_0190, 0x200_0320, 0x200_0640, 0x200_0C80, 0x200_1900, 0x200_3200, 0x200_6400,
            ]
        ),
        choices(0xD227, .uint8, 0),
        choices(0xD228, .uint8, 5, [4, 5]),
        choices(
            0xD229,
            .uint32,
            0x1_0064,
            [
                0, 0x12C_000A, 0xFA_000A, 0xC8_000A, 0x96_000A, 0x82_000A, 0x64_000A, 0x50_000A, 0x3C_000A, 0x32_000A,
                0x28_000A, 0x20_000A, 0x19_000A, 0x14_000A, 0x10_000A, 0xD_000A, 0xA_000A, 0x8_000A, 0x6_000A,
                0x5_000A, 0x4_000A, 0x1_0003, 0x1_0004, 0x1_0005, 0x1_0006, 0x1_0008, 0x1_000A, 0x1_000D, 0x1_000F,
                0x1_0014, 0x1_0019, 0x1_001E, 0x1_0028, 0x1_0032, 0x1_003C, 0x1_0050, 0x1_0064, 0x1_007D, 0x1_00A0,
                0x1_00C8, 0x1_00FA, 0x1_0140, 0x1_0190, 0x1_01F4, 0x1_0280, 0x1_0320, 0x1_03E8, 0x1_04E2, 0x1_0640,
                0x1_07D0, 0x1_09C4, 0x1_0C80, 0x1_0FA0, 0x1_1388, 0x1_1900, 0x1_1F40, 0x1_2710, 0x1_3200, 0x1_3E80,
                0x1_4E20, 0x1_6400, 0x1_7D00,
            ]
        ),
        choices(0xD22A, .uint8, 1),
        choices(0xD22B, .uint8, 0),
        choices(0xD235, .uint8, 1, [0, 1]),
        choices(0xD23E, .uint8, 0),
        choices(0xD23F, .uint8, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        choices(0xD240, .uint8, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]),
        choices(0xD241, .uint8, 9, [8, 9, 3]),
        choices(0xD242, .uint16, 4, [4, 25, 5, 27, 29, 31]),
        choices(0xD243, .uint16, 2, [2, 4]),
        choices(0xD244, .uint16, 2, [2, 4, 6]),
        choices(0xD245, .uint8, 1, [1, 2]),
        choices(0xD246, .uint8, 1, [1, 2, 4]),
        choices(0xD247, .uint8, 0, [0, 1, 2, 3, 17, 18, 19, 20]),
        choices(0xD248, .uint8, 1),
        span(0xD249, .uint32, 0, from: 0, to: 0xFFFF_FFFF, step: 1),
        span(0xD24A, .uint32, 0, from: 0, to: 0xFFFF_FFFF, step: 1),
        choices(0xD24B, .uint8, 0),
        span(0xD24C, .uint8, 100, from: 0, to: 0, step: 1),
        choices(0xD24D, .uint8, 0, [0, 1, 2, 3, 4]),
        choices(0xD24E, .uint16, 1),
        choices(0xD24F, .uint8, 1, [1, 2]),
        choices(0xD250, .uint8, 0),
    ]

    /// The rows from 0xD25B on, which both bodies of version 2 have, with the three values in which they differ.
    private static func lastRows(d266: Int64, d2D1: Int64, d2DE: Int64) -> [SonyPropertyRecord] {
        [
            choices(0xD25B, .uint8, 1, [0, 1]),
            span(0xD25C, .uint32, 1000, from: 1000, to: 1000, step: 100),
            plain(0xD25D, .uint32, 0x100_0000),
            choices(0xD25F, .uint8, 1, [1, 3, 4]),
            choices(0xD260, .uint8, 1),
            choices(0xD265, .uint8, 0),
            choices(0xD266, .uint8, d266, [0, 1]),
            choices(0xD2C1, .uint16, 2, [1, 2]),
            choices(0xD2C2, .uint16, 2, [1, 2]),
            choices(0xD2C3, .uint16, 2, [1, 2]),
            choices(0xD2C5, .uint16, 1, [1, 2]),
            choices(0xD2C7, .uint16, 1, [1, 2]),
            choices(0xD2C8, .uint16, 2, [1, 2]),
            choices(0xD2C9, .uint16, 2, [1, 2]),
            choices(0xD2CA, .uint16, 2, [1, 2]),
            span(0xD2D1, .int16, d2D1, from: -7, to: 7, step: 1),
            choices(0xD2D5, .uint16, 1, [1, 2]),
            choices(0xD2D6, .uint16, 1, [1, 2]),
            choices(0xD2D7, .uint16, 2, [1, 2]),
            choices(0xD2D8, .uint16, 2, [1, 2]),
            choices(0xD2D9, .uint16, 2, [1, 2]),
            span(0xD2DD, .int8, 2, from: -1, to: 1, step: 1),
            choices(0xD2DE, .uint16, d2DE, [1, 2]),
        ]
    }

    /// An enumeration; what is only shown mostly has an empty one.
    private static func choices(
        _ code: UInt16,
        _ type: PTPDataType,
        _ current: Int64,
        _ values: [Int64] = []
    ) -> SonyPropertyRecord {
        .list(code, type, access(values), .enabled, default: 0, current: current, settable: values).withoutSupported
    }

    private static func access(_ values: [Int64]) -> SonyPropertyRecord.Access { values.isEmpty ? .get : .getSet }

    private static func span(
        _ code: UInt16,
        _ type: PTPDataType,
        _ current: Int64,
        from first: Int64,
        to last: Int64,
        step: Int64
    ) -> SonyPropertyRecord {
        .range(code, type, .get, .enabled, default: 0, current: current, first, last, step: step)
    }

    private static func plain(_ code: UInt16, _ type: PTPDataType, _ current: Int64) -> SonyPropertyRecord {
        .plain(code, type, .get, .enabled, default: 0, current: current)
    }
}

extension SonyProfile {
    /// The absolute properties of version 2 and what each stands for (LGD sony-rx100m7, -zv-e10, -a7c, -a7r4).
    static func original(of code: PropertyCode) -> PropertyCode? {
        code == .sonyShutterSpeedVersion2 ? .sonyShutterSpeed : absolutes.first { $0.absolute == code }?.own
    }

    /// Those besides the speed: compensation and sensitivity.
    static let absolutes: [(absolute: PropertyCode, own: PropertyCode)] = [
        (PropertyCode(rawValue: 0xD224), .exposureBiasCompensation), (PropertyCode(rawValue: 0xD226), .sonyISO),
    ]

    /// Properties that cannot be written in version 2: notches move them.
    private static let stepped: Set<PropertyCode> = [.fNumber, .exposureBiasCompensation, .sonyShutterSpeed, .sonyISO]

    /// A profile's rows as a body shows them: codes, types and forms of the profile, values and access of the body.
    ///
    /// - Parameter own: The body's own record of a property.
    static func rows(
        _ profile: [SonyPropertyRecord],
        of own: (PropertyCode) -> SonyPropertyRecord?
    ) -> [SonyPropertyRecord] {
        profile.map { row in
            guard let record = own(original(of: row.code) ?? row.code) else { return row.asControl }
            var row = row
            row.availability = record.availability
            row.getSet = stepped.contains(row.code) ? 0 : original(of: row.code) == nil ? record.getSet : 1
            row.currentValue = value(record.currentValue, as: row.type) ?? row.currentValue
            return row
        }
    }

    /// In a narrower type the low half: version 2 has program and drive in 16 bits, an ILCE-7M4 255 for −1 (LGD).
    private static func value(_ value: PTPValue, as type: PTPDataType) -> PTPValue? {
        guard let number = value.integer else { return nil }
        return PTPValue(number, as: type) ?? PTPValue(number & (1 << (8 * Int64(type.integerSize ?? 8)) - 1), as: type)
    }
}

extension SonyPropertyRecord {
    /// Controls stand among the properties, as buttons (0x81), notches (0x82) and locks (0x83) (log of a ZV-E10,
    /// gphoto2#477).
    fileprivate var asControl: Self {
        guard 0xD2C1...0xD2DE ~= code.rawValue else { return self }
        var record = self
        if case .range = form { record.getSet = 0x82 } else { record.getSet = code.rawValue == 0xD2C5 ? 0x83 : 0x81 }
        return record
    }
}
