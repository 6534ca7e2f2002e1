import PTP

@testable import Cameras

extension Examples {
    /// Live view: why there is no picture, and why bytes are none.
    static let liveView: [String] =
        [
            LiveViewSentences.unsupported,
            LiveViewSentences.noFrame,
            LiveViewSentences.oneSize,
            LiveViewSentences.notStarted("InvalidStatus"),
            LiveViewSentences.notEnded,
            SonyHTTPSentences.foreignLiveView("http://198.51.100.1/liveview"),
        ] + errors.map(\.sentence)

    private static let errors: [LiveViewError] = [
        .header(.countBeyondData(field: "live view record", count: 464_126, left: 80)), .noJPEG,
        .partLength(65_535, left: 3), .strayByte(0), .noSize, .cut, .tooLong(1_048_576),
    ]
}
