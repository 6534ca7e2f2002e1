import Cameras
import Exposure
import NIOCore
import PTP

/// The values that ``PTPIPBody`` and the rules read from a Sony body.
extension SonyBody {
    package var cameraID: String { "sony:\(model.serialNumber)" }
    package var modelName: String { model.name }
    package var shownSpeed: BodySpeed { speed.ofBody }
    package var isButtonHeld: Bool { buttons.half || buttons.full }
    package var slotHold: Duration { options.slotHold ?? model.slotHold }
    package var idleLimit: Duration? { model.idleLimit }

    package func discovery(at host: IPAddress, port: UInt16) -> BodyDiscovery? {
        let needsPairing = options.faults.contains { if case .pairing = $0 { true } else { false } }
        let kind = model.discoveryKind
        let description = SonyDescription(model, kind, host: host, needsPairing: needsPairing)
        let location = DescriptionURL(host: host, port: port, path: SonyDescription.path)
        return BodyDiscovery(.sony(model, kind, at: location), description.files)
    }

    package var guid: GUID {
        guard let guid = GUID(bytes: [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF] + model.macAddress) else {
            preconditionFailure("a MAC address has 6 bytes")
        }
        return guid
    }

    package static func name(of code: OperationCode) -> String { code.sonyName }

    /// Reads the fields of PTP/IP, operation 0x9207 and control 0xD2C2 directly, without the driver's code.
    package static func transactionOfPress(_ bytes: ByteBuffer) -> UInt32? {
        let start = bytes.readerIndex
        guard bytes.readableBytes > 22,
            bytes.getInteger(at: start + 12, endianness: .little, as: UInt16.self) == 0x9207,
            bytes.getInteger(at: start + 18, endianness: .little, as: UInt32.self) == 0xD2C2,
            bytes.getInteger(at: bytes.writerIndex - 2, endianness: .little, as: UInt16.self) == 2
        else { return nil }
        return bytes.getInteger(at: start + 14, endianness: .little)
    }
}

extension SonyShutterSpeed {
    /// The speed in the form that is the same for all makers.
    package var ofBody: BodySpeed {
        let isTime = numerator > 0 && denominator > 0
        return BodySpeed(reading, nominal: isTime ? .init(Int(numerator), Int(denominator)) : nil)
    }

    /// The speed as in plans, such as `1/2`, or as the body writes it if it is not on the third-stop scale.
    package var label: String { shutterSpeed?.label ?? description }

    /// The true exposure time; nil for BULB.
    package var exposureTime: Duration? {
        if let speed = shutterSpeed { return speed.exposureTime }
        guard numerator > 0, denominator > 0 else { return nil }
        return .seconds(1) * Int(numerator) / Int(denominator)
    }
}

extension SimulatedCamera {
    package init(model: SonyModel, options: BodyOptions = BodyOptions()) {
        self.init(PTPIPBody(SonyBody(model: model, options: options), options: options), options: options)
    }

    package init(model: SonyModel, options: BodyOptions = BodyOptions(), latency: Duration) {
        var options = options
        options.latency = latency
        self.init(model: model, options: options)
    }
}
