import Exposure
import Foundation
import Testing

/// The content of `test_vectors.json` at the root of the repository.
struct PublishedVectors: Decodable {
    struct Vector: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        let shadow: String
        let highlight: String
        let framesPerSet: OneOrMany<Int>
        let spacing: OneOrMany<Double>
        let rangeEV: Double
        let sets: [[String]]
        let totalExposures: Int

        var testDescription: String { name }
    }

    struct OneOrMany<Value: Decodable & Sendable>: Decodable, Sendable {
        let values: [Value]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try (try? [container.decode(Value.self)]) ?? container.decode([Value].self)
        }
    }

    let vectors: [Vector]

    static func load() throws -> [Vector] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "test_vectors.json"))
        return try JSONDecoder().decode(PublishedVectors.self, from: data).vectors
    }
}

@Suite struct `Published vectors` {
    @Test func `exist for six plans`() throws {
        #expect(try PublishedVectors.load().count == 6)
    }

    @Test(arguments: try PublishedVectors.load())
    func `the planner makes the published sets`(vector: PublishedVectors.Vector) throws {
        for frames in vector.framesPerSet.values {
            for ev in vector.spacing.values {
                let plan = Plan(
                    try PlanRequest(
                        shadow: ShutterSpeed(parsing: vector.shadow),
                        highlight: ShutterSpeed(parsing: vector.highlight),
                        framesPerSet: frames,
                        spacing: #require(Spacing(ev: ev))
                    )
                )
                #expect(plan.sets.map { $0.map(\.label) } == vector.sets)
                #expect(plan.rangeEV == vector.rangeEV)
                #expect(plan.totalExposures == vector.totalExposures)
            }
        }
    }
}
