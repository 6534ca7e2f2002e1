import PTP

/// The body's present report of one neutral property, and the writes for each of its values.
package struct SonyPropertyOffer: Sendable {
    /// One of Sony's properties, and the value that the body must show for it.
    package struct Write: Hashable, Sendable {
        package let code: PropertyCode
        package let value: PTPValue
    }

    /// A value that can be set.
    package struct Option: Hashable, Sendable {
        package let text: String
        /// The writes in their order. The body must show one value before the next write.
        package let writes: [Write]
    }

    /// The state in photographic notation.
    package let state: PropertyState
    /// The values that can be set now. `state.choices` contains their texts.
    let options: [Option]
    let source: SonyPropertyRow.Source
    private let main: SonyPropertyRecord
    private let detail: SonyPropertyRecord?

    /// The greatest number of choices. An RX100 VII lists up to 62 values, Sony's documents up to 153.
    static let choicesMax = 512
    /// A range with this number of steps or more is not listed.
    static let rangeChoicesMax: Int64 = 256
    private static let textLengthMax = 64

    /// - Parameter detail: The record of the source's second property, if the body has it.
    init(
        _ property: CameraProperty,
        _ source: SonyPropertyRow.Source,
        _ main: SonyPropertyRecord,
        detail: SonyPropertyRecord?
    ) {
        self.source = source
        self.main = main
        self.detail = detail
        let isWritable = Self.isWritable(source, main, detail)
        let options = isWritable ? Self.options(source, main, detail) : []
        self.options = options
        state = PropertyState(
            property: property,
            value: Self.text(source, main, detail),
            choices: options.map(\.text),
            isWritable: isWritable,
            driveKind: property == .drive ? Self.driveKind(main) : nil
        )
    }

    /// The records of the property.
    private var records: [SonyPropertyRecord] { [main] + (detail.map { [$0] } ?? []) }

    /// Whether this value was made from these records.
    func isMade(of main: SonyPropertyRecord, _ detail: SonyPropertyRecord?) -> Bool {
        self.main == main && self.detail == detail
    }

    // MARK: Value

    /// The value as text. The value of an unavailable property is not reliable (PTP 3 p.122).
    private static func text(
        _ source: SonyPropertyRow.Source,
        _ main: SonyPropertyRecord,
        _ detail: SonyPropertyRecord?
    ) -> String? {
        guard main.availability != .disabled, let number = main.currentValue.integer,
            let text = source.words.format(number, main.type)
        else { return nil }
        guard let rule = source.detail, rule.applies(number), let detail, detail.availability != .disabled,
            let more = detail.currentValue.integer.flatMap({ rule.words.format($0, detail.type) })
        else { return text }
        return "\(text) \(more)"
    }

    /// The kind of the drive mode; nil: the value is not reliable.
    private static func driveKind(_ main: SonyPropertyRecord) -> DriveKind? {
        guard main.availability != .disabled, let number = main.currentValue.integer else { return nil }
        return UInt32(exactly: number).map { SonyDriveMode(rawValue: $0).kind }
    }

    private static func isWritable(
        _ source: SonyPropertyRow.Source,
        _ main: SonyPropertyRecord,
        _ detail: SonyPropertyRecord?
    ) -> Bool {
        switch source.change {
        // UNSURE: notches move these properties, even if the flags of their records say display only.
        case .notches: return main.availability != .disabled
        case .value:
            if main.isWritable { return true }
            guard let rule = source.detail, let number = main.currentValue.integer else { return false }
            return main.availability != .disabled && rule.applies(number) && detail?.isWritable == true
        }
    }

    // MARK: Choices

    private static func options(
        _ source: SonyPropertyRow.Source,
        _ main: SonyPropertyRecord,
        _ detail: SonyPropertyRecord?
    ) -> [Option] {
        let isFixed = source.detail != nil && !main.isWritable
        let firsts = isFixed ? [main.currentValue] : candidates(main)
        var options: [Option] = []
        var texts: Set<String> = []
        for value in firsts where options.count < choicesMax {
            guard let number = value.integer, let text = source.words.format(number, main.type) else { continue }
            let first = Option(text: text, writes: isFixed ? [] : [Write(code: main.code, value: value)])
            for option in detailed(first, number, source.detail, detail)
            where options.count < choicesMax && texts.insert(option.text).inserted {
                options.append(option)
            }
        }
        return options
    }

    /// Combines a value of the first property with each value of the second, if the second one applies.
    private static func detailed(
        _ first: Option,
        _ number: Int64,
        _ rule: SonyPropertyRow.Detail?,
        _ detail: SonyPropertyRecord?
    ) -> [Option] {
        guard let rule, let detail, rule.applies(number) else { return [first] }
        var values = detail.availability == .displayOnly ? [detail.currentValue] : candidates(detail)
        // Some bodies list no settable values while the second property does not apply.
        if values.isEmpty, case .enumeration(_, let supported?) = detail.form { values = supported }
        let options = values.compactMap { value -> Option? in
            guard let text = value.integer.flatMap({ rule.words.format($0, detail.type) }) else { return nil }
            let write = Write(code: detail.code, value: value)
            return Option(text: "\(first.text) \(text)", writes: first.writes + [write])
        }
        return options.isEmpty ? [first] : options
    }

    /// The values that can be set now, or all values of a short range.
    private static func candidates(_ record: SonyPropertyRecord) -> [PTPValue] {
        switch record.form {
        case .none: return []
        case .enumeration(let settable, _): return settable
        case .range(let min, let max, let step):
            guard let low = min.integer, let high = max.integer, let width = step.integer, width > 0, low <= high,
                let count = high.distance(from: low).map({ $0 / width }), count < rangeChoicesMax
            else { return [] }
            return (0...count).compactMap { PTPValue(low + $0 * width, as: record.type) }
        }
    }

    /// The option for a text, or for another spelling of the same value. If the body lists nothing, any value that the
    /// form allows is an option.
    package func option(for text: String) -> Option? {
        guard text.count <= Self.textLengthMax else { return nil }
        let key = PropertyNotation.key(text)
        if let option = options.first(where: { PropertyNotation.key($0.text) == key }) { return option }
        guard let number = source.words.parse(text), let name = source.words.format(number, main.type) else {
            return nil
        }
        if !options.isEmpty { return options.first { $0.text == name } }
        guard state.isWritable, !main.hasList, let value = value(of: number, named: name), main.allows(value) else {
            return nil
        }
        return Option(text: name, writes: [Write(code: main.code, value: value)])
    }

    /// The number in the property's type. Version 2 bodies have only the low half of the drive mode.
    private func value(of number: Int64, named name: String) -> PTPValue? {
        if let value = PTPValue(number, as: main.type) { return value }
        let half = number & 0xFFFF
        return source.words.format(half, main.type) == name ? PTPValue(half, as: main.type) : nil
    }

    // MARK: Open writes

    /// The first write whose value the body does not show yet; nil: the body shows all values.
    func next(of writes: [Write]) -> Write? {
        writes.first { write in
            !records.contains { $0.code == write.code && $0.availability != .disabled && shows($0, write) }
        }
    }

    /// Whether a record shows a value. Texts are compared too, because bodies send some values in two forms.
    private func shows(_ record: SonyPropertyRecord, _ write: Write) -> Bool {
        if record.currentValue == write.value { return true }
        guard record.code == main.code, let shown = record.currentValue.integer, let wanted = write.value.integer,
            let name = source.words.format(wanted, record.type)
        else { return false }
        return source.words.format(shown, record.type) == name
    }

    /// Whether the body accepts a write now.
    func takes(_ write: Write) -> Bool {
        switch source.change {
        case .notches: main.availability != .disabled
        case .value: records.contains { $0.code == write.code && $0.isWritable }
        }
    }

    /// The value of the first property, if it is reliable.
    var number: Int64? { main.availability == .disabled ? nil : main.currentValue.integer }
}

extension SonyPropertyRecord {
    /// Whether values are listed. A version 3 body without a list allows no change; a version 2 body may allow one.
    fileprivate var hasList: Bool {
        guard case .enumeration(let settable, let supported) = form else { return false }
        return !settable.isEmpty || supported != nil
    }

    /// Whether the form allows a value. A step of 0 means that there is no step.
    fileprivate func allows(_ value: PTPValue) -> Bool {
        guard case .range(let min, let max, let step) = form else { return true }
        if let notches = speedNotches {
            let speed = value.integer.flatMap(UInt32.init(exactly:)).map(SonyShutterSpeed.init(rawValue:))
            return speed?.notch.map(notches.contains) ?? false
        }
        guard let value = value.integer, let low = min.integer, let high = max.integer else { return true }
        guard (low...Swift.max(low, high)).contains(value) else { return false }
        guard let width = step.integer, width > 1, let rest = value.distance(from: low) else {
            return true
        }
        return rest % width == 0
    }
}

extension Int64 {
    fileprivate func distance(from low: Int64) -> Int64? {
        let (distance, overflow) = subtractingReportingOverflow(low)
        return overflow ? nil : distance
    }
}
