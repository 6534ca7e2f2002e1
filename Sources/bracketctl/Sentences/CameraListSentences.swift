/// What the lists of cameras and the description of a camera say.
enum CameraListSentences {
    // MARK: The list

    static let noCamera = "No camera is known, and no camera announces itself."

    /// - Parameters:
    ///   - search: the command that searches.
    ///   - connect: the command that connects to an address.
    static func noCameraAdvice(search: String, connect: String) -> String {
        "To search: \(search). To connect: \(connect)."
    }

    static let connectedLast = "connected last"

    // MARK: The connected camera

    static let noSpeeds = "none reported"

    static func speeds(_ count: Int, from first: String, to last: String) -> String {
        "\(count), \(first) to \(last)"
    }

    /// - Parameters:
    ///   - median: the time of a frame without the exposure.
    ///   - p95: the time within which 95 % of the frames end.
    static func timing(median: String, p95: String, frames count: Int) -> String {
        let frames = count == 1 ? "1 frame" : "\(count) frames"
        return "\(median) per frame besides the exposure (95 % within \(p95)), learned from \(frames)"
    }
}
