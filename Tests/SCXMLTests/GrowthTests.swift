import Foundation
import SCXML
import Testing

/// Tests that the cost of a file with many equal parts grows with their number, not with the square of the number.
@Suite struct GrowthTests {
    private static let head = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"Big\""

    /// Files that have a given number of equal parts.
    private static let files: [@Sendable (Int) -> String] = [
        // Unknown attributes.
        { count in head + (0..<count).map { " a\($0)=''" }.joined() + "><state id=\"a\"/></scxml>" },
        // Unknown elements.
        { count in head + "><state id=\"a\">" + (0..<count).map { "<e\($0)/>" }.joined() + "</state></scxml>" },
        // Unknown targets.
        { count in
            head + "><state id=\"a\">" + (0..<count).map { "<transition event=\"e\" target=\"t\($0)\"/>" }.joined()
                + "</state></scxml>"
        },
        // States, and unknown targets beside them.
        { count in
            head + ">"
                + (0..<count / 2).map {
                    "<state id=\"s\($0)\"><transition event=\"e\" target=\"t\($0)\"/></state>"
                }.joined()
                + "</scxml>"
        },
        // Different actions and log lines.
        { count in
            head
                + " xmlns:bd=\"urn:bracketd:chart:1\" datamodel=\"swift\">"
                + "<state id=\"a\" bd:waits=\"forever\"><onentry>"
                + (0..<count / 2).map { "<bd:do action=\"a\($0)\"/><log label=\"l\($0)\"/>" }.joined()
                + "</onentry><transition event=\"e\" target=\"b\"/></state><final id=\"b\"/></scxml>"
        },
        // Different events.
        { count in
            head + "><state id=\"a\"><onentry>" + (0..<count).map { "<raise event=\"e\($0)\"/>" }.joined()
                + "</onentry></state></scxml>"
        },
    ]

    @Test(arguments: files.indices, [Chart.Profile.dialect, .recommendation, .picture])
    func `the cost of errors grows less than quadratically`(file: Int, profile: Chart.Profile) {
        let (small, large) = (Data(Self.files[file](2_000).utf8), Data(Self.files[file](20_000).utf8))
        _ = Chart(reading: small, as: profile)
        let first = threadTime { _ = Chart(reading: small, as: profile) }
        let second = threadTime { _ = Chart(reading: large, as: profile) }
        // A quadratic cost would be 100 times higher.
        #expect(second < first * 50)
    }

    @Test func `each error is reported once`() {
        let chart = Chart(reading: Data(Self.files[0](3_000).utf8))
        #expect(chart.diagnostics.count == 3_000)
        #expect(Set(chart.diagnostics).count == 3_000)
    }

    @Test func `the cost of a run's timers grows less than quadratically`() throws {
        func cost(_ count: Int) throws -> Duration {
            let text =
                Self.head + "><state id=\"a\"><onentry>"
                + (1...count).map { "<send event=\"t\" id=\"t\($0)\" delay=\"\($0)ms\"/>" }.joined()
                + (1...count / 2).map { "<cancel sendid=\"t\($0)\"/>" }.joined()
                + "</onentry><transition event=\"t\"/></state></scxml>"
            let chart = Chart(reading: Data(text.utf8), as: .recommendation)
            var options = ChartRunner.Options()
            options.deliveriesMax = .max
            options.keepsSteps = false
            var runner = try #require(ChartRunner(chart, options))
            return threadTime {
                _ = runner.start()
                #expect(runner.handle(.after(1_000_000)).isRunning)
            }
        }
        _ = try cost(1_000)
        #expect(try cost(20_000) < cost(2_000) * 50)
    }
}
