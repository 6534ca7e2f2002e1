import Controller
import Foundation
import SCXML
import Statecharts

/// A chart's file with one change, as a table that the behavior of the compiled chart can run. With it, tests show that
/// a check finds an error in a chart.
enum BrokenChart {
    /// - Parameters:
    ///   - text: the text to replace. It occurs exactly once in the file; comments and line breaks do not matter.
    ///   - change: the replacement.
    static func table<Definition: ChartDefinition>(
        _ definition: Definition.Type,
        replacing text: String,
        by change: String
    ) -> ChartTable<Definition.Bits> {
        let file = ModelRun.file(of: Definition.names.chart)
        guard let source = try? String(contentsOf: file, encoding: .utf8) else {
            preconditionFailure("\(file.path) can be read")
        }
        let parts = joined(source).components(separatedBy: joined(text))
        precondition(parts.count == 2, "\(text) stands in \(file.lastPathComponent) once")
        let chart = Chart(reading: Data(parts.joined(separator: change).utf8))
        guard let lowered = chart.lowered else { preconditionFailure("still a chart: \(chart.diagnostics)") }
        // Names are numbered in the order of their appearance, so an omitted name shifts the later numbers.
        let names = Definition.names
        precondition(lowered.names.states == names.states, "the states stay as they are")
        let numbering = Numbering(from: lowered.names, to: names)
        return ChartTable(
            name: names.chart,
            states: lowered.states,
            transitions: lowered.transitions.map(numbering.transition),
            blocks: lowered.blocks.map { $0.map(numbering.operation) },
            eventCount: names.events.count
        )
    }

    /// The text without comments, and without spaces between elements.
    private static func joined(_ text: String) -> String {
        let elements = text.replacing(/<!--.*?-->/.dotMatchesNewlines(), with: "")
        return elements.replacing(/>\s+</, with: "><").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Converts numbers of one chart's names to the numbers of the same names in another chart.
    private struct Numbering {
        let from: ChartNames
        let to: ChartNames

        private func number(_ number: Int, _ names: (ChartNames) -> [String]) -> Int {
            guard let found = names(to).firstIndex(of: names(from)[number]) else {
                preconditionFailure("\(names(from)[number]) is a name of the compiled chart")
            }
            return found
        }

        func transition(_ row: TransitionRow) -> TransitionRow {
            var row = row
            if case .events(let events) = row.trigger { row.trigger = .events(events.map { number($0) { $0.events } }) }
            switch row.condition {
            case .holds(let name): row.condition = .holds(number(name) { $0.guards })
            case .fails(let name): row.condition = .fails(number(name) { $0.guards })
            case .always, .active, .inactive, .evaluates: break
            }
            return row
        }

        func operation(_ operation: Statecharts.Operation) -> Statecharts.Operation {
            func id(_ number: Int?) -> Int? { number.map { self.number($0) { $0.sendIDs } } }
            return switch operation {
            case .perform(let action): .perform(number(action) { $0.actions })
            case .raise(let event): .raise(number(event) { $0.events })
            case .send(let event, let send): .send(number(event) { $0.events }, id: id(send))
            case .sendAfter(let time, let event, let send):
                .sendAfter(milliseconds: time, number(event) { $0.events }, id: id(send))
            case .sendAfterDelay(let delay, let event, let send):
                .sendAfterDelay(number(delay) { $0.delays }, number(event) { $0.events }, id: id(send))
            case .cancel(let send): .cancel(number(send) { $0.sendIDs })
            case .log, .evaluate: operation
            }
        }
    }
}
