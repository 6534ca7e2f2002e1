import Cameras
import PTP

/// Property lists of real bodies in version 2 over USB: every code with type, form and value. The dumps do not show
/// whether a property is writable.
enum SonyProfile {
    /// LGD sony-a7m4, in aperture priority. 0xD20D is a range with 30″ as 30/1. 0xD218 is a range from 255 (unknown).
    static let ilce7M4: [SonyPropertyRecord] = [
        choices(0x5004, .uint8, 20, [16, 20, 19, 18, 17, 4, 3, 2, 1]),
        choices(0x5005, .uint16, 2, Table.whiteBalances),
        span(0x5007, .uint16, 800, from: 560, to: 3200, step: 1),
        choices(0x500A, .uint16, 1),
        choices(0x500B, .uint16, 0x8001, Table.meterings),
        choices(0x500C, .uint16, 3),
        choices(0x5010, .int16, 0),
        choices(0xD200, .int16, 0),
        choices(0xD201, .uint8, 31, Array(Table.dynamicRanges.prefix(7))),
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
                0x8337, 0x8537, 0x8937, 0x8357, 0x8557, 0x8957, 0x8377, 0x8577, 0x8977, 0x8311, 0x8511, 0x8911, 0x8321,
                0x8521, 0x8331, 0x8531, 0x8336, 0x8536, 0x8936, 0x8356, 0x8556, 0x8956, 0x8376, 0x8576, 0x8976, 0x8310,
                0x8510, 0x8910, 0x8320, 0x8520, 0x8330, 0x8530, 0x8028, 0x8018, 0x8029, 0x8019,
            ]
        ),
        span(0xD214, .uint32, 0x4CF_A0E0, from: 0, to: 0xFFFF_FFFF, step: 1),
        span(0xD215, .uint16, 0, from: 0, to: 0xFFFF, step: 1),
    ]

    /// LGD sony-zv-e10, in a movie mode. 0xD224, 0xD226 and 0xD229 repeat 0x5010, 0xD21E and 0xD20D, with lists of
    /// writable values.
    static let zvE10: [SonyPropertyRecord] =
        [
            choices(0x5004, .uint8, 3, [3]),
            choices(0x5005, .uint16, 2, Table.whiteBalances.filter { $0 != 7 }),
            span(0x5007, .uint16, 350, from: 0, to: 0xFFFF, step: 1),
            choices(0x500A, .uint16, 0x8004, [0x8004, 1]),
            choices(0x500B, .uint16, 0x8001, Table.meterings),
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
            choices(0xD201, .uint8, 31, Array(Table.dynamicRanges.prefix(7))),
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
            choices(0xD21B, .uint16, 0x8000, Array(Table.pictureEffects.prefix(16))),
            span(0xD21C, .uint8, 192, from: 164, to: 220, step: 2),
            span(0xD21D, .uint8, 0, from: 0, to: 2, step: 1),
            choices(0xD21E, .uint32, 0xFF_FFFF),
            choices(0xD21F, .uint8, 1),
            choices(0xD220, .uint8, 1),
            choices(0xD221, .uint8, 0),
            choices(0xD222, .uint16, 1, [1, 17, 16]),
            choices(0xD224, .int16, 0, Table.thirds(upTo: 2).reversed()),
            choices(0xD226, .uint32, 0xFF_FFFF, [0xFF_FFFF] + Table.plainSensitivities.filter { $0 <= 32_000 }),
            choices(0xD227, .uint8, 0),
            choices(0xD228, .uint8, 5),
            choices(0xD229, .uint32, 0x1_007D, Table.compactSpeeds.filter { (0x1_007D...0x1_0FA0).contains($0) }),
            choices(0xD22A, .uint8, 1),
            choices(0xD22B, .uint8, 0),
            choices(0xD235, .uint8, 0, [0, 1]),
            choices(0xD23E, .uint8, 0),
            choices(0xD23F, .uint8, 0, Array(0...10)),
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
        ] + zvE10Last

    private static let zvE10Last: [SonyPropertyRecord] =
        [
            choices(0xD25B, .uint8, 1, [0, 1]),
            span(0xD25C, .uint32, 1000, from: 1000, to: 1000, step: 100),
            .plain(0xD25D, .uint32, .get, current: 0x100_0000),
            choices(0xD25F, .uint8, 1, [1, 3, 4]),
            choices(0xD260, .uint8, 1),
            choices(0xD265, .uint8, 0),
            choices(0xD266, .uint8, 0, [0, 1]),
        ] + zvE10Buttons.flatMap { $0 }

    private static let zvE10Buttons: [[SonyPropertyRecord]] = [
        buttons(2, 0xD2C1, 0xD2C2, 0xD2C3), buttons(1, 0xD2C5, 0xD2C7), buttons(2, 0xD2C8, 0xD2C9, 0xD2CA),
        [span(0xD2D1, .int16, 3, from: -7, to: 7, step: 1)], buttons(1, 0xD2D5, 0xD2D6),
        buttons(2, 0xD2D7, 0xD2D8, 0xD2D9), [span(0xD2DD, .int8, 2, from: -1, to: 1, step: 1)], buttons(1, 0xD2DE),
    ]

    /// LGD sony-rx100m7, in manual exposure and focus. The rows are those of the ZV-E10 without 0xD21F and with these
    /// changes.
    static let rx100M7 = Table.with(
        zvE10.filter { $0.code.rawValue != 0xD21F },
        [
            choices(0x5004, .uint8, 3, [16, 20, 19, 18, 4, 3, 2]),
            choices(0x5005, .uint16, 2, Table.whiteBalances),
            span(0x5007, .uint16, 400, from: 0, to: 0xFFFF, step: 1),
            choices(0x500A, .uint16, 1, Table.focusModes),
            choices(0x500C, .uint16, 3),
            choices(0x500E, .uint16, 1),
            choices(0x5013, .uint16, 1, Table.compactDrives.map { $0 & 0xFFFF }),
            choices(0xD201, .uint8, 31, Table.dynamicRanges),
            span(0xD20D, .uint32, 0x1_0064, from: 0, to: 0xFFFF_FFFF, step: 1),
            choices(0xD20E, .uint8, 15),
            span(0xD218, .int8, 70, from: -1, to: 100, step: 1),
            choices(0xD21B, .uint16, 0x8000, Table.pictureEffects),
            choices(0xD224, .int16, 0, Table.thirds(upTo: 3).reversed()),
            choices(0xD226, .uint32, 0xFF_FFFF, Table.compactSensitivities.map { $0 & 0xFFF_FFFF }),
            choices(0xD228, .uint8, 5, [4, 5]),
            choices(0xD229, .uint32, 0x1_0064, Table.compactSpeeds),
            choices(0xD235, .uint8, 1, [0, 1]),
            choices(0xD240, .uint8, 1, Array(1...19)),
            choices(0xD241, .uint8, 9, [8, 9, 3]),
            choices(0xD242, .uint16, 4, [4, 25, 5, 27, 29, 31]),
            choices(0xD243, .uint16, 2, [2, 4]),
            choices(0xD244, .uint16, 2, [2, 4, 6]),
            choices(0xD245, .uint8, 1, [1, 2]),
            choices(0xD246, .uint8, 1, [1, 2, 4]),
            span(0xD24A, .uint32, 0, from: 0, to: 0xFFFF_FFFF, step: 1),
            choices(0xD24F, .uint8, 1, [1, 2]),
            choices(0xD266, .uint8, 1, [0, 1]),
            span(0xD2D1, .int16, 2, from: -7, to: 7, step: 1),
            choices(0xD2DE, .uint16, 2, [1, 2]),
        ]
    )

    private typealias Table = SonyPropertyTable

    /// An enumeration of values. The list of a display-only property is usually empty.
    private static func choices(
        _ code: UInt16,
        _ type: PTPDataType,
        _ current: Int64,
        _ values: [Int64] = []
    ) -> SonyPropertyRecord {
        .list(code, type, values.isEmpty ? .get : .getSet, current: current, settable: values).withoutSupported
    }

    private static func buttons(_ current: Int64, _ codes: UInt16...) -> [SonyPropertyRecord] {
        codes.map { choices($0, .uint16, current, [1, 2]) }
    }

    private static func span(
        _ code: UInt16,
        _ type: PTPDataType,
        _ current: Int64,
        from first: Int64,
        to last: Int64,
        step: Int64
    ) -> SonyPropertyRecord {
        .range(code, type, .get, current: current, first, last, step: step)
    }
}

