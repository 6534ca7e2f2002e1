import Cameras
import PTP

/// The table of simulated Canon bodies.
extension CanonModel {
    /// All rows, the default first.
    package static let all: [CanonModel] = [eosR6Mark2, eos80D, eos60D, eosM50, eos1300D]

    /// A mirrorless body. Its first list is constructed. The order of the signs of a picture is that of an R6 Mark II
    /// over WiFi: RAW before JPEG, and all lists again after each picture.
    package static let eosR6Mark2 = CanonModel(
        shortName: "eos-r6m2",
        name: "Canon EOS R6m2",
        summary: "mirrorless, 1/8000 to 30\", manual focus, files CR3",
        quirks: ["sends its lists again after each picture"],
        firmware: "3-1.4.0",
        serialNumber: "3b1c6d0efa5f4a3d9a10c6d7e8f90612",
        macAddress: [0x02, 0x00, 0x00, 0x0C, 0x60, 0x02],
        operations: operationsOfR6Mark2,
        rawFormat: 0xB108,
        dump: .eosR6Mark2,
        sendsRawFirst: true,
        sendsListsAgain: true,
        saveTime: .milliseconds(300),
        megapixels: 24
    )

    /// A DSLR. Its first list is constructed.
    package static let eos80D = CanonModel(
        shortName: "eos-80d",
        name: "Canon EOS 80D",
        summary: "DSLR, 1/8000 to 30\", manual focus",
        firmware: "3-1.0.2",
        serialNumber: "8d0f7b2a61c84e55b9e0134f5a6b7c80",
        macAddress: [0x02, 0x00, 0x00, 0x0C, 0x80, 0x0D],
        operations: operationsOf80D,
        dump: .eos80D,
        megapixels: 24
    )

    /// A DSLR in the state of a captured body: autofocus, and no display data, so it never reports the focus. Its
    /// DeviceInfo and its first list are those bytes.
    package static let eos60D = CanonModel(
        shortName: "eos-60d",
        name: "Canon EOS 60D",
        summary: "DSLR in the state of a real capture: 1/8000 to 30\", autofocus",
        quirks: ["never reports the focus", "announces files with 32-bit sizes"],
        firmware: "3-1.0.8",
        serialNumber: "b9bb65b44b6946feadcf79d47e30bce7",
        maker: "Canon Inc.",
        macAddress: [0x02, 0x00, 0x00, 0x0C, 0x06, 0x0D],
        operations: operationsOf60D,
        events: oldEvents,
        properties: oldProperties,
        vendorExtensionVersion: 200,
        dump: .eos60D,
        objectRecord: .objectAdded,
        saveTime: .milliseconds(700),
        megapixels: 18
    )

    /// A body of the EOS M family. The dial of the captured body was not on M; with `isAsCaptured` the body keeps that.
    package static let eosM50 = CanonModel(
        shortName: "eos-m50",
        name: "Canon EOS M50",
        summary: "EOS M family: both stages of the button at once, 1/4000 to 30\" and Bulb, autofocus, RAW and JPEG",
        quirks: ["wants both stages of the button at once", "reports the result of a press in its display data"],
        firmware: "3-1.0.2",
        serialNumber: "5f0a50aa0d2b4c1ea7c35bb52b3d0412",
        macAddress: [0x02, 0x00, 0x00, 0x0C, 0x05, 0x00],
        operations: operationsOfM50,
        rawFormat: 0xB108,
        dump: .eosM50,
        changes: .eosM50InManual,
        pressesBothStages: true,
        saveTime: .milliseconds(800),
        megapixels: 24
    )

    /// A simple DSLR without a lens: no apertures. UNSURE: a value outside its lists is answered 0x201C. The table has
    /// one such body so that the driver is tested with both responses.
    package static let eos1300D = CanonModel(
        shortName: "eos-1300d",
        name: "Canon EOS 1300D",
        summary: "simple DSLR without a lens: 1/4000 to 30\" and Bulb, manual focus",
        quirks: ["answers Invalid_DevicePropValue to values outside its lists", "announces files with 32-bit sizes"],
        firmware: "3-1.1.0",
        serialNumber: "1300d64d2437f4b0c9e8a77f64d27bbf",
        maker: "Canon Inc.",
        macAddress: [0x02, 0x00, 0x00, 0x0C, 0x13, 0x0D],
        operations: operationsOf1300D,
        events: oldEvents,
        properties: oldProperties,
        vendorExtensionVersion: 200,
        dump: .eos1300D,
        changes: .eos1300DWithoutTimer,
        rejection: .invalidDevicePropValue,
        objectRecord: .objectAdded,
        saveTime: .milliseconds(900),
        megapixels: 18
    )
}
