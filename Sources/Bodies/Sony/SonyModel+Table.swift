import Cameras

/// The table of simulated Sony bodies.
extension SonyModel {
    /// All rows, the default first.
    package static let all: [SonyModel] = [ilce7M4, ilce6400, dscRX100M7, zvE10, ilce7CM2, ilce1M2]

    /// A full-frame body with two slots that accepts every speed of the third-stop scale, in manual focus.
    package static let ilce7M4 = SonyModel(
        shortName: "ilce-7m4",
        name: "ILCE-7M4",
        summary: "full frame, 1/8000 to 30\" and BULB, two slots, manual focus",
        firmware: "3.00",
        serialNumber: "00000000000000003282933003783803",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x07, 0x04],
        properties: SonyPropertyTable.ilce7M4,
        megapixels: 33
    )

    /// A body that changes the speed by notches: 0.6 s for at most 16 notches. In libgphoto2#527, 30″ to 1/4000 (51
    /// notches) took more than 40 s in single notches, and 2.5 s in several jumps. The test polled every 200 ms.
    package static let ilce6400 = SonyModel(
        shortName: "ilce-6400",
        name: "ILCE-6400",
        version: .version2,
        summary: "APS-C, version 2: the speed changes by notches, at most 16 in 0.6 s; 1/4000 to 30\" and BULB",
        firmware: "2.00",
        serialNumber: "00000000000000003282933001640000",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x64, 0x00],
        properties: SonyPropertyTable.ilce6400,
        stepping: SonyStepping(
            accuracy: .capped(at: 16),
            moveTime: .milliseconds(600),
            scales: SonyPropertyTable.scales(fastest: 4_000)
        ),
        saveTime: .milliseconds(700)
    )

    /// A body in the state of a recorded real body: speed 1/32000, autofocus, reported save target host.
    package static let dscRX100M7 = SonyModel(
        shortName: "rx100m7",
        name: "DSC-RX100M7",
        summary:
            "compact in the state of a real capture: 1/32000 to 30\" and BULB, autofocus, always stores on its card",
        firmware: "1.00",
        serialNumber: "00000000000000003282933003100107",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x00, 0x01],
        imageFormats: [0x3801, 0xB301, 0xB101],
        properties: SonyPropertyTable.rx100M7,
        profile: SonyProfile.rx100M7,
        readbackDelay: .milliseconds(250),
        saveTime: .milliseconds(800),
        megapixels: 20,
        alwaysStoresOnCard: true
    )

    /// A body of version 2 that accepts the speed as a value in 0xD229 (libgphoto2#1165; LGD sony-zv-e10). Its jumps
    /// end one notch short (libgphoto2#854 saw wrong values).
    package static let zvE10 = SonyModel(
        shortName: "zv-e10",
        name: "ZV-E10",
        version: .version2,
        summary: "APS-C, version 2: the speed can be set in 0xD229; notches end one short; 1/8000 to 30\" and BULB",
        firmware: "2.02",
        serialNumber: "00000000000000003282933001100010",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0xE1, 0x00],
        imageFormats: [0x3001, 0x3801, 0xB101, 0x300B, 0xB982],
        properties: SonyPropertyTable.zvE10,
        stepping: SonyStepping(
            accuracy: .short(by: 1),
            moveTime: .milliseconds(300),
            scales: SonyPropertyTable.scales(fastest: 8_000)
        ),
        readbackDelay: .milliseconds(200)
    )

    /// A body that disconnects 10 s after the last command (alpha-fairy#39).
    package static let ilce7CM2 = SonyModel(
        shortName: "ilce-7cm2",
        name: "ILCE-7CM2",
        summary: "as ilce-7m4, but drops the connection 10 s after the last command",
        firmware: "1.00",
        serialNumber: "00000000000000003282933003700302",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x07, 0xC2],
        properties: SonyPropertyTable.ilce7M4,
        megapixels: 33,
        idleLimit: .seconds(10)
    )

    /// A body that reports its long-exposure noise reduction, and deletes unfetched pictures at the end of a session.
    package static let ilce1M2 = SonyModel(
        shortName: "ilce-1m2",
        name: "ILCE-1M2",
        summary:
            "as ilce-7m4, but reports noise reduction (0xD15B), 1/32000, and at the end deletes untransferred pictures",
        firmware: "1.00",
        serialNumber: "00000000000000003282933003100102",
        macAddress: [0x02, 0x00, 0x00, 0x00, 0x01, 0x02],
        properties: SonyPropertyTable.ilce1M2,
        readbackDelay: .milliseconds(100),
        saveTime: .milliseconds(300),
        megapixels: 50,
        keepsBufferOverSessions: false
    )
}
