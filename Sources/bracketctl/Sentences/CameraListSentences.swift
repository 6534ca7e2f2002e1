/// The sentences of the lists of cameras and of the description of a camera.
enum CameraListSentences {
    // MARK: The list

    static let noCamera = "No camera is known, and no camera announces itself."

    /// - Parameters:
    ///   - search: The command that searches.
    ///   - connect: The command that connects to an address.
    static func noCameraAdvice(search: String, connect: String) -> String {
        "To search: \(search). To connect: \(connect)."
    }

    static let connectedLast = "last connected camera"

    // MARK: The connected camera

    static let noSpeeds = "none reported"

    static func speeds(_ count: Int, from first: String, to last: String) -> String {
        "\(count), \(first) to \(last)"
    }

    /// - Parameters:
    ///   - median: The time of a frame without the exposure.
    ///   - p95: The time, without the exposure, within which 95 % of the frames end.
    static func timing(median: String, p95: String, frames count: Int) -> String {
        let frames = count == 1 ? "1 frame" : "\(count) frames"
        return "\(median) per frame plus the exposure (95 % within \(p95)), measured in \(frames)"
    }
}
