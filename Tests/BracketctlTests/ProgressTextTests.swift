import Interface
import Testing
import Varlink

import enum Controller.Shooting

@testable import bracketctl

@Suite struct `The progress bar` {
    private func progress(_ value: JSONValue) throws -> ShootProgress { try ShootProgress(value) }

    private func text(columns: Int) -> ProgressText {
        ProgressText(style: .bar(columns: columns), retryCommand: "bracketctl retry")
    }

    @Test func `is redrawn in place`() throws {
        var text = text(columns: 80)
        let step = try progress(Sample.step(captured: 5, set: 2, frame: 1))
        #expect(
            text.show(step)
                == "\r\u{1B}[K[##########--------------------]  5/15  set 2, frame 1  exposing 1/60"
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

    @Test func `leaves unusual events above it, once`() throws {
        var text = text(columns: 80)
        let paused = try progress(Sample.step(captured: 5, phase: "paused", sentence: "Paused: the link is lost."))
        #expect(text.show(paused).hasPrefix("\r\u{1B}[KPaused: the link is lost.\n["))
        #expect(!text.show(paused).contains("Paused:"))
        #expect(!text.show(try progress(Sample.step(captured: 5))).contains("\n"))
        #expect(text.show(paused).contains("Paused:"))
    }

    @Test func `is replaced by the last line`() throws {
        var text = text(columns: 80)
        _ = text.show(try progress(Sample.step(captured: 14)))
        #expect(text.show(try progress(Sample.completed)) == "\r\u{1B}[K15 of 15 exposures captured\n")
    }

    @Test func `survives numbers that make no sense`() throws {
        var text = text(columns: 80)
        #expect(text.show(try progress(Sample.step(captured: 99))).contains("[##############################]"))
        #expect(text.show(try progress(Sample.step(captured: -4))).contains("[------------------------------]"))
    }

    @Test func `does not let a name control the terminal`() throws {
        var text = text(columns: 80)
        let shown = text.show(try progress(Sample.step(captured: 1, phase: "a\u{1B}[2J", sentence: "b\u{1B}]0;x\u{7}")))
        #expect(shown.split(separator: "\u{1B}").count == 2)
        #expect(!shown.contains("\u{7}"))
    }

    @Test func `without a terminal is a line per step, with a sentence if it says more`() throws {
        var text = ProgressText(style: .lines, retryCommand: "bracketctl retry")
        let paused = try progress(Sample.step(captured: 5, phase: "paused", sentence: "Paused: the link is lost."))
        #expect(text.show(paused) == "5/15  set 1, frame 1  paused  Paused: the link is lost.\n")
        #expect(text.show(try progress(Sample.step(captured: 5))) == "5/15  set 1, frame 1  exposing 1/60\n")
    }

    @Test func `prints no line twice`() throws {
        var text = ProgressText(style: .lines, retryCommand: "bracketctl retry")
        let setting = try progress(Sample.step(captured: 5, phase: "settingSpeed", remaining: 25_000))
        let confirming = try progress(Sample.step(captured: 5, phase: "confirmingSpeed", remaining: 24_000))
        #expect(text.show(setting) == "5/15  set 1, frame 1  setting 1/60  25 s left\n")
        #expect(text.show(confirming).isEmpty)
    }

    @Test(arguments: [
        ("settingSpeed", "1/60  settingSpeed"), ("waitingForIdle", "1/60  waitingForIdle"),
        ("byCommand", "1/60  byCommand  Exposing."),
    ])
    func `names the chart's states on request`(phase: String, words: String) throws {
        var text = ProgressText(style: .lines, retryCommand: "bracketctl retry", showsStates: true)
        let step = try progress(Sample.step(captured: 5, phase: phase))
        #expect(text.show(step) == "5/15  set 1, frame 1  \(words)\n")
    }

    // MARK: Times

    @Test func `counts the exposure and the time left down`() throws {
        var text = text(columns: 80)
        let step = Sample.step(captured: 5, speed: "30\"", remaining: 65_200, exposureLeft: 32_000)
        let shown = text.show(try progress(step), at: .seconds(10))
        #expect(shown.hasSuffix("5/15  set 1, frame 1  exposing 30\", 32 s  1 min 6 s left"))
        #expect(text.redraw(at: .seconds(10)) == nil)
        #expect(text.redraw(at: .milliseconds(30_500))?.hasSuffix("exposing 30\", 12 s  45 s left") == true)
        #expect(text.redraw(at: .milliseconds(30_600)) == nil)
        let over = text.redraw(at: .seconds(50)) ?? ""
        #expect(over.hasPrefix("\r\u{1B}[K[") && over.hasSuffix("exposing 30\"  26 s left"))
        #expect(text.redraw(at: .seconds(500))?.hasSuffix("exposing 30\"") == true)
    }

    @Test(arguments: ["byCommand", "linkLost", "wifiSwitched", "cameraNotFit", "unrecorded"])
    func `counts nothing down while the shoot waits`(phase: String) throws {
        var text = text(columns: 80)
        let shown = text.show(try progress(Sample.step(captured: 5, phase: phase, remaining: 65_000)))
        #expect(!shown.contains("left  ") && !shown.hasSuffix("left"))
        #expect(text.redraw(at: .seconds(10)) == nil)
    }

    @Test func `redraws nothing after the last line, nor without a terminal`() throws {
        var text = text(columns: 80)
        let step = try progress(Sample.step(captured: 5, remaining: 65_000))
        _ = text.show(step)
        _ = text.show(try progress(Sample.completed))
        #expect(text.redraw(at: .seconds(3)) == nil)
        var lines = ProgressText(style: .lines, retryCommand: "bracketctl retry")
        _ = lines.show(step)
        #expect(lines.redraw(at: .seconds(3)) == nil)
    }

    @Test(arguments: [
        (66, "[##---]  7/15  set 3, frame 5  exposing 30\", 12 s  1 min 6 s left"),
        (62, "7/15  set 3, frame 5  exposing 30\", 12 s  1 min 6 s left"),
        (41, "7/15  exposing 30\", 12 s  1 min 6 s left"), (40, "7/15  exposing 30\", 12 s  2 min left"),
        (34, "7/15  exposing 30\", 12 s"), (20, "exposing 30\", 12 s"), (9, "exposing"),
    ])
    func `leaves out less important parts on a narrow terminal`(columns: Int, line: String) throws {
        var text = text(columns: columns)
        let speed = "30\""
        let step = Sample.step(captured: 7, set: 3, frame: 5, speed: speed, remaining: 65_200, exposureLeft: 12_000)
        #expect(text.show(try progress(step)).dropFirst(4) == line)
    }

    @Test func `keeps its form from step to step on a narrow terminal`() throws {
        var text = text(columns: 40)
        let saving = Sample.step(captured: 8, phase: "waitingForIdle", remaining: 5000)
        #expect(text.show(try progress(saving)).dropFirst(4) == "8/15  saving  5 s left")
    }

    @Test func `has a text for every visible state of a shoot`() {
        // Later states in the document belong to other regions.
        let states = Shooting.State.allCases.filter { $0.isLeaf && $0.rawValue < Shooting.State.link.rawValue }
        for state in states { #expect(FramePhase.table[state] != nil, "\(state.name)") }
    }
}
