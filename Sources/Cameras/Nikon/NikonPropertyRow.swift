import PTP

/// One row of a table: a neutral property, its properties on Nikon bodies and their notation.
package struct NikonPropertyRow: Sendable {
    /// The text for a number; nil: the number means that the body has nothing to show, or that it cannot be chosen.
    typealias Text = @Sendable (_ number: Int64, _ store: NikonPropertyStore) -> String?

    /// One of Nikon's properties as the source of a neutral property.
    struct Source: Sendable {
        let code: PropertyCode
        let text: Text
        /// Whether a value of the body's list can be chosen.
        var isChoice: @Sendable (Int64, NikonPropertyStore) -> Bool = { _, _ in true }
    }

    package let property: CameraProperty
    /// The first source that can be written is used, or the first one that the body has.
    let sources: [Source]
    /// The property with which the body chooses the value by itself; nil: there is none.
    var automatic: PropertyCode?

    package var codes: [PropertyCode] { sources.map(\.code) }

    /// All rows, in the order of the reports.
    package static let table: [NikonPropertyRow] = [
        NikonPropertyRow(property: .shutterSpeed, sources: [speed(.nikonShutterSpeed), speed(.exposureTime)]),
        NikonPropertyRow(
            property: .iso,
            sources: [.nikonISO, .exposureIndex].map { code in Source(code: code) { number, _ in "\(number)" } },
            automatic: .nikonAutoISO
        ),
        NikonPropertyRow(property: .aperture, sources: [Source(code: .fNumber) { number, _ in aperture(number) }]),
        NikonPropertyRow(
            property: .exposureCompensation,
            sources: [Source(code: .exposureBiasCompensation) { number, _ in compensation(number) }]
        ),
        NikonPropertyRow(property: .whiteBalance, sources: [named(.whiteBalance, NikonWhiteBalance.self)]),
        NikonPropertyRow(property: .drive, sources: [named(.stillCaptureMode, NikonReleaseMode.self)]),
        NikonPropertyRow(
            property: .focusMode,
            sources: [
                named(.focusMode, NikonFocusMode.self),
                autofocus(.nikonFocusMode, NikonAutofocusMode.self),
                autofocus(.nikonLiveViewFocusMode, NikonLiveViewFocusMode.self),
            ]
        ),
        NikonPropertyRow(
            property: .quality,
            sources: [
                Source(code: .compressionSetting) { number, store in
                    let numbering = NikonQuality.Numbering(store[.compressionSetting]?.choices ?? [])
                    return NikonQuality(number, numbering).text ?? "\(number)"
                }
            ]
        ),
        NikonPropertyRow(property: .saveTarget, sources: [named(.nikonRecordingMedia, NikonRecordingMedia.self)]),
    ]

    package static func row(of property: CameraProperty) -> NikonPropertyRow {
        guard let row = table.first(where: { $0.property == property }) else {
            preconditionFailure("the command checks that the property has a row")
        }
        return row
    }

    // MARK: States

    private func source(in store: NikonPropertyStore) -> (Source, NikonPropertyStore.Entry)? {
        let reported = sources.compactMap { source in store[source.code].map { (source, $0) } }
        // The speed is always that of 0xD100 if the body has it.
        if property == .shutterSpeed { return reported.first }
        return reported.first { $1.isWritable } ?? reported.first
    }

    /// The body's property that is shown and written; nil: the body has none.
    package func code(in store: NikonPropertyStore) -> PropertyCode? { source(in: store)?.0.code }

    /// The state for the core; nil: the body does not have the property.
    package func state(in store: NikonPropertyStore) -> PropertyState? {
        guard let (source, entry) = source(in: store) else { return nil }
        let choices = entry.isWritable ? choices(source, entry, in: store).map(\.text) : []
        let isAutomatic = automatic.flatMap(store.number).map { $0 != 0 } ?? false
        return PropertyState(
            property: property,
            value: isAutomatic ? Self.automaticText : source.text(entry.value, store),
            choices: choices + (canBeAutomatic(in: store) ? [Self.automaticText] : []),
            isWritable: !choices.isEmpty,
            driveKind: property == .drive ? store.releaseMode?.kind : nil
        )
    }

    /// The step toward a text. The values are those of the body's own list.
    package func step(toward text: String, in store: NikonPropertyStore) -> NikonPropertyStep {
        guard let (source, entry) = source(in: store) else { return .notOffered }
        let key = PropertyNotation.key(text)
        if key == PropertyNotation.key(Self.automaticText), let automatic, canBeAutomatic(in: store) {
            return store.step(toward: 1, automatic)
        }
        let choice = choices(source, entry, in: store).first { PropertyNotation.key($0.text) == key }
        guard let choice else { return .notOffered }
        // Two values can have one name, so a value that the body shows by this name needs no write.
        let isShown = source.text(entry.value, store).map { PropertyNotation.key($0) == key } ?? false
        let step = isShown ? .shown : store.step(toward: choice.value, source.code)
        guard step == .shown, let automatic, store[automatic] != nil else { return step }
        return store.step(toward: 0, automatic)
    }

    private func choices(
        _ source: Source,
        _ entry: NikonPropertyStore.Entry,
        in store: NikonPropertyStore
    ) -> [(value: Int64, text: String)] {
        entry.choices.compactMap { value in
            guard source.isChoice(value, store), let text = source.text(value, store) else { return nil }
            return (value, text)
        }
    }

    private func canBeAutomatic(in store: NikonPropertyStore) -> Bool {
        automatic.flatMap { store[$0] }?.isWritable ?? false
    }

    private static let automaticText = "Auto"

    // MARK: Notation

    /// Bulb, Time and the speed of the flash are shown, but they are no choices.
    private static func speed(_ code: PropertyCode) -> Source {
        Source(code: code) { number, store in
            UInt32(exactly: number).flatMap { store.speedList?.text(of: $0) }
        } isChoice: { number, store in
            UInt32(exactly: number).flatMap { store.speedList?.isTimed($0) } ?? false
        }
    }

    private static func named<Value: NamedNumber>(_ code: PropertyCode, _ values: Value.Type) -> Source {
        Source(code: code) { number, _ in
            Value.RawValue(exactly: number).map { Value(rawValue: $0).description }
        }
    }

    private static func autofocus<Value: NamedNumber>(_ code: PropertyCode, _ values: Value.Type) -> Source {
        var source = named(code, values)
        source.isChoice = { number, _ in number != Int64(NikonAutofocusMode.fixedManual.rawValue) }
        return source
    }

    /// `f/2.8`; nil: the lens reports no aperture (0).
    private static func aperture(_ hundredths: Int64) -> String? {
        guard hundredths > 0 else { return nil }
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "f/\(whole)" }
        let digits = rest % 10 == 0 ? "\(rest / 10)" : "\(100 + rest)".dropFirst()
        return "f/\(whole).\(digits)"
    }

    /// EV × 1000 as `+0.3`, `0`, `-1.7`. Thirds are written as 333 and 666 on the wire.
    private static func compensation(_ thousandths: Int64) -> String {
        if thousandths == 0 { return "0" }
        let tenths = (thousandths.magnitude + 50) / 100
        return "\(thousandths < 0 ? "-" : "+")\(tenths / 10).\(tenths % 10)"
    }
}
