import Foundation

extension RunJournal {
    /// The reason why a journal cannot be replayed, as a sentence.
    public typealias Refusal = RunScript.Refusal

    /// A journal or a replay file. A replay file has only the inputs.
    public struct Recording: Sendable {
        /// The path of the chart's file, as written in the header.
        public let source: String
        let digest: String
        let options: ChartRunner.Options
        let inputs: [(at: Int64, name: String, data: ScriptValue)]
        /// The records as written in the file. Empty for a replay file.
        let records: [String]
        let lastTime: Int64

        /// The maximum size of a journal in bytes.
        public static let sizeMax = 64 << 20

        /// Reads a journal.
        public init(reading data: Data) throws(Refusal) {
            guard data.count <= Self.sizeMax else {
                throw Refusal(message: "\(data.count) bytes; a journal has at most \(Self.sizeMax)")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw Refusal(message: "not a journal: it is not UTF-8")
            }
            let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            guard let first = lines.first, case .object(let header)? = try? ScriptValue(json: first),
                header["replay"] == .number(1), case .string(let digest)? = header["digest"],
                case .string(let source)? = header["source"]
            else {
                throw Refusal(
                    message: "line 1: not a journal header: {\"replay\":1,\"digest\":\"SHA-256 of the chart\","
                        + "\"source\":\"FILE.scxml\"}"
                )
            }
            self.source = source
            self.digest = digest
            options = try Self.options(header["model"] ?? .undefined)
            var inputs: [(at: Int64, name: String, data: ScriptValue)] = []
            var records: [String] = []
            var time: Int64 = 0
            for (index, text) in lines.enumerated().dropFirst() where !text.isEmpty {
                let line = try Self.line(text, number: index + 1, notBefore: time)
                time = line.at
                if let input = line.input { inputs.append((line.at, input.name, input.data)) }
                if line.isRecord { records.append(text) }
            }
            guard records.isEmpty || records.count == lines.dropFirst().count(where: { !$0.isEmpty }) else {
                throw Refusal(message: "some lines have steps and some do not: neither a journal nor a replay file")
            }
            self.inputs = inputs
            self.records = records
            lastTime = time
        }

        private static func line(
            _ text: String,
            number: Int,
            notBefore earliest: Int64
        ) throws(Refusal) -> (at: Int64, input: (name: String, data: ScriptValue)?, isRecord: Bool) {
            guard case .object(let members)? = try? ScriptValue(json: text), case .number(let at)? = members["at"],
                at == at.rounded(), at >= Double(earliest), at <= Double(RunScript.millisecondsMax)
            else {
                throw Refusal(message: "line \(number): not a record, or its \"at\" is earlier than the line above")
            }
            let isRecord = members["steps"] != nil
            guard let input = members["input"] else { return (Int64(at), nil, isRecord) }
            guard case .string(let name) = input, RunEvents.canBeName(name) else {
                throw Refusal(message: "line \(number): its \"input\" is not an event name")
            }
            return (Int64(at), (name, members["data"] ?? .undefined), isRecord)
        }

        private static func options(_ model: ScriptValue) throws(Refusal) -> ChartRunner.Options {
            var options = ChartRunner.Options()
            guard case .object(let model) = model else { return options }
            if case .object(let guards)? = model["guards"] {
                for (name, value) in guards {
                    guard case .boolean(let answer) = value else {
                        throw Refusal(message: "line 1: the guard '\(name)' must be true or false")
                    }
                    options.names.guards[name] = answer
                }
            }
            if case .object(let delays)? = model["delays"] {
                for (name, value) in delays {
                    guard case .number(let time) = value, time >= 0, time <= Double(RunNames.delayMax) else {
                        throw Refusal(message: "line 1: the delay '\(name)' is not a number of milliseconds")
                    }
                    options.names.delays[name] = Int64(time)
                }
            }
            options.microstepsMax = try limit("maxMicrosteps", model) ?? options.microstepsMax
            options.deliveriesMax = try limit("maxDeliveries", model) ?? options.deliveriesMax
            return options
        }

        /// Reads and checks a limit in the header, because a journal of unknown origin must not disable the limits.
        private static func limit(_ name: String, _ model: NameTable<ScriptValue>) throws(Refusal) -> Int? {
            guard let value = model[name] else { return nil }
            guard case .number(let number) = value, (1...1e6).contains(number) else {
                throw Refusal(message: "line 1: \(name) is not a number from 1 to 1000000")
            }
            return Int(number)
        }
    }

    /// The result of replaying a recording.
    public struct Replay: Sendable {
        /// Two records that differ. `recorded` or `replayed` is nil if that side has no record at this line.
        public struct Difference: Sendable, Equatable {
            /// The line in the journal, counted from 1.
            public let line: Int
            /// The record in the journal.
            public let recorded: String?
            /// The record of the replay.
            public let replayed: String?
        }

        /// The records of the replay.
        public let lines: [String]
        /// The differences between the recorded and the replayed records, in order.
        public let differences: [Difference]
        /// Whether the file had only inputs, so that the replay had no records to compare.
        public let isScriptOnly: Bool

        /// Whether every record is equal.
        public var isIdentical: Bool { differences.isEmpty }

        /// Sends the inputs of a recording to a new machine.
        ///
        /// - Parameter evenIfChanged: whether to replay although the chart has changed since the recording.
        public init(_ recording: Recording, on chart: Chart, evenIfChanged: Bool = false) throws(Refusal) {
            guard chart.digest == recording.digest || evenIfChanged else {
                throw Refusal(
                    message: "the journal belongs to another version of \(recording.source): "
                        + "--against-changed-chart shows the differences"
                )
            }
            guard var runner = ChartRunner(chart, recording.options) else {
                throw Refusal(message: "\(recording.source) is too large to run")
            }
            var journal = RunJournal(chart, source: recording.source, recording.options)
            journal.append(runner.start())
            for input in recording.inputs where runner.overrun == nil {
                journal.append(runner.advance(toMilliseconds: input.at))
                journal.append(runner.handle(.event(input.name, input.data)))
            }
            if runner.overrun == nil { journal.append(runner.advance(toMilliseconds: recording.lastTime)) }
            lines = Array(journal.lines.dropFirst())
            isScriptOnly = recording.records.isEmpty
            differences = isScriptOnly ? [] : Self.differences(recording.records, lines)
        }

        private static func isSame(_ left: String?, _ right: String?) -> Bool {
            guard let left, let right else { return false }
            return left.isSame(as: right)
        }

        private static func differences(_ recorded: [String], _ replayed: [String]) -> [Difference] {
            (0..<max(recorded.count, replayed.count)).compactMap { index in
                let left = index < recorded.count ? recorded[index] : nil
                let right = index < replayed.count ? replayed[index] : nil
                // Line 1 is the header, and indices start at 0.
                return isSame(left, right) ? nil : Difference(line: index + 2, recorded: left, replayed: right)
            }
        }
    }
}
