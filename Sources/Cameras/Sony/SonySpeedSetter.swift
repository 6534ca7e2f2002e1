import Exposure
import PTP

/// The way in which a body accepts a new speed, and the speeds that it accepts if it has no list.
struct SonySpeedSetter: Hashable, Sendable {
    enum Method: Hashable, Sendable {
        /// As a value that 0x9205 writes to this property.
        case absolute(PropertyCode)
        /// In notches by 0x9207. One notch takes the time `each`.
        case notches(each: Duration)
    }

    var method: Method
    /// Whether the rules of version 3 decide if the speed can be set. On version 2 the record of 0xD20D is only for
    /// display, whatever its flags say.
    var isByRecord: Bool
    /// The range of the speeds if the body has no list.
    var range: ClosedRange<Int> = SonyShutterSpeed.notches

    /// Version 3, and every body whose property 0xD20D can be written.
    static let version3 = Self(method: .absolute(.sonyShutterSpeed), isByRecord: true)

    /// The speeds that can be set now, in the body's encoding. On version 2 without a list: the speeds of the
    /// third-stop scale in the body's range.
    func settableSpeeds(_ dataset: SonyPropertyDataset) -> [SonyShutterSpeed] {
        let codes: [PropertyCode] =
            switch method {
            case .absolute(.sonyShutterSpeed), .notches: [.sonyShutterSpeed]
            case .absolute(let code): [code, .sonyShutterSpeed]
            }
        for code in codes {
            let listed = dataset[code]?.settableValues ?? []
            if !listed.isEmpty {
                return listed.compactMap { $0.integer.flatMap(UInt32.init(exactly:)).map(SonyShutterSpeed.init) }
            }
            if let ends = dataset[code]?.speedNotches { return Self.speeds(in: ends.clamped(to: range)) }
            if isByRecord { return [] }
        }
        return Self.speeds(in: range)
    }

    /// The third-stop speeds in a range of notches.
    private static func speeds(in range: ClosedRange<Int>) -> [SonyShutterSpeed] {
        ShutterSpeed.all.filter { range.contains(SonyShutterSpeed.notch(of: $0)) }.map(SonyShutterSpeed.init)
    }

    func isWritable(_ dataset: SonyPropertyDataset, _ mode: ExposureMode) -> Bool {
        guard let record = dataset[.sonyShutterSpeed] else { return false }
        if isByRecord { return record.isWritable }
        // The record of the written property shows whether the speed can be set now. While the body writes, it cannot.
        if case .absolute(let code) = method, let absolute = dataset[code], !absolute.isWritable { return false }
        return record.availability != .disabled && (mode == .manual || mode == .shutterPriority)
    }

    /// The way to set the speed, in the core's terms.
    var setting: SpeedSetting {
        switch method {
        case .absolute: .absolute
        case .notches(let each): .stepwise(perNotch: each)
        }
    }
}

extension SonyPropertyRecord {
    /// The range of speeds in notches. nil: the form contains no speeds, for example 0 to 0xFFFFFFFF on most version 2
    /// bodies. An ILCE-7M4 has 1/8000 to 30/1, an ILCE-6700 1/4000 to 30/1 (LGD).
    var speedNotches: ClosedRange<Int>? {
        guard code == .sonyShutterSpeed, case .range(let first, let last, _) = form else { return nil }
        let ends = [first, last].compactMap { $0.integer.flatMap(UInt32.init(exactly:)) }
            .compactMap { SonyShutterSpeed(rawValue: $0).shutterSpeed }.map(SonyShutterSpeed.notch)
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[0]...ends[1]
    }
}

extension SonyBody {
    /// The way to set the speed. The extension version decides; on version 2 the absolute property must be in 0x9202's
    /// list or in 0x9209. Version 3 bodies use the number of that property for another one.
    mutating func speedSetter(_ dataset: SonyPropertyDataset, at now: Duration) -> SonySpeedSetter {
        guard version == .version2 else { return .version3 }
        let shown = dataset[.sonyShutterSpeed]?.currentValue.integer.flatMap(UInt32.init(exactly:))
        if let notch = shown.flatMap({ SonyShutterSpeed(rawValue: $0).notch }) { steps.note(shown: notch) }
        let absolute = PropertyCode.sonyShutterSpeedVersion2
        let hasAbsolute = listed?.properties.contains(absolute) ?? false || dataset[absolute] != nil
        return SonySpeedSetter(
            method: hasAbsolute && !steps.isAbsoluteRefused ? .absolute(absolute) : .notches(each: quirks.perNotch),
            isByRecord: false,
            range: speedRange(at: now)
        )
    }

    /// The range of the model, limited by the ends that this session found.
    private func speedRange(at now: Duration) -> ClosedRange<Int> {
        let all = SonyShutterSpeed.notches
        let fastest = max(quirks.fastestNotch ?? all.lowerBound, all.lowerBound)
        return steps.range(within: fastest...max(fastest, all.upperBound), at: now)
    }
}