extension SonyProfile {
    /// The property that an absolute property of version 2 repeats (LGD sony-rx100m7, -zv-e10, -a7c, -a7r4).
    static func original(of code: PropertyCode) -> PropertyCode? {
        code == .sonyShutterSpeedVersion2 ? .sonyShutterSpeed : absolutes.first { $0.absolute == code }?.own
    }

    /// The absolute properties without the speed: compensation and ISO.
    static let absolutes: [(absolute: PropertyCode, own: PropertyCode)] = [
        (PropertyCode(rawValue: 0xD224), .exposureBiasCompensation), (PropertyCode(rawValue: 0xD226), .sonyISO),
    ]

    /// The properties that are not writable in version 2. Notches change them.
    private static let stepped: Set<PropertyCode> = [.fNumber, .exposureBiasCompensation, .sonyShutterSpeed, .sonyISO]

    /// The rows that a body shows: codes, types and forms of the profile, with values and access of the body.
    ///
    /// - Parameter own: Returns the body's record of a property.
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

    /// The value in another type. A narrower type gets the low half: in version 2, program and drive have 16 bits, and
    /// an ILCE-7M4 has 255 for −1 (LGD).
    private static func value(_ value: PTPValue, as type: PTPDataType) -> PTPValue? {
        guard let number = value.integer else { return nil }
        return PTPValue(number, as: type) ?? PTPValue(number & (1 << (8 * Int64(type.integerSize ?? 8)) - 1), as: type)
    }
}

extension SonyPropertyRecord {
    /// The record. The code of a control gets the access 0x81 (button), 0x82 (notch) or 0x83 (lock) (log of a ZV-E10,
    /// gphoto2#477).
    fileprivate var asControl: Self {
        guard 0xD2C1...0xD2DE ~= code.rawValue else { return self }
        var record = self
        if case .range = form { record.getSet = 0x82 } else { record.getSet = code.rawValue == 0xD2C5 ? 0x83 : 0x81 }
        return record
    }
}
