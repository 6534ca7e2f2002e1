import Cameras
import PTP

/// Makes rows of `SonyPropertyTable`. The numbers get the type of the property.
extension SonyPropertyRecord {
    enum Access: UInt8 {
        case get = 0
        case getSet = 1
    }

    /// An enumeration. The caller omits `supported` if it equals `settable`.
    static func list(
        _ code: UInt16,
        _ type: PTPDataType,
        _ access: Access = .getSet,
        _ availability: Availability = .enabled,
        default defaultValue: Int64 = 0,
        current: Int64,
        settable: [Int64] = [],
        supported: [Int64]? = nil
    ) -> Self {
        let values = settable.map { value($0, type) }
        var record = plain(code, type, access, availability, default: defaultValue, current: current)
        record.form = .enumeration(settable: values, supported: supported?.map { value($0, type) } ?? values)
        return record
    }

    static func range(
        _ code: UInt16,
        _ type: PTPDataType,
        _ access: Access = .getSet,
        _ availability: Availability = .enabled,
        default defaultValue: Int64 = 0,
        current: Int64,
        _ min: Int64,
        _ max: Int64,
        step: Int64
    ) -> Self {
        var record = plain(code, type, access, availability, default: defaultValue, current: current)
        record.form = .range(min: value(min, type), max: value(max, type), step: value(step, type))
        return record
    }

    /// A number with neither a range nor a list of values.
    static func plain(
        _ code: UInt16,
        _ type: PTPDataType,
        _ access: Access = .getSet,
        _ availability: Availability = .enabled,
        default defaultValue: Int64 = 0,
        current: Int64
    ) -> Self {
        Self(
            code: PropertyCode(rawValue: code),
            getSet: access.rawValue,
            availability: availability,
            defaultValue: value(defaultValue, type),
            currentValue: value(current, type)
        )
    }

    static func text(
        _ code: UInt16,
        _ access: Access = .getSet,
        _ availability: Availability = .enabled,
        current: String
    ) -> Self {
        Self(
            code: PropertyCode(rawValue: code),
            getSet: access.rawValue,
            availability: availability,
            defaultValue: .string(""),
            currentValue: .string(current)
        )
    }

    private static func value(_ number: Int64, _ type: PTPDataType) -> PTPValue {
        guard let value = PTPValue(number, as: type) else {
            preconditionFailure("\(number) in the table does not fit \(type)")
        }
        return value
    }
}
