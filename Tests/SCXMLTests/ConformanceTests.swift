import Foundation
import SCXML
import Testing

@Suite struct ConformanceTests {
    private func findings(_ source: String) throws -> [String] {
        let chart = Chart(reading: try Fixtures.data("../Charts/features.scxml"))
        return ConformanceCheck.findings(in: source, for: try #require(chart.lowered)).map { $0.line(file: "F.swift") }
    }

    @Test func `functions that the chart names are accepted`() throws {
        let source = """
            extension Model: FeaturesBehavior {
                func isLarge(_ int: Int) -> Bool {
                    func isInside() -> Bool { true }
                    return isInside()
                }
                mutating func `keep`(_ int: Int, _ effects: inout [Effect]) {}
            }
            extension Model { func other() {} }
            """
        #expect(try findings(source) == [])
    }

    @Test func `a function that the chart does not name is an error at its position`() throws {
        let source = """
            // extension Model: FeaturesBehavior { func inAComment() {} }
            let text = "extension Model: FeaturesBehavior { func inAString() {} }"
            package extension Model: Sendable, FeaturesBehavior where T: Equatable {
                func isLarge(_ int: Int) -> Bool { "}" == #"}""# }
                /* func /* nested */ inAComment() {} */
                func keeps(_ int: Int) {}
                private static func helper() {}
            }
            func keepDates() {}
            """
        #expect(
            try findings(source) == [
                "F.swift:6:10: error: the chart Features does not use 'keeps' — did you mean 'keep'?",
                "F.swift:7:25: error: the chart Features does not use 'helper'",
            ]
        )
    }

    @Test func `a conformance with other members is refused`() throws {
        let found = try findings("struct Model: FeaturesBehavior { func anything() {} }")
        #expect(found.count == 1)
        #expect(found[0].hasPrefix("F.swift:1:1: error: conform to FeaturesBehavior in a separate extension"))
    }

    @Test func `a use without conformance is accepted`() throws {
        #expect(try findings("struct Run<B: Behavior> { var b: any FeaturesBehavior; func f() {} }") == [])
        #expect(try findings("func f(_ b: some FeaturesBehavior) { struct X {} }") == [])
        #expect(try findings("struct Run<B: FeaturesBehavior>: Sendable { func f() {} }") == [])
        #expect(try findings("extension Run: Sendable where B: FeaturesBehavior { func f() {} }") == [])
    }
}
