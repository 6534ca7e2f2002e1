import Cameras
import Exposure
import PTP

/// The parts of a specification between its separators. The parser removes each part that it reads. Remaining parts are
/// errors.
struct FaultParts {
    let text: String
    let entry: FaultGrammar.Entry
    private var frameText: Substring?
    private var phaseText: Substring?
    private var valueText: Substring?
    private var options: [(key: Substring, value: Substring)] = []
    private var flags: [Substring] = []

    init(_ text: String) throws(FaultError) {
        self.text = text
        let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
        var head = pieces.first ?? ""
        if let mark = head.firstIndex(of: "=") {
            valueText = head[head.index(after: mark)...]
            head = head[..<mark]
        }
        if let mark = head.firstIndex(of: ":") {
            phaseText = head[head.index(after: mark)...]
            head = head[..<mark]
        }
        if let mark = head.firstIndex(of: "@") {
            frameText = head[head.index(after: mark)...]
            head = head[..<mark]
        }
        guard let entry = FaultGrammar.list.first(where: { $0.name == head }) else {
            let names = FaultGrammar.list.map(\.name).joined(separator: ", ")
            throw FaultError(specification: text, reason: "there is no such fault; the faults are \(names)")
        }
        self.entry = entry
        for piece in pieces.dropFirst() {
            guard let mark = piece.firstIndex(of: "=") else {
                guard entry.takes(piece) else { throw error("'\(piece)' is not KEY=VALUE") }
                flags.append(piece)
                continue
            }
            options.append((piece[..<mark], piece[piece.index(after: mark)...]))
        }
    }

    func error(_ reason: String) -> FaultError {
        FaultError(specification: text, reason: "\(reason); the form is \(entry.form)")
    }

    /// Rejects remaining parts. If a part were ignored, the user would expect a fault that never happens.
    func finish() throws(FaultError) {
        if frameText != nil { throw error("it allows no frame") }
        if phaseText != nil { throw error("it allows no phase") }
        if valueText != nil { throw error("it allows no value") }
        if let flag = flags.first { throw error("it allows '\(flag)' only once") }
        if let (key, _) = options.first { throw error("it allows no '\(key)', or only one") }
    }

    mutating func optionalFrame() throws(FaultError) -> Int? {
        guard let text = frameText else { return nil }
        frameText = nil
        guard let frame = Int(text), (1...Fault.countMax).contains(frame) else {
            throw error("'\(text)' is not a frame; frames are numbered from 1")
        }
        return frame
    }

    mutating func frame() throws(FaultError) -> Int {
        guard let frame = try optionalFrame() else { throw error("the frame is missing") }
        return frame
    }

    mutating func framePhase() throws(FaultError) -> Fault.FramePhase? {
        guard let text = phaseText else { return nil }
        phaseText = nil
        guard let phase = Fault.FramePhase(rawValue: String(text)) else {
            let names = Fault.FramePhase.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("'\(text)' is not a phase; the phases are \(names)")
        }
        return phase
    }

    mutating func optionalValue() -> Substring? {
        defer { valueText = nil }
        return valueText
    }

    mutating func value() throws(FaultError) -> Substring {
        guard let value = optionalValue() else { throw error("the value is missing") }
        return value
    }

    /// The value, split at its colon.
    mutating func pair() throws(FaultError) -> (Substring, Substring?) {
        let value = try value()
        guard let mark = value.firstIndex(of: ":") else { return (value, nil) }
        return (value[..<mark], value[value.index(after: mark)...])
    }

    private mutating func option(_ key: Substring) -> Substring? {
        guard let index = options.firstIndex(where: { $0.key == key }) else { return nil }
        return options.remove(at: index).value
    }

    /// Whether a word without a value was given.
    mutating func flag(_ name: String) -> Bool {
        guard let index = flags.firstIndex(where: { $0 == name }) else { return false }
        flags.remove(at: index)
        return true
    }

    mutating func times() throws(FaultError) -> Int? { try option("times").map(count) }

    mutating func back() throws(FaultError) -> Duration? { try option("back").map(duration) }

