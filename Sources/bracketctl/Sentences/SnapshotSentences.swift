import Cameras

/// The texts about pictures of the live view.
enum SnapshotSentences {
    static let emptyName = "The name of the file is empty."
    static let needsFile = "Name a file for the picture: bracketctl snapshot view.jpg."
    static let jsonNeedsFile = "--json needs a file, because the picture would be on standard output too."
    static let countNeedsFollow = "--count needs --follow."
    static let notBase64 = "The daemon's answer has no readable picture. Update bracketd and bracketctl."

    static func unknownSize(_ text: String) -> String { "There is no size '\(text)'. Use small or large." }

    static func written(_ file: String, width: Int, height: Int, size: String, exposure: LiveViewExposure) -> String {
        let rest =
            switch exposure {
            case .shown: " It shows the exposure."
            case .notShown: " It does not show the exposure."
            case .unknown: ""
            }
        return "\(file): \(width) x \(height) pixels, \(size).\(rest)"
    }
}
