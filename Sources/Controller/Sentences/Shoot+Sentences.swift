import Cameras
import Exposure

// The sentences about a shoot, for users.

extension Shoot {
    /// The limit of frames that a sentence names. The sentence gives only the number of the other frames.
    private static let sentencesMax = 3

    /// The sentence for the progress of the shoot. Users rely on these words.
    package var sentence: String {
        if isDone { return "\(captured) of \(total) exposures captured" }
        guard let position = frame?.position else {
            return "Stopped before the first frame. 0 of \(total) exposures captured."
        }
        let stopped = "Stopped at set \(position.set), frame \(position.frame)."
        let open = [unknownSentence, exposedSentence].compactMap(\.self).map { " \($0)" }.joined()
        return "\(stopped) \(captured) of \(total) exposures captured.\(open)"
    }

    /// The sentence for the progress, with a full stop in each case.
    package var fullSentence: String { isDone ? "\(sentence)." : sentence }

    /// The sentence that names the frame whose shutter may have fired; nil: there is none.
    private var unknownSentence: String? {
        let unknown = firings.indices.filter { firings[$0] == .unknown || again[$0] == .unknown }
        guard let first = unknown.first else { return nil }
        let more = unknown.count > 1 ? " and \(unknown.count - 1) more" : ""
        return "The frame at \(plan.frames[first].speed.label)\(more) may have been fired."
    }

    /// The sentence that names the frame whose picture may still be only in the body; nil: there is none.
    private var exposedSentence: String? {
        let open = firings.firstIndex(of: .exposed)
        return open.map { "The picture at \(plan.frames[$0].speed.label) is not stored yet." }
    }

    /// The sentence that names the frames whose pictures were lost, with the reasons; nil: there are none.
    package var lossSentence: String? {
        Self.summary(
            of: firings.enumerated().compactMap { index, outcome in
                if case .lost(let reason) = outcome { plan.frames[index].lossSentence(reason) } else { nil }
            },
            "missing"
        )
    }

    /// The sentence that names the frames whose second pictures were lost; nil: there are none. These frames are not
    /// missing.
    private var secondLossSentence: String? {
        Self.summary(
            of: again.sorted { $0.key < $1.key }.compactMap { index, outcome in
                if case .lost(let reason) = outcome { plan.frames[index].secondLossSentence(reason) } else { nil }
            },
            "lost"
        )
    }

    /// The first sentences, and the number of the others; nil: there are no sentences.
    private static func summary(of sentences: [String], _ what: String) -> String? {
        guard !sentences.isEmpty else { return nil }
        let more = sentences.count - sentencesMax
        let first = sentences.prefix(sentencesMax).joined(separator: " ")
        return more > 0 ? "\(first) \(more) more \(more == 1 ? "is" : "are") \(what)." : first
    }

    /// The sentence that names the suspect frames, with the reasons; nil: there are none.
    package var doubtSentence: String? {
        Self.summary(
            of: outcomes.enumerated().compactMap { index, outcome in
                if case .suspect(let doubt) = outcome { plan.frames[index].doubtSentence(doubt) } else { nil }
            },
            "suspect"
        )
    }

    /// The sentences for an early end, for lost pictures and for suspect frames; nil: there are none.
    package var remark: String? {
        let sentences = [cause, lossSentence, secondLossSentence, doubtSentence].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}

extension PlannedFrame {
    /// The name of the frame for users: `Set 2, frame 3 at 1/15`.
    package var place: String { "Set \(position.set), frame \(position.frame) at \(speed.label)" }

    package func doubtSentence(_ doubt: SuspectReason) -> String { "\(place) is suspect: \(doubt.clause)." }

    package func lossSentence(_ reason: String) -> String { "\(place) is missing: its picture is lost. \(reason)" }

    /// The sentence for a lost picture of the frame's second firing.
    package func secondLossSentence(_ reason: String) -> String {
        "\(place) was fired again. The second picture is lost, and the first one is kept. \(reason)"
    }
}

extension Interruption {
    var sentence: String {
        switch self {
        case .absent(.lost(let reason)): reason.sentence
        case .absent(.released): "A command disconnected the camera."
        case .unfit(let sentence): sentence
        case .left(let departure), .returned(let departure): departure.sentence
        }
    }
}

extension RequestedStop {
    /// The sentence for users that says why the shoot ended.
    package var sentence: String {
        switch self {
        case .pause: "The user paused the shoot."
        case .cancel: "The user ordered the shoot to end after the frame."
        }
    }
}
