import NIOCore

/// The dataset of GetDevicePropDesc (libgphoto2 ptp-pack.c `ptp_unpack_DPD`).
package struct DevicePropDesc: Hashable, Sendable {
    /// The allowed values of the property.
    package enum Form: Hashable, Sendable {
        /// Any value of the type.
        case none
        /// The values from `min` to `max` in steps of `step`.
        case range(min: PTPValue, max: PTPValue, step: PTPValue)
        /// One of these values.
        case enumeration([PTPValue])
    }

    package var code: PropertyCode
    /// The type of all values of the property.
    package var type: PTPDataType
    package var isWritable: Bool
    /// The factory setting.
    package var defaultValue: PTPValue
    package var currentValue: PTPValue
    package var form: Form

    package init(
        code: PropertyCode,
        type: PTPDataType,
        isWritable: Bool,
        defaultValue: PTPValue,
        currentValue: PTPValue,
        form: Form
    ) {
        self.code = code
        self.type = type
        self.isWritable = isWritable
        self.defaultValue = defaultValue
        self.currentValue = currentValue
        self.form = form
    }

    /// - Throws: `DatasetError` when a value is incomplete, or has an unknown type or form.
    package init(decoding buffer: ByteBuffer) throws(DatasetError) {
        var reader = DatasetReader(buffer)
        code = PropertyCode(rawValue: try reader.integer("DevicePropertyCode"))
        type = PTPDataType(rawValue: try reader.integer("DataType"))
        isWritable = try reader.integer("GetSet", as: UInt8.self) == 1
        defaultValue = try reader.value("FactoryDefaultValue", of: type)
        currentValue = try reader.value("CurrentValue", of: type)
        // Some datasets end before the form flag. The property then has no form.
        let flag = reader.bytesLeft == 0 ? 0 : try reader.integer("FormFlag", as: UInt8.self)
        switch flag {
        case 0:
            form = .none
        case 1:
            form = .range(
                min: try reader.value("MinimumValue", of: type),
                max: try reader.value("MaximumValue", of: type),
                step: try reader.value("StepSize", of: type)
            )
        case 2:
            let count = Int(try reader.integer("NumberOfValues", as: UInt16.self))
            form = .enumeration(try reader.values("SupportedValue", count: count, of: type))
        default:
            throw .unknownForm(field: "FormFlag", flag: flag)
        }
    }

    package func encoded() -> ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(code.rawValue)
        writer.integer(type.rawValue)
        writer.integer(UInt8(isWritable ? 1 : 0))
        writer.value(defaultValue)
        writer.value(currentValue)
        switch form {
        case .none:
            writer.integer(UInt8(0))
        case .range(let min, let max, let step):
            writer.integer(UInt8(1))
            writer.values([min, max, step])
        case .enumeration(let values):
            precondition(values.count <= Int(UInt16.max))
            writer.integer(UInt8(2))
            writer.integer(UInt16(values.count))
            writer.values(values)
        }
        return writer.buffer
    }
}
