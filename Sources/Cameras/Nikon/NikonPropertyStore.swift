import Exposure
import NIOCore
import PTP

/// The properties of a body as it described them. The store has at most one entry for each property that the driver
/// uses, so its size is limited.
package struct NikonPropertyStore: Sendable {
    package struct Entry: Hashable, Sendable {
        package let type: PTPDataType
        package fileprivate(set) var value: Int64
        /// The values of the body's list in its order, or the values of a short range. Empty: no list.
        package let choices: [Int64]
        package let isWritable: Bool
        /// The time of the request whose answer reported the value.
        package fileprivate(set) var reportedAt: Duration
    }

    /// The properties that the driver uses. Bodies have about 280.
    package static let used: [PropertyCode] =
        [.exposureProgramMode, .nikonShutterSpeed, .exposureTime]
        + NikonPropertyRow.table.flatMap(\.codes).filter { $0 != .nikonShutterSpeed && $0 != .exposureTime } + [
            .nikonAutoISO, .nikonStep, .nikonNoiseReduction, .batteryLevel, .nikonShotsLeft, .nikonLiveViewStatus,
            .nikonLiveViewProhibition,
        ]

    /// The properties that may change together with a changed property. The mode and the step change the lists and the
    /// access of the others, and not every body reports that (dumps of bodies in each mode).
    package static func affected(by code: PropertyCode) -> [PropertyCode] {
        switch code {
        case .exposureProgramMode, .nikonStep:
            return [code] + ofExposure.filter { $0 != code }
        // Both show the same setting.
        case .nikonShutterSpeed, .exposureTime: return [.nikonShutterSpeed, .exposureTime]
        case .nikonISO, .exposureIndex: return [.nikonISO, .exposureIndex]
        case .focusMode, .nikonFocusMode, .nikonLiveViewFocusMode:
            return [.focusMode, .nikonFocusMode, .nikonLiveViewFocusMode]
        default: return used.contains(code) ? [code] : []
        }
    }

    private static let ofExposure: [PropertyCode] = [
        .exposureProgramMode, .nikonShutterSpeed, .exposureTime, .fNumber, .nikonISO, .exposureIndex, .nikonAutoISO,
        .exposureBiasCompensation,
    ]

    /// More values than any body lists (an ISO list has 41).
    package static let choicesMax = 1024

    private var entries: [PropertyCode: Entry] = [:]
    /// The speeds of ``entries``, which are needed often.
    package private(set) var speedList: NikonSpeedList?
    /// The number of changes so far. With an unchanged number, nothing must be reported.
    package private(set) var revision = 0

    package init() {}

    /// nil: the body did not report the property.
    package subscript(_ code: PropertyCode) -> Entry? { entries[code] }

    package func number(_ code: PropertyCode) -> Int64? { entries[code]?.value }

    // MARK: Reports of the body

    /// Notes the answer of GetDevicePropDesc.
    ///
    /// - Throws: `NikonValueError` when the dataset is damaged, is that of another property, is not about numbers or
    ///   has more values than any body lists. The store then keeps what it knows.
    package mutating func note(
        descriptor data: ByteBuffer,
        of code: PropertyCode,
        at requestedAt: Duration
    ) throws(NikonValueError) {
        let descriptor: DevicePropDesc
        do throws(DatasetError) {
            descriptor = try DevicePropDesc(decoding: data)
        } catch {
            throw .dataset(code, error)
        }
        guard descriptor.code == code else { throw .wrongProperty(code, found: descriptor.code) }
        guard let value = descriptor.currentValue.integer else { throw .notANumber(code, descriptor.type) }
        let entry = Entry(
            type: descriptor.type,
            value: value,
            choices: try Self.choices(descriptor),
            isWritable: descriptor.isWritable,
            reportedAt: requestedAt
        )
        keep(entry, of: code)
    }

    /// Notes the answer of GetDevicePropValue. Without a descriptor the value has no known type and is ignored.
    ///
    /// - Throws: `NikonValueError` when the value is incomplete.
    package mutating func note(
        value data: ByteBuffer,
        of code: PropertyCode,
        at requestedAt: Duration
    ) throws(NikonValueError) {
        guard var entry = entries[code] else { return }
        var reader = DatasetReader(data)
        let value: PTPValue
        do throws(DatasetError) {
            value = try reader.value("Value", of: entry.type)
        } catch {
            throw .dataset(code, error)
        }
        guard let number = value.integer else { throw .notANumber(code, entry.type) }
        entry.value = number
        entry.reportedAt = requestedAt
        keep(entry, of: code)
    }

    /// Notes that the body does not have the property, or no longer.
    package mutating func noteMissing(_ code: PropertyCode) {
        guard entries.removeValue(forKey: code) != nil else { return }
        revision += 1
        updateSpeeds(code)
    }

    private mutating func keep(_ entry: Entry, of code: PropertyCode) {
        guard Self.used.contains(code) else { return }
        var before = entries[code]
        entries[code] = entry
        before?.reportedAt = entry.reportedAt
        guard before != entry else { return }
        revision += 1
        updateSpeeds(code)
    }

    private mutating func updateSpeeds(_ code: PropertyCode) {
        guard code == .nikonShutterSpeed || code == .exposureTime else { return }
        let source: NikonSpeedList.Source = entries[.nikonShutterSpeed] == nil ? .tenths : .fractions
        guard let entry = entries[source.code] else { return speedList = nil }
        let values = entry.choices.compactMap(UInt32.init(exactly:))
        // Each frame changes the value, and the list stays.
        if let list = speedList, list.source == source, list.values == values { return }
        speedList = NikonSpeedList(source, values)
    }

    private static func choices(_ descriptor: DevicePropDesc) throws(NikonValueError) -> [Int64] {
        switch descriptor.form {
        case .none: return []
        case .enumeration(let values):
            guard values.count <= choicesMax else {
                throw .tooManyValues(descriptor.code, count: values.count, limit: choicesMax)
            }
            return values.compactMap(\.integer)
        case .range(let min, let max, let step):
            guard let min = min.integer, let max = max.integer, let step = step.integer, step > 0, min <= max else {
                return []
            }
            // A long range, such as that of the shots left, is no list of choices.
            let (span, overflow) = max.subtractingReportingOverflow(min)
            guard !overflow, span / step < rangeMax else { return [] }
            return Array(stride(from: min, through: max, by: Int64.Stride(step)))
        }
    }

    /// The greatest number of values of a range that is shown as a list.
    private static let rangeMax: Int64 = 256
}

