import Cameras
import Exposure

// What people read of a shoot.

extension Shoot {
    /// More frames than these are only counted in a sentence.
    private static let sentencesMax = 3

    /// How far it came, in the words that people rely on.
    package var sentence: String {
        if isDone { return "\(captured) of \(total) exposures captured" }
        guard let position = frame?.position else {
            return "Stopped before the first frame. 0 of \(total) exposures captured."
        }
        let stopped = "Stopped at set \(position.set), frame \(position.frame)."
        let open = [unknownSentence, exposedSentence].compactMap(\.self).map { " \($0)" }.joined()
        return "\(stopped) \(captured) of \(total) exposures captured.\(open)"
    }

    /// The same with a full stop in any case.
    package var fullSentence: String { isDone ? "\(sentence)." : sentence }

    /// Which frame's shutter may have fired; nil: none's.
    private var unknownSentence: String? {
        let unknown = firings.indices.filter { firings[$0] == .unknown || again[$0] == .unknown }
        guard let first = unknown.first else { return nil }
        let more = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
        return "The frame at \(plan.frames[first].speed.label)\(more) may have been fired."
    }

    /// Which frame's picture the body may still hold; nil: none's.
    private var exposedSentence: String? {
        let open = firings.firstIndex(of: .exposed)
        return open.map { "The picture at \(plan.frames[$0].speed.label) is not stored yet." }
    }

    /// Which frames are missing because their pictures were lost, and why; nil: none.
    package var lossSentence: String? {
        Self.summary(
            of: firings.enumerated().compactMap { index, outcome in
                if case .lost(let reason) = outcome { plan.frames[index].lossSentence(reason) } else { nil }
            },
            "missing"
        )
    }

    /// Which frames' second pictures were lost, and why; nil: none. Nothing is missing for that.
    private var secondLossSentence: String? {
        Self.summary(
            of: again.sorted { $0.key < $1.key }.compactMap { index, outcome in
                if case .lost(let reason) = outcome { plan.frames[index].secondLossSentence(reason) } else { nil }
            },
            "lost"
        )
    }

    /// The first few sentences, and how many more there are; nil: none.
    private static func summary(of sentences: [String], _ what: String) -> String? {
        guard !sentences.isEmpty else { return nil }
        let more = sentences.count - sentencesMax
        let first = sentences.prefix(sentencesMax).joined(separator: " ")
        return more > 0 ? "\(first) \(more) more \(more == 1 ? "is" : "are") \(what)." : first
    }

    /// Which frames are suspect and why; nil: none.
    package var doubtSentence: String? {
        Self.summary(
            of: outcomes.enumerated().compactMap { index, outcome in
                if case .suspect(let doubt) = outcome { plan.frames[index].doubtSentence(doubt) } else { nil }
            },
            "suspect"
        )
    }

    /// Why it ended early, which pictures were lost, and what is suspect; nil: none of it.
    package var remark: String? {
        let sentences = [cause, lossSentence, secondLossSentence, doubtSentence].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

extension PlannedFrame {
    /// `Set 2, frame 3 at 1/15`.
    package var place: String { "Set \(position.set), frame \(position.frame) at \(speed.label)" }

    /// That this frame is suspect, and why.
    package func doubtSentence(_ doubt: Doubt) -> String { "\(place) is suspect: \(doubt.clause)." }

    /// That the picture of this frame is lost, and why.
    package func lossSentence(_ reason: String) -> String { "\(place) is missing: its picture is lost. \(reason)" }

    /// That the picture of this frame's second firing is lost, and why.
    package func secondLossSentence(_ reason: String) -> String {
        "\(place) was fired again. The second picture is lost, and the first one is kept. \(reason)"
    }
}
