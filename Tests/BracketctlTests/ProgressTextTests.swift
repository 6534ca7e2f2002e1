import Testing
import Varlink

@testable import bracketctl

@Suite struct `The progress bar` {
    private func progress(_ value: JSONValue) throws -> ShootProgress { try ShootProgress(["progress": value]) }

    private func text(columns: Int) -> ProgressText {
        ProgressText(style: .bar(columns: columns), retryCommand: "bracketctl retry")
    }

    @Test func `is drawn again in place`() throws {
        var text = text(columns: 80)
        let step = try progress(Sample.step(captured: 5, set: 2, frame: 1))
        #expect(
            text.show(step)
                == "\r\u{1B}[K[##########--------------------]  5/15  set 2, frame 1  1/60  capturing"
        )
    }

    @Test(arguments: [200, 80, 60, 40, 20, 10, 1])
    func `is never as wide as the terminal`(columns: Int) throws {
        var text = text(columns: columns)
        for captured in 0...15 {
            let shown = text.show(try progress(Sample.step(captured: captured, set: 12, frame: 9, speed: "1/8000")))
            #expect(shown.hasPrefix("\r\u{1B}[K"))
            #expect(shown.count - 4 < columns || columns == 1)
            #expect(!shown.contains("\n"))
        }
    }

    @Test func `leaves what is out of the ordinary above it, once`() throws {
        var text = text(columns: 80)
        let paused = try progress(Sample.step(captured: 5, phase: "paused", sentence: "Paused: the link is lost."))
        #expect(text.show(paused).hasPrefix("\r\u{1B}[KPaused: the link is lost.\n["))
        #expect(!text.show(paused).contains("Paused:"))
        #expect(!text.show(try progress(Sample.step(captured: 5))).contains("\n"))
        #expect(text.show(paused).contains("Paused:"))
    }

    @Test func `gives way to the last line`() throws {
        var text = text(columns: 80)
        _ = text.show(try progress(Sample.step(captured: 14)))
        #expect(text.show(try progress(Sample.completed)) == "\r\u{1B}[K15 of 15 exposures captured\n")
    }

    @Test func `survives numbers that make no sense`() throws {
        var text = text(columns: 80)
        #expect(text.show(try progress(Sample.step(captured: 99))).contains("[##############################]"))
        #expect(text.show(try progress(Sample.step(captured: -4))).contains("[------------------------------]"))
    }

    @Test func `does not let a name steer the terminal`() throws {
        var text = text(columns: 80)
        let shown = text.show(try progress(Sample.step(captured: 1, phase: "a\u{1B}[2J", sentence: "b\u{1B}]0;x\u{7}")))
        #expect(shown.split(separator: "\u{1B}").count == 2)
        #expect(!shown.contains("\u{7}"))
    }

    @Test func `without a terminal is a line per step, with a sentence where it says more`() throws {
        var text = ProgressText(style: .lines, retryCommand: "bracketctl retry")
        let paused = try progress(Sample.step(captured: 5, phase: "paused", sentence: "Paused: the link is lost."))
        #expect(text.show(paused) == "5/15  set 1, frame 1  1/60  paused  Paused: the link is lost.\n")
        #expect(text.show(try progress(Sample.step(captured: 5))) == "5/15  set 1, frame 1  1/60  capturing\n")
    }
}
