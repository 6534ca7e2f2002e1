import Foundation
import Testing

/// Shoots during changes of the kernel's network: real processes, with one namespace for the daemon and one for the
/// camera.
@Suite(.serialized, .enabled(if: Namespace.arePossible, Comment(rawValue: Namespace.needs)))
struct NetworkTests {
    /// A shoot with one disturbance at one of its steps.
    private struct Case: CustomStringConvertible {
        var blow: Field.CableFault
        var place = Field.Place.near
        var search = Field.Search.address

        init(
            _ disturbance: Disturbance,
            _ step: Moment.Step,
            frame: Int = 2,
            lasts: Double? = nil,
            phase: String = ""
        ) {
            blow = .init(moment: .step(step, frame: frame), disturbance: disturbance, lasts: lasts, phase: phase)
        }

        func at(_ place: Field.Place) -> Self { with { $0.place = place } }
        func by(_ search: Field.Search) -> Self { with { $0.search = search } }

        private func with(_ change: (inout Self) -> Void) -> Self {
            var other = self
            change(&other)
            return other
        }

        var description: String { "\(blow.disturbance.rawValue) at \(blow.moment)" }
    }

    /// The errors of a run: missing reports, or a shoot that does not complete.
    private static func wrongs(_ test: Case) -> [String] {
        do {
            let field = try Field(test.place, test.search, blows: [test.blow])
            var wrongs = try field.fire(through: [test.blow])
            let sentences = test.blow.disturbance.sentences(at: test.place)
            if field.reasons.map({ $0["REASON"] }) != [test.blow.disturbance.reason] {
                wrongs.append("the reasons are \(field.reasons.map(\.text))")
            }
            let reason = field.reasons.first?.text ?? "nothing"
            let sentence = sentences.first { reason.contains($0) } ?? sentences[0]
            if !reason.contains(sentence) { wrongs.append("\(reason) instead of \(sentence)") }
            let isInDoubt = field.interrupted.first?.contains("capturing") == true
            let lead = isInDoubt ? "the shutter may have fired. " : "Paused (\(test.blow.disturbance.reason)): "
            if !field.clientText.contains(lead + sentence) { wrongs.append("the client has no \"\(lead + sentence)\"") }
            // The delay is normally some milliseconds. It is longer on a busy computer, and when the daemon waits for
            // the camera.
            if test.blow.disturbance.isOfNetwork, let delay = field.delays.first?.1, delay > 4 {
                wrongs.append("it was seen after \(delay) s")
            }
            if test.blow.disturbance.isOfNetwork {
                if field.returns.isEmpty { wrongs.append("it was not connected again") }
                if let time = field.returns.first, time > 10 { wrongs.append("it was connected \(time) s later") }
                let complaint = field.journal.first { $0.text.contains("The camera is in use") }
                if let complaint { wrongs.append("it held on to the session before: \(complaint.text)") }
            }
            return wrongs.isEmpty ? [] : ["\(test): \(wrongs.joined(separator: "; "))\n\(field.log)"]
        } catch {
            return ["\(test): \(error)"]
        }
    }

    private func check(_ cases: [Case]) {
        for wrong in Worlds.atOnce(cases, max: 6, body: Self.wrongs).joined() { Issue.record("\(wrong)") }
    }

    @Test func `a link that goes down pauses with wifi-switched, and the shoot resumes when it is up again`() {
        check([
            Case(.linkDown, .settingSpeed), Case(.linkDown, .confirmingSpeed), Case(.linkDown, .capturing),
            Case(.linkDown, .waitingForIdle), Case(.carrierLost, .settingSpeed).at(.behindRouter),
            Case(.carrierLost, .capturing),
        ])
    }

    @Test func `an address that is removed pauses with wifi-switched, and the shoot resumes when it is back`() {
        check([
            Case(.addressRemoved, .settingSpeed), Case(.addressRemoved, .confirmingSpeed).by(.everything),
            Case(.addressRemoved, .capturing), Case(.addressRemoved, .waitingForIdle).at(.behindRouter),
        ])
    }

    @Test func `a camera that missed the end of its session is connected again when the network is back`() {
        // The outage is longer than the kernel repeats the end of a connection. A body that waits for the end would
        // keep its slot forever.
        check([
            Case(.linkDown, .waitingForIdle, lasts: 25), Case(.carrierLost, .capturing, lasts: 25),
            Case(.carrierLost, .waitingForIdle, lasts: 25).at(.behindRouter),
            Case(.addressRemoved, .settingSpeed, lasts: 25), Case(.silence, .settingSpeed, lasts: 25),
        ])
    }

    @Test func `a default route that leads elsewhere pauses with wifi-switched, and the shoot resumes without it`() {
        check([
            Case(.routeStolen, .settingSpeed).at(.behindRouter), Case(.routeStolen, .confirmingSpeed).at(.behindRouter),
            Case(.routeStolen, .capturing).at(.behindRouter), Case(.routeStolen, .waitingForIdle).at(.behindRouter),
        ])
    }

    @Test func `a camera that returns at another address is found there`() {
        check([
            Case(.cameraMoved, .settingSpeed).by(.everything), Case(.cameraMoved, .confirmingSpeed).by(.everything),
            Case(.cameraMoved, .capturing).by(.everything), Case(.cameraMoved, .waitingForIdle).by(.everything),
        ])
    }

    @Test func `packets dropped on a good network pause with link-lost, and the shoot resumes when they arrive`() {
        check([
            Case(.silence, .settingSpeed), Case(.silence, .capturing), Case(.silence, .waitingForIdle),
            Case(.commandsLost, .confirmingSpeed), Case(.answersLost, .settingSpeed), Case(.answersLost, .capturing),
        ])
    }

    @Test func `a connection that the camera resets or closes pauses with link-lost, and the shoot resumes`() {
        check([
            Case(.reset, .settingSpeed, lasts: 1, phase: "set"), Case(.reset, .capturing, lasts: 1, phase: "press"),
            Case(.reset, .waitingForIdle, lasts: 1, phase: "save"),
            Case(.closed, .confirmingSpeed, lasts: 1, phase: "confirm"),
            Case(.closed, .capturing, lasts: 1, phase: "expose"),
            Case(.closed, .waitingForIdle, lasts: 1, phase: "save"),
        ])
    }
}
