import Cameras
import NIOCore
import PTP

/// The properties of a body as 0x9209 shows them, in the body's order.
struct SonyPropertySheet: Sendable {
    private(set) var records: [SonyPropertyRecord]
    /// How many times a record became another one.
    private(set) var changeCount = 0
    /// The dataset as it was encoded last; nil: something changed since.
    private var encoding: (version: SonyExtensionVersion, bytes: ByteBuffer)?

    init(_ records: [SonyPropertyRecord]) {
        self.records = records
    }

    subscript(code: PropertyCode) -> SonyPropertyRecord? {
        records.place(of: code).map { records[$0] }
    }

    /// The current value of an integer property; nil when the body does not have it.
    func integer(_ code: PropertyCode) -> Int64? {
        records.place(of: code).flatMap { records[$0].currentValue.integer }
    }

    /// Changes a record. Without effect on a body that does not have the property.
    mutating func update(_ code: PropertyCode, _ change: (inout SonyPropertyRecord) -> Void) {
        guard let place = records.place(of: code) else { return }
        var record = records[place]
        change(&record)
        guard record != records[place] else { return }
        records[place] = record
        changeCount += 1
        encoding = nil
    }

    /// Gives an integer property a value. The number must fit its type.
    mutating func set(_ code: PropertyCode, _ number: Int64) {
        update(code) { record in
            guard let value = PTPValue(number, as: record.type) else {
                preconditionFailure("\(number) does not fit property \(code)")
            }
            record.currentValue = value
        }
    }

    /// The 0x9209 dataset.
    mutating func encoded(version: SonyExtensionVersion) -> ByteBuffer {
        if let encoding, encoding.version == version { return encoding.bytes }
        let bytes = SonyPropertyDataset(records: records).encoded(version: version)
        encoding = (version, bytes)
        return bytes
    }

    /// Reads a value that an initiator sent for a property; nil when it has not the property's type and size.
    func decode(_ data: ByteBuffer, for record: SonyPropertyRecord) -> PTPValue? {
        var reader = DatasetReader(data)
        guard let value = try? reader.value("value", of: record.type), reader.bytesLeft == 0 else { return nil }
        return value
    }
}

extension SonyPropertyRecord {
    /// Whether the body takes this value now.
    func allows(_ value: PTPValue) -> Bool {
        switch form {
        case .none: return true
        case .enumeration(let settable, _): return settable.contains(value)
        case .range(let min, let max, _):
            guard let number = value.integer, let low = min.integer, let high = max.integer else { return false }
            return (low...Swift.max(low, high)).contains(number)
        }
    }

    /// With other values that can be set now; what the body supports stays.
    mutating func setSettable(_ values: [PTPValue]) {
        guard case .enumeration(_, let supported) = form else { return }
        form = .enumeration(settable: values, supported: supported)
    }
}