    mutating func after() throws(FaultError) -> Duration? { try option("after").map(duration) }

    mutating func count() throws(FaultError) -> Int { try count(try value()) }

    func count(_ text: Substring) throws(FaultError) -> Int {
        guard let count = Int(text), (1...Fault.countMax).contains(count) else {
            throw error("'\(text)' is not a count from 1")
        }
        return count
    }

    func duration(_ text: Substring) throws(FaultError) -> Duration { try read(text, DurationText.parse) }

    /// Reads an amount of at least one byte.
    func byteCount(_ text: Substring) throws(FaultError) -> Int { try read(text, ByteCountText.parse) }

    private func read<Value, Problem: Error & CustomStringConvertible>(
        _ text: Substring,
        _ parse: (String) throws(Problem) -> Value
    ) throws(FaultError) -> Value {
        do throws(Problem) { return try parse(String(text)) } catch { throw self.error(error.description) }
    }

    func place(_ text: Substring) throws(FaultError) -> NetworkPlace {
        guard let place = NetworkPlace(parsing: String(text)) else {
            throw error("'\(text)' is not an address, such as 192.168.122.1, 192.168.122.1:15740 or [fe80::1]:15740")
        }
        return place
    }

    /// Reads an IPv4 address. SSDP uses no other addresses here.
    func host(_ text: Substring) throws(FaultError) -> IPAddress {
        guard let host = IPAddress(String(text)), host.isIPv4 else {
            throw error("'\(text)' is not an IPv4 address")
        }
        return host
    }

    /// Reads the value as one of several words.
    ///
    /// - Parameters:
    ///   - noun: what a word is, for messages: "a sign of a picture".
    ///   - plural: the name of all words: "the signs".
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ noun: String,
        _ plural: String
    ) throws(FaultError) -> Word where Word.RawValue == String {
        try word(try value(), noun, plural)
    }

    /// The same with a text that was read already.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: Substring,
        _ noun: String,
        _ plural: String
    ) throws(FaultError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: String(name)) else {
            let names = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("'\(name)' is not \(noun); \(plural) are \(names)")
        }
        return word
    }

    mutating func speed() throws(FaultError) -> ShutterSpeed { try speed(try value()) }

    func speed(_ text: Substring) throws(FaultError) -> ShutterSpeed { try read(text, ShutterSpeed.init(parsing:)) }

    func mode(_ text: Substring) throws(FaultError) -> DialMode {
        guard let mode = DialMode(rawValue: text.uppercased()) else {
            throw error("'\(text)' is not a mode; the modes are M, S, A and P")
        }
        return mode
    }

    /// Reads a GUID: 32 hexadecimal digits.
    func guid(_ text: Substring) throws(FaultError) -> GUID {
        let digits = Array(text)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(digits[index...index + 1]), radix: 16)
        }
        guard digits.count == GUID.byteCount * 2, let guid = GUID(bytes: bytes) else {
            throw error("'\(text)' is not a GUID, which has 32 hexadecimal digits")
        }
        return guid
    }

    /// Reads an Init_Fail reason: a number, or the name of one of the three reasons on which all sources agree.
    func reason(_ text: Substring) throws(FaultError) -> UInt32 {
        guard let reason = ["rejected": 1, "busy": 2, "unspecified": 3][text] ?? UInt32(text) else {
            throw error("'\(text)' is not a reason; use rejected, busy, unspecified or a number")
        }
        return reason
    }

    func commandKind(_ text: Substring) throws(FaultError) -> Fault.CommandKind {
        if let kind = Self.commandKinds[text] { return kind }
        guard text.hasPrefix("0x"), let code = UInt16(text.dropFirst(2), radix: 16) else {
            throw error(
                "'\(text)' is not an operation; use any, change, open, set, control, shutter, read, object or a "
                    + "code such as 0x9205"
            )
        }
        return .operation(code)
    }

    private static let commandKinds: [Substring: Fault.CommandKind] = [
        "any": .any, "change": .change, "open": .open, "set": .set, "control": .control, "shutter": .shutter,
        "read": .read, "object": .object,
    ]
}
