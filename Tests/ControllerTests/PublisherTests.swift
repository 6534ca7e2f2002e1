import Cameras
import Testing

@testable import Controller

/// Tests the publisher alone: it sends only the differences from the last report.
@Suite struct PublisherTests {
    private static let report = Publisher.Report(route: nil, cameras: nil, status: "Ready.", lamp: .ready)
    private static let step = Progress(shoot: 1, captured: 0, total: 3, phase: "capturing", sentence: "0 of 3.")
    private static let over: Progress = {
        var progress = step
        progress.outcome = .completed
        return progress
    }()

    private var publisher = Publisher()

    private mutating func after(
        _ receive: (inout Publisher, inout Turn) -> Void
    ) -> (messages: [TurnMessage], effects: [Effect]) {
        var turn = Turn(at: .zero)
        receive(&publisher, &turn)
        return (turn.takeMessages(), turn.effects.list)
    }

    @Test mutating func `a report is sent once, and then only its changes`() {
        #expect(after { $0.publish(Self.report, in: &$1) }.effects == [.status("Ready."), .lamp(.ready)])
        #expect(after { $0.publish(Self.report, in: &$1) }.effects.isEmpty)
        var next = Self.report
        next.lamp = .exposing
        #expect(after { $0.publish(next, in: &$1) }.effects == [.lamp(.exposing)])
        next.cameras = []
        #expect(after { $0.publish(next, in: &$1) }.messages.isEmpty)
        next.cameras = [CameraEntry(state: .there, name: "A")]
        #expect(after { $0.publish(next, in: &$1) }.messages == [.publish(.cameras(next.cameras ?? []), to: .cameras)])
    }

    @Test mutating func `a step is sent once, and again to a new stream`() {
        var turn = Turn(at: .zero)
        let step = Publisher.Step(progress: Self.step, end: nil)
        #expect(publisher.isNews(step, in: &turn))
        #expect(!publisher.isNews(step, in: &turn))
        publisher.receive(.shootRecorded, hasNewStreams: false, in: &turn)
        #expect(!publisher.isNews(step, in: &turn))
        publisher.receive(.shootRecorded, hasNewStreams: true, in: &turn)
        #expect(publisher.isNews(step, in: &turn))
    }

    @Test mutating func `the outcome ends the streams, and is due until then`() {
        #expect(after { $0.publish(Self.step, in: &$1) }.messages == [.publish(.progress(Self.step), to: .shoot)])
        #expect(after { $0.publish(Self.over, in: &$1) }.messages == [.answer(.shoot, .progress(Self.over))])
        _ = after { _ = $0.isNews(Publisher.Step(progress: Self.step, end: Self.over), in: &$1) }
        let ended = after { $0.receive(.streamsEnd, hasNewStreams: false, in: &$1) }.messages
        #expect(ended == [.answer(.shoot, .progress(Self.over))])
        #expect(after { $0.receive(.stopping, hasNewStreams: false, in: &$1) }.messages.isEmpty)
    }
}