/// Why an answer about properties cannot be used. The text is ``sentence``.
package enum NikonValueError: Error, Hashable, Sendable {
    /// The dataset is damaged. Without a property it is the list of properties.
    case dataset(PropertyCode?, DatasetError)
    /// The dataset describes another property.
    case wrongProperty(PropertyCode, found: PropertyCode)
    /// The dataset has more values than any body lists.
    case tooManyValues(PropertyCode?, count: Int, limit: Int)
    /// The property is no number of 64 bits.
    case notANumber(PropertyCode, PTPDataType)
}

/// A write of a property: the data of SetDevicePropValue.
package struct NikonPropertyWrite: Hashable, Sendable {
    package let code: PropertyCode
    package let value: PTPValue

    package init(_ code: PropertyCode, _ value: PTPValue) {
        self.code = code
        self.value = value
    }

    package var encoded: ByteBuffer {
        var writer = DatasetWriter()
        writer.value(value)
        return writer.buffer
    }
}

/// The next step toward a value that the user or the core wants.
package enum NikonPropertyStep: Hashable, Sendable {
    /// The body shows the value.
    case shown
    /// The driver writes this and reads the property again. Then it asks for the next step.
    case write(NikonPropertyWrite)
    /// The body does not offer the value now.
    case notOffered
}

extension NikonPropertyStore {
    /// The step toward a number of a property.
    func step(toward number: Int64, _ code: PropertyCode) -> NikonPropertyStep {
        guard let entry = self[code] else { return .notOffered }
        if entry.value == number { return .shown }
        guard let value = PTPValue(number, as: entry.type) else { return .notOffered }
        return .write(NikonPropertyWrite(code, value))
    }
}
