import NIOCore
import PTP

/// One row of a table: a neutral property, its property on Canon bodies and its notation.
package struct CanonPropertyRow: Sendable {
    package let property: CameraProperty
    package let code: PropertyCode
    /// The text for a value; nil: the value means that the body has nothing to show. `choices` are the body's present
    /// choices.
    let format: @Sendable (_ words: [UInt32], _ choices: [[UInt32]]) -> String?

    /// All rows, in the order of the reports.
    package static let table: [CanonPropertyRow] = [
        number(.shutterSpeed, .canonShutterSpeed) { CanonShutterSpeed(rawValue: $0).text },
        number(.iso, .canonISO) { CanonISO(rawValue: $0).text },
        number(.aperture, .canonAperture) { CanonAperture(rawValue: $0).text },
        number(.exposureCompensation, .canonExposureCompensation) { CanonExposureCompensation(rawValue: $0).text },
        number(.whiteBalance, .canonWhiteBalance) { CanonWhiteBalance(rawValue: $0).description },
        number(.drive, .canonDriveMode) { CanonDriveMode(rawValue: $0).description },
        number(.focusMode, .canonFocusMode) { CanonFocusMode(rawValue: $0).description },
        CanonPropertyRow(property: .quality, code: .canonImageFormat) { words, _ in
            CanonImageFormat(words[...])?.text
        },
        CanonPropertyRow(property: .saveTarget, code: .canonSaveTarget) { words, choices in
            let list = choices.compactMap(\.first).map(CanonSaveTarget.init(rawValue:))
            return words.first.map { CanonSaveTarget(rawValue: $0).text(among: list) }
        },
    ]

    /// A property whose value is one number.
    private static func number(
        _ property: CameraProperty,
        _ code: PropertyCode,
        _ text: @escaping @Sendable (UInt32) -> String?
    ) -> CanonPropertyRow {
        CanonPropertyRow(property: property, code: code) { words, _ in words.first.flatMap(text) }
    }

    static func row(of property: CameraProperty) -> CanonPropertyRow {
        guard let row = table.first(where: { $0.property == property }) else {
            preconditionFailure("the command checks that the property has a row")
        }
        return row
    }

    /// The state for the core; nil: the body did not report the property.
    package func state(in store: CanonPropertyStore) -> PropertyState? {
        let entry = store[code]
        guard entry.reportedAt != nil else { return nil }
        let isWritable = property == .shutterSpeed ? store.isSpeedWritable : !entry.choices.isEmpty
        return PropertyState(
            property: property,
            value: format(entry.words, entry.choices),
            choices: isWritable ? entry.choices.compactMap { format($0, entry.choices) } : [],
            isWritable: isWritable,
            driveKind: property == .drive ? entry.words.first.map { CanonDriveMode(rawValue: $0).kind } : nil
        )
    }

    /// The value of the body's list for a text; nil: the list has no such value. The driver writes only values of the
    /// list, because other values are rejected as busy.
    package func value(for text: String, in store: CanonPropertyStore) -> [UInt32]? {
        let choices = store[code].choices
        let key = PropertyNotation.key(text)
        return choices.first { words in
            // In the mode Fv the list contains a speed that the body chooses. It must never be written.
            if property == .shutterSpeed, words.first == CanonShutterSpeed.automatic.rawValue { return false }
            return format(words, choices).map { PropertyNotation.key($0) == key } ?? false
        }
    }
}

/// The data of SetDevicePropValueEx: the size of all fields, the property and the value. Each number is a u32, whatever
/// its type.
package struct CanonPropertyWrite: Hashable, Sendable {
    package var code: PropertyCode
    package var words: [UInt32]

    package init(_ code: PropertyCode, _ words: [UInt32]) {
        self.code = code
        self.words = words
    }

    package var encoded: ByteBuffer {
        var writer = DatasetWriter()
        writer.integer(UInt32(8 + words.count * 4))
        writer.integer(UInt32(code.rawValue))
        for word in words { writer.integer(word) }
        return writer.buffer
    }
}
