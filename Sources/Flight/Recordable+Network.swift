import Cameras
import Controller

extension IPAddress: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.byte(UInt8(bytes.count))
        for byte in bytes { writer.byte(byte) }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let count = try reader.byte()
        guard count == 4 || count == 16 else { throw FieldError("no address has \(count) bytes") }
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try reader.byte()) }
        self.init(bytes: bytes)
    }
}

extension NetworkSnapshot: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.list(interfaces)
        writer.value(route)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(interfaces: try reader.list(), route: try reader.value())
    }
}

extension NetworkInterface: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.number(index)
        writer.text(name)
        writer.flag(isUp)
        writer.flag(isLoopback)
        writer.flag(isMulticast)
        writer.list(addresses)
        writer.optional(radio)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            index: try reader.number(UInt32.self),
            name: try reader.text(),
            isUp: try reader.flag(),
            isLoopback: try reader.flag(),
            isMulticast: try reader.flag(),
            addresses: try reader.list(),
            radio: try reader.optional()
        )
    }
}

extension NetworkInterface.Address: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(address)
        writer.signed(prefixLength)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        let address: IPAddress = try reader.value()
        self.init(address, prefixLength: try reader.integer(in: 0...address.bytes.count * 8))
    }
}

extension NetworkInterface.Radio: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .apart: writer.byte(0)
        case .joined(let point):
            writer.byte(1)
            writer.value(point)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .apart
        case 1: self = .joined(try reader.value())
        case let other: throw FieldError("no radio stands at \(other)")
        }
    }
}

extension NetworkInterface.AccessPoint: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.text(ssid)
        writer.text(bssid)
        writer.optional(signal)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(ssid: try reader.text(), bssid: try reader.text(), signal: try reader.optionalInteger())
    }
}

extension RouteFinding: Recordable {
    func write(to writer: inout FieldWriter) {
        switch self {
        case .unwatched: writer.byte(0)
        case .unknown: writer.byte(1)
        case .none(let reason):
            writer.byte(2)
            writer.text(reason)
        case .found(let route):
            writer.byte(3)
            writer.value(route)
        }
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        switch try reader.byte() {
        case 0: self = .unwatched
        case 1: self = .unknown
        case 2: self = .none(reason: try reader.text())
        case 3: self = .found(try reader.value())
        case let other: throw FieldError("there is no route \(other)")
        }
    }
}

extension CameraRoute: Recordable {
    func write(to writer: inout FieldWriter) {
        writer.value(to)
        writer.number(interface)
        writer.optional(source)
        writer.optional(gateway)
        writer.flag(isLocal)
    }

    init(from reader: inout FieldReader) throws(FieldError) {
        self.init(
            to: try reader.value(),
            interface: try reader.number(UInt32.self),
            source: try reader.optional(),
            gateway: try reader.optional(),
            isLocal: try reader.flag()
        )
    }
}
