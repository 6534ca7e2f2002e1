/// A frame whose shutter was released over HTTP, and the signs of its picture.
struct SonyHTTPFrame: StagedFrame {
    let ticket: Ticket
    /// The time of the shutter call.
    let pressedAt: Duration
    let bodyID: String?
    let exposure: Duration
    /// The picture of this frame brings the number of remaining pictures below this value; nil: not reported.
    let shotsLeftBefore: Int?
    /// Whether a decrease of that number can belong to the previous frame, so that it proves nothing.
    let isCountUnclear: Bool
    /// Whether a new URL in the answer of `awaitTakePicture` proves this frame. It does not if the body offered the
    /// method before the press for a picture that this driver does not know.
    let isProvenByURL: Bool
    var stage = FrameStage.exposing
    var countedAt: Duration?
    /// Whether the body showed that it works on the picture.
    var wasBusy = false
    /// Whether a poll was open from the press on, so that the driver would have seen the work of the body.
    var isWatched: Bool
    /// Whether the driver reported that the body accepted the press.
    var isReleaseReported = false
    /// The URLs of the frame's pictures, as the body sent them.
    var urls: [String] = []

    /// The latest end of the frame. The body does not report whether it takes a dark frame after a long exposure.
    var latestEnd: Duration { pressedAt + occupied }

    var occupied: Duration { exposure >= .seconds(1) ? exposure * 2 : exposure }

    func deadline(_ timing: SonyHTTPTiming) -> Duration { latestEnd + timing.noPicture }

    /// Notes the number of remaining pictures after the press.
    mutating func note(shotsLeft: Int?, at now: Duration) {
        guard countedAt == nil, let before = shotsLeftBefore, let left = shotsLeft, left < before else { return }
        countedAt = now
    }
}

/// What the driver learned about a body. The data outlive the sessions.
struct SonyHTTPBodyData: Sendable {
    let id: String
    /// Whether the last picture decreased the number of remaining pictures; nil: not known. An unchanged number proves
    /// nothing on a body that does not count.
    var countsShots: Bool?
    /// Whether the body rejects the shutter call until its shutter button is half pressed.
    var needsHalfPress = false
    /// Whether the driver pressed the button half and the body did not confirm its release.
    var isHalfPressed = false
    /// The value of the body's post-view size before the driver changed it; nil: not changed.
    var postviewBefore: String?
    /// The URLs of the last pictures, also of those that the user took. The latest is at the end.
    private(set) var lastURLs: [String] = []

    /// Notes the URLs of pictures, so that a later report of them proves no other frame. The number is limited.
    mutating func note(urls: [String]) {
        lastURLs.removeAll { urls.contains($0) }
        lastURLs = (lastURLs + urls).suffix(SonyHTTPLimits.lastURLsMax)
    }
}
