import NIOCore
import PTP

/// One record of the 0x9209 dataset (PTP 3 p.121–123).
package struct SonyPropertyRecord: Hashable, Sendable {
    /// Whether the property can be used now.
    package struct Availability: RawRepresentable, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The value is not reliable.
        package static let disabled = Self(rawValue: 0)
        /// The value can be read and set.
        package static let enabled = Self(rawValue: 1)
        /// The value can be read.
        package static let displayOnly = Self(rawValue: 2)
    }

    /// The allowed values of the property.
    package enum Form: Hashable, Sendable {
        /// Any value of the type.
        case none
        /// From `min` to `max` in steps.
        case range(min: PTPValue, max: PTPValue, step: PTPValue)
        /// `settable` can be set now; `supported` are all values of the body, nil on version 2 bodies.
        case enumeration(settable: [PTPValue], supported: [PTPValue]?)
    }

    package var code: PropertyCode
    /// The type of all values of the property.
    package var type: PTPDataType
    /// 0 means get, 1 means get and set. For controls, version 2 bodies send 0x81 to 0x84.
    package var getSet: UInt8
    package var availability: Availability
    /// The factory setting.
    package var defaultValue: PTPValue
    package var currentValue: PTPValue
    package var form: Form

    package init(
        code: PropertyCode,
        getSet: UInt8 = 1,
        availability: Availability = .enabled,
        defaultValue: PTPValue,
        currentValue: PTPValue,
        form: Form = .none
    ) {
        precondition(defaultValue.type == currentValue.type, "a property has one type")
        self.code = code
        self.type = currentValue.type
        self.getSet = getSet
        self.availability = availability
        self.defaultValue = defaultValue
        self.currentValue = currentValue
        self.form = form
    }

    /// The values that can be set now. The list is empty without an enumeration.
    package var settableValues: [PTPValue] {
        if case .enumeration(let settable, _) = form { settable } else { [] }
    }

    package var isWritable: Bool { getSet & 1 == 1 && availability == .enabled }

    /// Reads one record. Only the fields of the record show where it ends.
    init(from reader: inout DatasetReader, version: SonyExtensionVersion) throws(DatasetError) {
        let code = PropertyCode(rawValue: try reader.integer("property code"))
        func name() -> String { "property \(code.rawValue.hexadecimal)" }
        self.code = code
        type = PTPDataType(rawValue: try reader.integer(name()))
        getSet = try reader.integer(name())
        availability = Availability(rawValue: try reader.integer(name()))
        defaultValue = try reader.value(name(), of: type)
        currentValue = try reader.value(name(), of: type)
        switch try reader.integer(name(), as: UInt8.self) {
        case 0:
            form = .none
        case 1:
            form = .range(
                min: try reader.value(name(), of: type),
                max: try reader.value(name(), of: type),
                step: try reader.value(name(), of: type)
            )
        case 2:
            let settable = try reader.list(name(), of: type)
            let supported: [PTPValue]? =
                switch version {
                case .version2: nil
                case .version3: try reader.list(name(), of: type)
                }
            form = .enumeration(settable: settable, supported: supported)
        case let flag:
            throw .unknownForm(field: name(), flag: flag)
        }
    }

    package func encoded(version: SonyExtensionVersion) -> ByteBuffer {
        var writer = DatasetWriter()
        write(into: &writer, version: version)
        return writer.buffer
    }

    /// Appends the record. `version` must match `form`: version 3 always has the second list.
    func write(into writer: inout DatasetWriter, version: SonyExtensionVersion) {
        writer.integer(code.rawValue)
        writer.integer(type.rawValue)
        writer.integer(getSet)
        writer.integer(availability.rawValue)
        writer.value(defaultValue)
        writer.value(currentValue)
        switch form {
        case .none:
            writer.integer(UInt8(0))
        case .range(let min, let max, let step):
            writer.integer(UInt8(1))
            writer.values([min, max, step])
        case .enumeration(let settable, let supported):
            writer.integer(UInt8(2))
            writer.list(settable)
            if version == .version3 { writer.list(supported ?? settable) }
        }
    }
}

extension [SonyPropertyRecord] {
    /// The index of the first record of a property. Compares only the numbers of the codes, because records are large
    /// and the calls are frequent.
    package func place(of code: PropertyCode) -> Int? {
        for place in indices where self[place].code.rawValue == code.rawValue { return place }
        return nil
    }
}

extension DatasetReader {
    /// A list: a u16 count, then the values.
    fileprivate mutating func list(
        _ field: @autoclosure () -> String,
        of type: PTPDataType
    ) throws(DatasetError) -> [PTPValue] {
        try values(field(), count: Int(try integer(field(), as: UInt16.self)), of: type)
    }
}

extension DatasetWriter {
    /// A list: a u16 count, then the values.
    fileprivate mutating func list(_ values: [PTPValue]) {
        precondition(values.count <= Int(UInt16.max))
        integer(UInt16(values.count))
        self.values(values)
    }
}
