import Controller
import Exposure

extension ConfigurationReader {
    static let lineKeys = ["chip", "line", "active-low"]
    static let lampKeys = lineKeys + ["exposing"]
    static let buttonKeys =
        lineKeys + ["bias", "debounce", "min-press", "hold", "settle", "lockout", "while-shooting"]

    enum PlanKey: String, CaseIterable {
        case shadow, highlight, frames, spacing, bias, share, strict
    }

    /// The valid line numbers. No known chip has more than a thousand lines.
    private static let numbers = 0...4095
    /// The valid lengths of a name (<linux/gpio.h>, GPIO_MAX_NAME_SIZE without the terminating zero).
    private static let nameLengths = 1...31

    /// The valid times for `debounce`. A switch that bounces for longer is broken.
    private static let debounces = Duration.zero ... .milliseconds(100)
    /// The valid times for `min-press`. They are shorter than the shortest hold, so that a press is not a hold.
    private static let shortest = Duration.zero ... .milliseconds(400)
    private static let holds = Duration.milliseconds(500) ... .seconds(30)
    private static let pauses = Duration.zero ... .seconds(60)

    /// Reads a key of a line's section. Ignores the keys that name the line.
    mutating func readBoard(
        _ key: String,
        _ value: TOMLValue,
        _ path: [String],
        into configuration: inout Configuration
    ) {
        switch (path[0], key) {
        case (_, "chip"), (_, "line"): break
        case ("button", "active-low"): set(&configuration.board.button.isActiveLow, to: flag(value, path))
        case ("lamp", "active-low"): set(&configuration.board.lamp.isActiveLow, to: flag(value, path))
        case ("buzzer", "active-low"): set(&configuration.board.buzzer.isActiveLow, to: flag(value, path))
        case (_, "exposing"): set(&configuration.board.lampShowsExposing, to: flag(value, path))
        case (_, "bias"):
            if let text = string(value, path) { set(&configuration.board.bias, to: word(text, path)) }
        case (_, "debounce"): set(&configuration.board.debounce, to: time(value, path, Self.debounces))
        case (_, "min-press"): set(&configuration.buttonRules.pressMin, to: time(value, path, Self.shortest))
        case (_, "hold"): set(&configuration.buttonRules.hold, to: time(value, path, Self.holds))
        case (_, "settle"): set(&configuration.buttonRules.settle, to: time(value, path, Self.pauses))
        case (_, "lockout"): set(&configuration.buttonRules.lockout, to: time(value, path, Self.pauses))
        default:
            if let text = string(value, path) { set(&configuration.pressWhileShooting, to: word(text, path)) }
        }
    }

    /// Returns the line that a section names, or nil if it names none. Notes a fault and returns nil for invalid keys.
    mutating func place(_ table: TOMLValue, _ section: String) -> GPIOLocation? {
        let chipPath = [section, "chip"]
        let linePath = [section, "line"]
        let chip = table["chip"].flatMap { chipName($0, chipPath) }
        guard let value = table["line"] else {
            if table["chip"] != nil { note(chipPath, ConfigurationSentences.lineMissing) }
            return nil
        }
        if let number = value.int {
            guard Self.numbers.contains(number) else {
                note(linePath, ConfigurationSentences.notLineNumber(number, max: Self.numbers.upperBound))
                return nil
            }
            if table["chip"] == nil { note(linePath, ConfigurationSentences.chipMissing) }
            return GPIOLocation(chip: chip, line: .number(number))
        }
        guard let name = value.string else {
            note(linePath, ConfigurationSentences.notLine(found: value.kind))
            return nil
        }
        return checkName(name, linePath) ? GPIOLocation(chip: chip, line: .name(name)) : nil
    }

    private mutating func chipName(_ value: TOMLValue, _ path: [String]) -> String? {
        guard let name = string(value, path) else { return nil }
        if name.hasPrefix("/") { return checkedPath(name, path) }
        return checkName(name, path) ? name : nil
    }

    private mutating func checkName(_ name: String, _ path: [String]) -> Bool {
        let isName = Self.nameLengths.contains(name.utf8.count) && !name.unicodeScalars.contains { $0.value < 0x20 }
        let lengthMax = Self.nameLengths.upperBound
        if !isName { note(path, ConfigurationSentences.notLineName(name, byteCountMax: lengthMax)) }
        return isName
    }

    mutating func checkPlaces(_ board: BoardConfiguration) {
        let places = [("button", board.button.place), ("lamp", board.lamp.place), ("buzzer", board.buzzer.place)]
        for (index, (section, place)) in places.enumerated() {
            guard let place, let other = places[..<index].first(where: { $0.1 == place }) else { continue }
            note([section, "line"], ConfigurationSentences.lineInUse(by: other.0))
        }
    }

    private mutating func time(
        _ value: TOMLValue,
        _ path: [String],
        _ possible: ClosedRange<Duration>
    ) -> Duration? {
        guard let text = string(value, path) else { return nil }
        if let time = TimeText.parse(text), possible.contains(time) { return time }
        note(path, ConfigurationSentences.notTime(text, possible: possible))
        return nil
    }

    private func set<Value>(_ place: inout Value, to value: Value?) {
        if let value { place = value }
    }

    /// Reads the keys of a plan's section. Notes a fault for each invalid key and uses its default value.
    mutating func plan(_ table: TOMLValue) -> PlanRequest {
        let usual = PlanRequest.usual
        let share: Configuration.Share? = text(table, .share).flatMap { word($0.text, $0.path) }
        do throws(PlanError) {
            return try PlanRequest(
                shadow: parsed(table, .shadow, ShutterSpeed.init(parsing:)) ?? usual.shadow,
                highlight: parsed(table, .highlight, ShutterSpeed.init(parsing:)) ?? usual.highlight,
                framesPerSet: frames(table) ?? usual.framesPerSet,
                spacing: spacing(table) ?? usual.spacing,
                sharing: share == .once ? .once : .twice,
                biasThirds: parsed(table, .bias, PlanRequest.biasThirds(parsing:)) ?? usual.biasThirds
            )
        } catch {
            // Every other key was checked alone, so the fault concerns the number of frames.
            note(Self.path(.frames), error.sentence)
            return usual
        }
    }

    private static func path(_ key: PlanKey) -> [String] { ["plan", key.rawValue] }

    private mutating func frames(_ table: TOMLValue) -> Int? {
        guard let value = table[PlanKey.frames.rawValue] else { return nil }
        if value.int == nil { note(Self.path(.frames), ConfigurationSentences.notFramesPerSet(found: value.kind)) }
        return value.int
    }

    private mutating func spacing(_ table: TOMLValue) -> Spacing? {
        guard let value = table[PlanKey.spacing.rawValue] else { return nil }
        let ev = value.double ?? value.int.map(Double.init)
        let spacing = ev.flatMap(Spacing.init(ev:))
        if spacing == nil { note(Self.path(.spacing), ConfigurationSentences.notSpacing(ev, value.kind)) }
        return spacing
    }

    private mutating func text(_ table: TOMLValue, _ key: PlanKey) -> (text: String, path: [String])? {
        let path = Self.path(key)
        return table[key.rawValue].flatMap { string($0, path) }.map { ($0, path) }
    }

    private mutating func parsed<Value, Refusal: Error & CustomStringConvertible>(
        _ table: TOMLValue,
        _ key: PlanKey,
        _ parse: (String) throws(Refusal) -> Value
    ) -> Value? {
        guard let (text, path) = text(table, key) else { return nil }
        do throws(Refusal) {
            return try parse(text)
        } catch {
            note(path, error.description)
            return nil
        }
    }
}
