import Cameras
import PTP

/// The table of simulated Nikon bodies.
extension NikonModel {
    /// All rows, the default first.
    package static let all: [NikonModel] = [z62, d850, z8, zr]

    /// A mirrorless body of the second generation, with the operations and properties of a real dump in M. It sends
    /// its events as packets too, as a Z 6 does over WiFi.
    package static let z62 = NikonModel(
        shortName: "z6-2",
        name: "Z 6_2",
        summary: "mirrorless, second Z generation: 1/8000 to 30\", Bulb and Time, JPEG",
        quirks: ["sends its events as packets too", "has an empty second slot"],
        serialNumber: "00000000000000000000000006002612",
        folderSuffix: "NZ6_2",
        macAddress: [0x02, 0x00, 0x00, 0x0E, 0x60, 0x02],
        operations: operationsOfZ62,
        events: eventsOfZ + [EventCode(rawValue: 0xC128)],
        sheet: .z62,
        storages: [0x0001_0001, 0x0002_0000],
        pushesEvents: true,
        releaseLag: .milliseconds(70),
        saveTime: .milliseconds(300),
        megapixels: 24
    )

    /// A DSLR with the properties of a real dump in M. Its mode can be changed remotely. The captured body had its
    /// self-timer, TIFF files and noise reduction on; the simulated one has not.
    package static let d850 = NikonModel(
        shortName: "d850",
        name: "D850",
        summary: "DSLR: 1/8000 to 30\", Bulb and Time, JPEG; the mode can be set remotely",
        quirks: [
            "rejects ObjectInfo for 0.6 s after it has announced a file",
            "keeps events that were not read for the next session",
        ],
        firmware: "V1.02",
        serialNumber: "00000000000000000000000008502017",
        folderSuffix: "ND850",
        macAddress: [0x02, 0x00, 0x00, 0x0E, 0x08, 0x50],
        operations: operationsOfD850,
        events: eventsOfDSLR,
        vendorExtensionID: 6,
        vendorExtensionDescription: "microsoft.com: 1.0",
        sheet: .d850Single,
        refusal: .nikonSetPropertyNotSupported,
        notReady: .nikonSecondRelease,
        keepsEvents: true,
        omitsMemoryHandle: true,
        sendsRawFirst: true,
        shortensSpeedList: true,
        releaseLag: .milliseconds(50),
        saveTime: .milliseconds(350),
        objectInfoDelay: .milliseconds(600),
        megapixels: 46
    )

    /// A mirrorless body of the third generation: vendor list with four bytes, pairing, application mode. No dump of a
    /// Z 8 is known: the operations and standard properties are those of a Z 9, the others those of a Z 6II. The codes
    /// with four bytes are those of a ZR, which is an assumption.
    package static let z8 = NikonModel(
        shortName: "z8",
        name: "Z 8",
        summary: "mirrorless, third Z generation: lists properties by 0x9439, needs the application mode",
        quirks: ["the mode can be set remotely", "rejects a release while it works with 0xA004"],
        serialNumber: "00000000000000000000000008002305",
        folderSuffix: "NCZ_8",
        macAddress: [0x02, 0x00, 0x00, 0x0E, 0x80, 0x08],
        operations: operationsOfZ9,
        sheet: .z8,
        longCodes: longCodesOfZR,
        needsApplicationMode: true,
        notReady: .nikonInvalidStatus,
        saveTime: .milliseconds(250),
        megapixels: 46
    )

    /// A body of the third generation for video. It holds its session slot for 30 s after a cut, and closes its
    /// connections after a wrong write (OpenZCine).
    package static let zr = NikonModel(
        shortName: "zr",
        name: "ZR",
        summary: "mirrorless for video, third Z generation: events by 0x941C alone, NEF and JPEG",
        quirks: [
            "holds its session slot for 30 s after a cut", "refuses the remote mode (0x90C2)",
            "closes its connections when 0x943C writes a property with two bytes",
        ],
        serialNumber: "00000000000000000000000009002510",
        folderSuffix: "NCZ_R",
        macAddress: [0x02, 0x00, 0x00, 0x0E, 0x00, 0x5A],
        operations: operationsOfZ9.filter { $0 != .nikonGetEvent },
        sheet: .zr,
        longCodes: longCodesOfZR,
        needsApplicationMode: true,
        refusesCameraMode: true,
        closesOnLongWrite: true,
        hasWidePIN: true,
        saveTime: .milliseconds(250),
        megapixels: 24,
        slotHold: .seconds(30)
    )
}

extension NikonSheet {
    /// A D850 that shoots single frames in JPEG, without noise reduction.
    static let d850Single: NikonSheet = {
        var sheet = d850
        sheet.set(.stillCaptureMode, 1)
        sheet.set(.compressionSetting, 4)
        sheet.set(.nikonNoiseReduction, 0)
        return sheet
    }()

    /// A Z 9 in M that shoots single frames in JPEG. Its exposure times and vendor properties are those of a Z 6II.
    static let z8: NikonSheet = {
        var sheet = z62
        var standard = z9
        standard.remove(.exposureTime)
        sheet.apply(standard)
        sheet.set(.compressionSetting, 4)
        sheet.setWritable(.compressionSetting, true)
        sheet.set(.focusMode, 0x8010)
        return sheet
    }()

    /// A Z 6II with manual focus that writes NEF and JPEG.
    static let zr: NikonSheet = {
        var sheet = z62
        sheet.set(.compressionSetting, 12)
        sheet.set(.focusMode, 1)
        return sheet
    }()
}
