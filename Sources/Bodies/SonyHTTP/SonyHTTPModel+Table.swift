import Cameras

/// The table of simulated bodies with Sony's HTTP API.
extension SonyHTTPModel {
    /// All rows, the default first.
    package static let all: [SonyHTTPModel] = [a6000, a5000, a6300, rx100m4, nex6Reduced]

    /// A body with a mode dial, and the app from PlayMemories Camera Apps. It is in manual focus, as for a bracket.
    package static let a6000 = SonyHTTPModel(
        shortName: "a6000",
        name: "ILCE-6000",
        summary: "mode dial, 1/4000 to 30\", manual focus, API 1.0 to 1.3",
        application: ("Smart Remote Control SR/4.30 __SAK__", "2.1.4"),
        macAddress: [0x02, 0x00, 0x00, 0x0A, 0x60, 0x00],
        versions: ["1.0", "1.1", "1.2", "1.3"],
        reportsSaving: false,
        focusMode: "MF",
        megapixels: 24
    )

    /// A body without a mode dial: the mode is set remotely. Its lists are those of a real body (sony_camera_api,
    /// a5000_manual.txt and a5000_dump_methods.txt).
    package static let a5000 = SonyHTTPModel(
        shortName: "a5000",
        name: "ILCE-5000",
        summary: "no mode dial, the lists of a real body, 1/4000 to 30\", autofocus, API 1.0 to 1.4",
        quirks: ["sets the mode remotely", "is NotReady for a moment after each picture"],
        application: ("Smart Remote Control SR/4.11 __MNG__", "2.1.2"),
        macAddress: [0x02, 0x00, 0x00, 0x0A, 0x50, 0x00],
        versions: ["1.0", "1.1", "1.2", "1.3", "1.4"],
        setsMode: true,
        reportsSaving: false,
        idleLag: .milliseconds(200),
        megapixels: 20
    )

    /// A body whose card can be listed. Values outside its lists are answered with error 3, as in Sony's reference.
    package static let a6300 = SonyHTTPModel(
        shortName: "a6300",
        name: "ILCE-6300",
        summary: "mode dial, lists its card, RAW and JPEG, autofocus, API 1.0 to 1.4",
        quirks: ["ends an unchanged poll with error 2", "sends its replies in chunks"],
        application: ("Smart Remote Control SR/4.40 __SAK__", "2.1.4"),
        macAddress: [0x02, 0x00, 0x00, 0x0A, 0x63, 0x00],
        versions: ["1.0", "1.1", "1.2", "1.3", "1.4"],
        hasContents: true,
        unknownValue: .illegalArgument,
        pollEnd: .timeout,
        sendsChunks: true,
        hasRAW: true,
        megapixels: 24
    )

    /// A compact body without a recording mode to enter or to leave (node-sony-camera). Clients list this model with
    /// port 8080. The table gives it the other port, so that it has one body with each.
    package static let rx100m4 = SonyHTTPModel(
        shortName: "rx100m4",
        name: "DSC-RX100M4",
        summary: "compact body on port 10000, power zoom, lists its card, autofocus, API 1.0 to 1.3",
        quirks: ["has neither startRecMode nor stopRecMode", "ends an unchanged poll with error 1"],
        application: ("Smart Remote Control SR/4.31 __SAK__", "2.1.4"),
        macAddress: [0x02, 0x00, 0x00, 0x0C, 0x10, 0x04],
        port: 10_000,
        versions: ["1.0", "1.1", "1.2", "1.3"],
        needsRecMode: false,
        hasContents: true,
        hasPowerZoom: true,
        fastest: 32_000,
        pollEnd: .unknown,
        megapixels: 20
    )

    /// A body whose pre-installed app was never updated: no method for the speed (SR, `Name.java`).
    package static let nex6Reduced = SonyHTTPModel(
        shortName: "nex-6-preinstalled",
        name: "NEX-6",
        summary: "the pre-installed app, which cannot set the speed: not usable for brackets, API 1.0",
        quirks: ["has no method for speed, aperture, ISO or mode"],
        application: ("Smart Remote Embedded SRE/2.00 __BTY__", "2.0.0"),
        macAddress: [0x02, 0x00, 0x00, 0x0E, 0x06, 0x00],
        versions: ["1.0"],
        isReduced: true,
        reportsSaving: false,
        megapixels: 16
    )
}
