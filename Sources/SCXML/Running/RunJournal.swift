import Foundation
import Statecharts

/// The journal of a run: a header, and one line for each macrostep with its cause and its results.
///
/// The results depend only on the chart and the inputs. So a journal is also a test: a replay must give the same bytes.
public struct RunJournal: Sendable {
    /// The lines: first the header, then the records.
    public private(set) var lines: [String]
    private var count = 0
    private let chartName: String

    /// The content of the file. Each line ends with a newline.
    public var text: String { lines.map { $0 + "\n" }.joined() }

    /// A journal that contains only its header.
    ///
    /// - Parameter source: the path of the chart's file. A later replay reads the chart from it.
    public init(_ chart: Chart, source: String, _ options: ChartRunner.Options) {
        chartName = chart.document?.name ?? ""
        let names = options.names
        let guards = names.guards.sorted.map { ($0.key, "\($0.value)") }
        let delays = names.delays.sorted.map { ($0.key, "\($0.value)") }
        let model = JSONText.object([
            ("guards", JSONText.object(guards)), ("delays", JSONText.object(delays)),
            ("maxMicrosteps", "\(options.microstepsMax)"), ("maxDeliveries", "\(options.deliveriesMax)"),
        ])
        lines = [
            JSONText.object([
                ("replay", "1"), ("chart", JSONText.quoted(chartName)), ("digest", JSONText.quoted(chart.digest)),
                ("model", model), ("seed", "0"), ("source", JSONText.quoted(source)),
            ])
        ]
    }

    /// Appends one record for each macrostep of an outcome.
    public mutating func append(_ outcome: ChartRunner.Outcome) {
        for macrostep in outcome.macrosteps {
            lines.append(record(macrostep, outcome))
            count += 1
        }
    }

    // MARK: Records

    private func record(_ macrostep: RunMacrostep, _ outcome: ChartRunner.Outcome) -> String {
        let names = outcome.names
        var members = [
            ("n", "\(count)"), ("at", "\(macrostep.time.wholeMilliseconds)"), ("chart", JSONText.quoted(chartName)),
        ]
        switch macrostep.cause {
        case .start: members.append(("start", "true"))
        case .input(let event):
            members.append(("input", JSONText.quoted(names.events[event])))
            if outcome.data != .undefined { members.append(("data", outcome.data.json)) }
        case .timer(let event, _): members.append(("timer", JSONText.quoted(names.events[event])))
        case .sent(let event): members.append(("sent", JSONText.quoted(names.events[event])))
        }
        let actions = macrostep.steps.flatMap(\.actions)
        let logs = macrostep.steps.flatMap(\.logged).map { outcome.logs[$0] }
        let effects = actions.map { JSONText.object([(names.program.actions.names[$0], "{}")]) } + logs.map(\.json)
        members += [
            ("steps", JSONText.array(macrostep.steps.filter { !$0.isDropped }.map { step($0, names) })),
            ("state", JSONText.array(macrostep.leaves.map { JSONText.quoted(names.program.name(ofState: $0)) })),
            ("effects", JSONText.array(effects)),
        ]
        return JSONText.object(members)
    }

    private func step(_ step: RunStep, _ names: RunRecordNames) -> String {
        let states = { (numbers: [Int]) in
            JSONText.array(numbers.map { JSONText.quoted(names.program.name(ofState: $0)) })
        }
        let sent = step.sent.map { sent in
            JSONText.array([
                sent.id.map { JSONText.quoted(names.sendIDs[$0]) } ?? "null",
                JSONText.quoted(names.events[sent.event]),
                "\(sent.due.wholeMilliseconds)",
            ])
        }
        return JSONText.object([
            ("event", step.event.map { JSONText.quoted(names.events[$0]) } ?? "null"),
            ("took", JSONText.array(step.transitions.map(String.init))),
            ("exit", states(step.exited)),
            ("enter", states(step.entered)),
            ("do", JSONText.array(step.actions.map { JSONText.quoted(names.program.actions.names[$0]) })),
            ("send", JSONText.array(sent)),
            ("cancel", JSONText.array(step.cancelled.map { JSONText.quoted(names.sendIDs[$0]) })),
        ])
    }
}
