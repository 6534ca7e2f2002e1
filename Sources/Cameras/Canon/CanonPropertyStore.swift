import Exposure
import PTP

/// The properties of a body as its event lists reported them. The store has at most one entry for each property that
/// the driver uses, so its size is limited.
package struct CanonPropertyStore: Sendable {
    package struct Entry: Hashable, Sendable {
        /// The last reported value; empty: not reported.
        package fileprivate(set) var words: [UInt32] = []
        /// The values that can be set now. A structure has several words.
        package fileprivate(set) var choices: [[UInt32]] = []
        /// The time of the request whose list reported the value.
        package fileprivate(set) var reportedAt: Duration?
    }

    /// The properties that the driver uses. The body reports many more.
    static let used: [PropertyCode] =
        CanonPropertyRow.table.map(\.code) + [
            .canonExposureMode, .canonBattery, .canonShotsLeft, .canonDisplayInfoVersion, .canonLiveViewOutput,
            .canonLiveViewMode, .canonStorage, .canonFolder,
        ]

    private var entries: [PropertyCode: Entry] = [:]
    /// The number of changes so far. With an unchanged number, nothing must be reported.
    private(set) var revision = 0

    package init() {}

    package subscript(_ code: PropertyCode) -> Entry { entries[code] ?? Entry() }

    /// The value of a property that is one number; nil: not reported.
    package func number(_ code: PropertyCode) -> UInt32? { entries[code]?.words.first }

    /// Notes a value from a list that was requested at this time.
    mutating func note(_ code: PropertyCode, words: [UInt32], at requestedAt: Duration) {
        guard Self.used.contains(code), !words.isEmpty else { return }
        var entry = self[code]
        if entry.words != words { revision += 1 }
        entry.words = words
        entry.reportedAt = requestedAt
        entries[code] = entry
    }

    /// Notes the present choices. Some bodies send them several times in one list; the last ones hold.
    ///
    /// - Parameter count: the number that the record declares. Only the choices that the record contains count.
    mutating func note(_ code: PropertyCode, count: Int, words: [UInt32]) {
        guard Self.used.contains(code) else { return }
        let choices: [[UInt32]]
        if code == .canonImageFormat {
            choices = Self.structures(count: count, words)
        } else {
            // An R10 in P lists the speed 0x1500, which has no meaning.
            let valid = words.prefix(count).filter { code != .canonShutterSpeed || $0 <= 0xFF }
            choices = valid.map { [$0] }
        }
        guard self[code].choices != choices else { return }
        revision += 1
        entries[code, default: Entry()].choices = choices
    }

    private static func structures(count: Int, _ words: [UInt32]) -> [[UInt32]] {
        var rest = words[...]
        var structures: [[UInt32]] = []
        while structures.count < count, let format = CanonImageFormat(rest) {
            structures.append(format.words)
            rest = rest.dropFirst(format.words.count)
        }
        return structures
    }

    // MARK: The speed

    package var speed: CanonShutterSpeed? { number(.canonShutterSpeed).map(CanonShutterSpeed.init(rawValue:)) }

    /// The speeds that can be set now, in the body's order.
    package var settableSpeeds: [CanonShutterSpeed] {
        self[.canonShutterSpeed].choices.compactMap(\.first).map(CanonShutterSpeed.init(rawValue:))
    }

    package var mode: CanonExposureMode? { number(.canonExposureMode).map(CanonExposureMode.init(rawValue:)) }

    /// Whether the speed can be set now: in M or Tv, with a list. In other modes the value is the metered speed.
    package var isSpeedWritable: Bool {
        (mode == .manual || mode == .timeValue) && settableSpeeds.contains { $0.shutterSpeed != nil }
    }

    // MARK: The status

    package var saveTarget: CanonSaveTarget? { number(.canonSaveTarget).map(CanonSaveTarget.init(rawValue:)) }

    package var saveTargets: [CanonSaveTarget] {
        self[.canonSaveTarget].choices.compactMap(\.first).map(CanonSaveTarget.init(rawValue:))
    }

    package var shotsLeft: Int? { number(.canonShotsLeft).map { Int($0) } }

    package var status: CameraStatus {
        let focus = number(.canonFocusMode).map(CanonFocusMode.init(rawValue:))
        let iso = number(.canonISO).map(CanonISO.init(rawValue:))
        return CameraStatus(
            mode: mode?.exposureMode ?? .other("unknown mode"),
            modeName: mode?.description,
            speeds: Set(settableSpeeds.compactMap(\.shutterSpeed)).sorted(),
            speed: speed.flatMap { $0 == .absent ? nil : $0.reading },
            speedIsWritable: isSpeedWritable,
            batteryPercent: number(.canonBattery).flatMap(CanonBattery.init(rawValue:))?.percent,
            shotsLeft: shotsLeft,
            // The setting is one of the custom functions, whose structure depends on the body.
            noiseReduction: .unknown,
            focusMode: focus?.description,
            isManualFocus: focus.map { $0 == .manual },
            iso: iso?.text,
            isISOAuto: iso?.isAuto,
            aperture: number(.canonAperture).flatMap { CanonAperture(rawValue: $0).text },
            saveTarget: saveTarget?.text(among: saveTargets),
            savesToHostAlone: saveTarget.map { $0.isHost && !$0.isCard } ?? false,
            fileKinds: CanonImageFormat(self[.canonImageFormat].words[...])?.kinds
        )
    }
}
