import Cameras
import Exposure
import PTP

/// Bodies of extension version 2: one list per enumeration, program and drive in 16 bits, no list of speeds. The
/// records, access and controls of the ILCE-6400 are from logs of a ZV-E10 (gphoto2#477) and an ILCE-6500
/// (ptpwebcam#88). The lists of the ILCE-6400 are from LGD sony-a6400. Lists that are missing there are from an
/// RX100 VII.
extension SonyPropertyTable {
    /// An APS-C body in manual focus. Only notches change its speed.
    static let ilce6400: [SonyPropertyRecord] =
        with(
            ilce7M4.filter { !onlyInVersion3.contains($0.code.rawValue) }.map(inVersion2),
            [
                .list(0x5004, .uint8, default: 2, current: 3, settable: [2, 3, 4, 16, 19, 20, 18]),
                .range(0x5007, .uint16, .get, current: 800, 0, 0xFFFF, step: 1),
                single(0x5010, .int16, current: 0, Array(thirds(upTo: 5).reversed())),
                .range(
                    0xD20D,
                    .uint32,
                    .get,
                    default: 0xFFFF_FFFF,
                    current: Int64(SonyShutterSpeed(.onTripod).rawValue),
                    0,
                    0xFFFF_FFFF,
                    step: 1
                ),
                single(0xD21E, .uint32, current: 100, [0xFF_FFFF] + plainSensitivities),
                // LGD sony-a6400 has no value for "card alone".
                .list(0xD222, .uint16, default: 0x11, current: 0x11, settable: [0x01, 0x11])
                    .withoutSupported,
            ]
        ).sorted { $0.code.rawValue < $1.code.rawValue } + controls

    /// The list of a real body (LGD sony-zv-e10), changed to manual mode and focus. The real body was in a mode with
    /// speeds only from 1/125 to 1/4000.
    static let zvE10: [SonyPropertyRecord] = with(
        SonyProfile.rows(SonyProfile.zvE10) { code in ilce6400.place(of: code).map { ilce6400[$0] } },
        ilce6400.filter { $0.code == .stillCaptureMode } + [
            .list(0x5004, .uint8, default: 2, current: 3, settable: [16, 20, 19, 18, 4, 3, 2])
                .withoutSupported,
            .list(
                0xD229,
                .uint32,
                default: 0xFFFF_FFFF,
                current: Int64(SonyShutterSpeed(.onTripod).rawValue),
                settable: scales(fastest: 8_000)[0].values.filter { $0 != 0 }
            ).withoutSupported,
        ]
    )

    /// The values that notches step through, the lowest first. The speeds are BULB, then slow to fast.
    ///
    /// - Parameter fastest: The denominator of the fastest speed.
    static func scales(fastest: Int) -> [SonyStepping.Scale] {
        let speeds = thirdStops(to: .fastest).filter { $0.numerator != 1 || Int($0.denominator) <= fastest }
        return [
            SonyStepping.Scale(property: .sonyShutterSpeed, values: speeds.map { Int64($0.rawValue) }),
            SonyStepping.Scale(property: .fNumber, values: apertures),
            SonyStepping.Scale(property: .exposureBiasCompensation, values: thirds(upTo: 5)),
            SonyStepping.Scale(property: .sonyISO, values: [0xFF_FFFF] + plainSensitivities),
        ]
    }

    /// The properties that version 2 does not have. 0x5004 replaces the first two. Only later bodies have the others.
    private static let onlyInVersion3: Set<UInt16> = [
        0xD252, 0xD253, 0xD254, 0xD256, 0xD257, 0xD25A, 0xD269, 0xD278,
    ]

    /// A property that only notches change. GetSet says "not writable". IsEnabled says whether notches work now.
    private static func single(
        _ code: UInt16,
        _ type: PTPDataType,
        current: Int64,
        _ values: [Int64]
    ) -> SonyPropertyRecord {
        .list(code, type, .get, current: current, settable: values).withoutSupported
    }

    /// The record as in version 2: one list of values, and the low half of program and drive.
    static func inVersion2(_ record: SonyPropertyRecord) -> SonyPropertyRecord {
        guard [.exposureProgramMode, .stillCaptureMode].contains(record.code) else { return record.withoutSupported }
        let values = record.settableValues.isEmpty ? record.supportedValues : record.settableValues
        return .list(
            record.code.rawValue,
            .uint16,
            .getSet,
            record.availability,
            default: 0,
            current: lowHalf(record.currentValue),
            settable: values.map(lowHalf)
        ).withoutSupported
    }

    private static func lowHalf(_ value: PTPValue) -> Int64 { (value.integer ?? 0) & 0xFFFF }

    /// The controls, which are listed as properties: buttons (0x81), notches (0x82) and locks (0x83).
    private static let controls: [SonyPropertyRecord] = [
        control(0xD2C1, 0x81), control(0xD2C2, 0x81), control(0xD2C3, 0x81), control(0xD2C5, 0x83),
        control(0xD2C7, 0x81), control(0xD2C8, 0x81), control(0xD2C9, 0x81), control(0xD2CA, 0x81),
        SonyPropertyRecord(
            code: PropertyCode(rawValue: 0xD2D1),
            getSet: 0x82,
            availability: .displayOnly,
            defaultValue: .int16(0),
            currentValue: .int16(0),
            form: .range(min: .int16(-7), max: .int16(7), step: .int16(1))
        ),
    ]

    private static func control(_ code: UInt16, _ kind: UInt8) -> SonyPropertyRecord {
        SonyPropertyRecord(
            code: PropertyCode(rawValue: code),
            getSet: kind,
            defaultValue: .uint16(1),
            currentValue: .uint16(1),
            form: .enumeration(settable: [.uint16(1), .uint16(2)], supported: nil)
        )
    }
}

extension SonyPropertyRecord {
    /// All supported values; empty if the record has no second list.
    var supportedValues: [PTPValue] {
        if case .enumeration(_, let supported?) = form { supported } else { [] }
    }

    /// The record with only one list, as in version 2.
    var withoutSupported: SonyPropertyRecord {
        guard case .enumeration(let settable, _) = form else { return self }
        var record = self
        record.form = .enumeration(settable: settable, supported: nil)
        return record
    }
}
