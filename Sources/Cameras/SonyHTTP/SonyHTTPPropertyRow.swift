import JSON

/// One row of a table: a neutral property, its methods and its object in an event.
package struct SonyHTTPPropertyRow: Sendable {
    /// The form of the values in methods and events.
    package enum Form: Hashable, Sendable {
        /// The parameter is the value itself.
        case value
        /// The parameter and the results are objects with this member and a list `candidate`.
        case object(String)
        /// Numbers of steps with the greatest one, the least one and the size of a step.
        case compensation
        /// The mode of the white balance, with a colour temperature.
        case whiteBalance
    }

    package let property: CameraProperty
    /// The common part of the methods: `IsoSpeedRate`.
    package let setting: String
    /// The type of the object in an event.
    package let type: String
    /// The member of that object with the present value.
    package let currentKey: String
    /// The member of that object with the values that can be set; nil: events do not list them.
    package let candidatesKey: String?
    package let form: Form
    package let text: SonyHTTPPropertyText

    /// All rows, in the order of the reports (event objects: API Reference v2.40 and a real ILCE-5000).
    package static let table: [SonyHTTPPropertyRow] = [
        shutterSpeed,
        row(.iso, "IsoSpeedRate", "isoSpeedRate", .iso),
        row(.aperture, "FNumber", "fNumber", .aperture),
        SonyHTTPPropertyRow(
            property: .exposureCompensation,
            setting: "ExposureCompensation",
            type: "exposureCompensation",
            currentKey: "currentExposureCompensation",
            candidatesKey: nil,
            form: .compensation,
            text: .plain
        ),
        SonyHTTPPropertyRow(
            property: .whiteBalance,
            setting: "WhiteBalance",
            type: "whiteBalance",
            currentKey: "currentWhiteBalanceMode",
            candidatesKey: nil,
            form: .whiteBalance,
            text: .whiteBalance
        ),
        object(.drive, "ContShootingMode", "contShootingMode", .drive),
        row(.focusMode, "FocusMode", "focusMode", .plain),
        object(.quality, "StillQuality", "stillQuality", .plain),
        row(.exposureMode, "ExposureMode", "exposureMode", .exposureMode),
        row(.flash, "FlashMode", "flashMode", .flash),
        row(.selfTimer, "SelfTimer", "selfTimer", .selfTimer),
        row(.postviewSize, "PostviewImageSize", "postviewImageSize", .plain),
        object(.zoomSetting, "ZoomSetting", "zoomSetting", member: "zoom", .plain),
    ]

    package static let shutterSpeed = row(.shutterSpeed, "ShutterSpeed", "shutterSpeed", .shutterSpeed)

    /// A property whose event object has `current…` and `…Candidates`.
    private static func row(
        _ property: CameraProperty,
        _ setting: String,
        _ type: String,
        _ text: SonyHTTPPropertyText
    ) -> SonyHTTPPropertyRow {
        SonyHTTPPropertyRow(
            property: property,
            setting: setting,
            type: type,
            currentKey: "current\(setting)",
            candidatesKey: "\(type)Candidates",
            form: .value,
            text: text
        )
    }

    /// A property whose values are objects.
    private static func object(
        _ property: CameraProperty,
        _ setting: String,
        _ type: String,
        member: String? = nil,
        _ text: SonyHTTPPropertyText
    ) -> SonyHTTPPropertyRow {
        SonyHTTPPropertyRow(
            property: property,
            setting: setting,
            type: type,
            currentKey: member ?? type,
            candidatesKey: "candidate",
            form: .object(member ?? type),
            text: text
        )
    }

    /// nil: bodies with HTTP do not have this property.
    package static func row(of property: CameraProperty) -> SonyHTTPPropertyRow? {
        table.first { $0.property == property }
    }

    package var setter: SonyHTTPMethod { .set(setting) }

    /// The methods that return the value, the best one first.
    package var readers: [SonyHTTPMethod] { [.getAvailable(setting), .get(setting)] }
}

extension SonyHTTPPropertyRow {
    /// The greatest number of steps of the exposure compensation to each side. Known bodies have 9 or 15.
    private static let stepsMax = 60

    // MARK: Events

    /// The value in an object of an event; nil: the object has no value in the expected form. An empty text means that
    /// the setting is not valid now.
    package func value(in object: [String: JSONValue]) -> SonyHTTPPropertyValue? {
        switch form {
        case .value, .object:
            guard let current = object[currentKey], isValid(current) else { return nil }
            let list = candidatesKey.flatMap { object[$0]?.arrayValue }
            return SonyHTTPPropertyValue(current: current, candidates: list.map(usable))
        case .compensation:
            return compensation(
                object[currentKey],
                max: object["maxExposureCompensation"],
                min: object["minExposureCompensation"],
                step: object["stepIndexOfExposureCompensation"]
            )
        case .whiteBalance:
            guard let current = object[currentKey], isValid(current) else { return nil }
            return SonyHTTPPropertyValue(current: current, kelvin: Self.kelvin(object["currentColorTemperature"]))
        }
    }

