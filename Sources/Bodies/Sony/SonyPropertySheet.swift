import Cameras
import NIOCore
import PTP

/// The properties of a body as in 0x9209, in the body's order.
struct SonyPropertySheet: Sendable {
    private(set) var records: [SonyPropertyRecord]
    /// The number of changes of records.
    private(set) var changeCount = 0
    /// For each record, the value of `changeCount` after its latest change; 0: no change.
    private var changes: [Int]
    /// The encoded dataset and records, which stay valid until a change.
    private var version: SonyExtensionVersion?
    private var dataset: ByteBuffer?
    private var parts: [ByteBuffer?]

    init(_ records: [SonyPropertyRecord]) {
        self.records = records
        parts = records.map { _ in nil }
        changes = records.map { _ in 0 }
    }

    /// The properties that have changed since `changeCount` had this value.
    func codes(changedSince count: Int) -> Set<PropertyCode> {
        Set(records.indices.filter { changes[$0] > count }.map { records[$0].code })
    }

    subscript(code: PropertyCode) -> SonyPropertyRecord? {
        records.place(of: code).map { records[$0] }
    }

    /// The current value of an integer property; nil when the body does not have the property.
    func integer(_ code: PropertyCode) -> Int64? {
        records.place(of: code).flatMap { records[$0].currentValue.integer }
    }

    /// Changes a record. Has no effect on a body without the property.
    mutating func update(_ code: PropertyCode, _ change: (inout SonyPropertyRecord) -> Void) {
        guard let place = records.place(of: code) else { return }
        var record = records[place]
        change(&record)
        guard record != records[place] else { return }
        records[place] = record
        noteChange(at: place)
    }

    private mutating func noteChange(at place: Int) {
        changeCount += 1
        changes[place] = changeCount
        dataset = nil
        parts[place] = nil
    }

    /// Sets the value of an integer property. The number must be in the range of the property's type.
    mutating func set(_ code: PropertyCode, _ number: Int64) {
        guard let place = records.place(of: code) else { return }
        guard let value = PTPValue(number, as: records[place].type) else {
            preconditionFailure("\(number) does not fit property \(code)")
        }
        guard value != records[place].currentValue else { return }
        records[place].currentValue = value
        noteChange(at: place)
    }

    /// Returns the dataset of all properties (0x9209).
    mutating func encoded(version: SonyExtensionVersion) -> ByteBuffer {
        if let dataset, version == self.version { return dataset }
        if version != self.version { parts = records.map { _ in nil } }
        var writer = DatasetWriter()
        writer.integer(UInt64(records.count))
        for place in records.indices {
            let part = parts[place] ?? records[place].encoded(version: version)
            parts[place] = part
            writer.bytes(part)
        }
        self.version = version
        dataset = writer.buffer
        return writer.buffer
    }

    /// Reads a value that an initiator sent for a property. Returns nil when the size is wrong.
    func decode(_ data: ByteBuffer, for record: SonyPropertyRecord) -> PTPValue? {
        var reader = DatasetReader(data)
        guard let value = try? reader.value("value", of: record.type), reader.bytesLeft == 0 else { return nil }
        return value
    }
}

extension SonyPropertyRecord {
    /// Whether the body accepts this value now.
    func allows(_ value: PTPValue) -> Bool {
        switch form {
        case .none: return true
        case .enumeration(let settable, _): return settable.contains(value)
        case .range(let min, let max, _):
            guard let number = value.integer, let low = min.integer, let high = max.integer else { return false }
            return (low...Swift.max(low, high)).contains(number)
        }
    }

    /// Replaces the settable values, and keeps the supported values.
    mutating func setSettable(_ values: [PTPValue]) {
        guard case .enumeration(_, let supported) = form else { return }
        form = .enumeration(settable: values, supported: supported)
    }
}