    // MARK: Results

    /// The value in the result of one of the `readers`; nil: the result has another form.
    package func value(in result: [JSONValue]) -> SonyHTTPPropertyValue? {
        guard let first = result.first else { return nil }
        switch form {
        case .value:
            guard isValid(first) else { return nil }
            return SonyHTTPPropertyValue(current: first, candidates: result.dropFirst().first?.arrayValue.map(usable))
        case .object(let key):
            guard let current = first[key], isValid(current) else { return nil }
            return SonyHTTPPropertyValue(current: current, candidates: first["candidate"]?.arrayValue.map(usable))
        case .compensation:
            // `[current, max, min, step]`, or `[current]` from the short getter.
            guard result.count >= 4 else { return compensation(first, max: nil, min: nil, step: nil) }
            return compensation(first, max: result[1], min: result[2], step: result[3])
        case .whiteBalance:
            guard let current = first["whiteBalanceMode"], isValid(current) else { return nil }
            let modes = result.dropFirst().first?.arrayValue?.compactMap { $0["whiteBalanceMode"] }
            return SonyHTTPPropertyValue(
                current: current,
                candidates: modes.map(usable),
                kelvin: Self.kelvin(first["colorTemperature"])
            )
        }
    }

    /// The values in the result of `getSupported…`: `[[value, …]]`.
    func supported(in result: [JSONValue]) -> [JSONValue] { usable(result.first?.arrayValue ?? []) }

    private func isValid(_ value: JSONValue) -> Bool {
        property == .selfTimer ? value.intValue != nil : value.stringValue != nil
    }

    private func usable(_ list: [JSONValue]) -> [JSONValue] {
        list.prefix(SonyHTTPLimits.namesMax).filter { text.format($0) != nil }
    }

    private static func kelvin(_ value: JSONValue?) -> Int? {
        value?.intValue.flatMap { (1...100_000).contains($0) ? $0 : nil }
    }

    private func compensation(
        _ current: JSONValue?,
        max: JSONValue?,
        min: JSONValue?,
        step: JSONValue?
    ) -> SonyHTTPPropertyValue? {
        guard let current, let index = current.intValue, (-Self.stepsMax...Self.stepsMax).contains(index) else {
            return nil
        }
        guard max != nil else { return SonyHTTPPropertyValue(current: current) }
        let steps = -Self.stepsMax...Self.stepsMax
        // `[0, 0, 0, 0]`: the body allows no compensation now.
        guard let step = step?.intValue.flatMap(SonyHTTPCompensationStep.init), let high = max?.intValue,
            let low = min?.intValue, low < high, steps.contains(low), steps.contains(high)
        else { return SonyHTTPPropertyValue(current: current, candidates: []) }
        return SonyHTTPPropertyValue(current: current, candidates: (low...high).map { .int($0) }, step: step)
    }

    // MARK: Texts

    /// The text for users; nil: the body shows nothing.
    package func text(of value: JSONValue, in state: SonyHTTPPropertyValue) -> String? {
        switch form {
        case .compensation: value.intValue.map { (state.step ?? .third).text(of: $0) }
        case .value, .object, .whiteBalance: text.format(value)
        }
    }

    /// The body's value for a text; nil: the body does not list it now. BULB is never a choice.
    package func value(for wanted: String, in state: SonyHTTPPropertyValue) -> JSONValue? {
        let key = PropertyNotation.key(wanted)
        return settable(in: state).first { value in
            text(of: value, in: state).map { PropertyNotation.key($0) == key } ?? false
        }
    }

    /// The values that the driver sets.
    package func settable(in state: SonyHTTPPropertyValue) -> [JSONValue] {
        let listed = state.candidates ?? []
        let candidates = listed.isEmpty ? state.supported ?? [] : listed
        guard property == .shutterSpeed else { return candidates }
        return candidates.filter { $0.stringValue != SonyHTTPShutterSpeed.bulb.rawValue }
    }

    /// The parameters of the setter.
    package func parameters(_ value: JSONValue, in state: SonyHTTPPropertyValue) -> [JSONValue] {
        switch form {
        case .value, .compensation: [value]
        case .object(let key): [.object([key: value])]
        // The third parameter is used only with a colour temperature. The driver keeps the present one.
        case .whiteBalance where value.stringValue == "Color Temperature": [value, true, .int(state.kelvin ?? 5500)]
        case .whiteBalance: [value, false, -1]
        }
    }

    /// The state for the core.
    package func state(_ value: SonyHTTPPropertyValue, hasSetter: Bool) -> PropertyState {
        let choices = hasSetter ? settable(in: value).compactMap { text(of: $0, in: value) } : []
        return PropertyState(
            property: property,
            value: text(of: value.current, in: value),
            choices: choices,
            isWritable: !choices.isEmpty
        )
    }
}
