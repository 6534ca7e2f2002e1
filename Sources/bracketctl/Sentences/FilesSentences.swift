/// The texts about the files on the camera's card.
enum FilesSentences {
    static let noFiles = "The camera's card has no such pictures."

    static func fetched(_ count: Int) -> String {
        let pictures = count == 1 ? "1 picture was" : "\(count) pictures were"
        return "\(pictures) transferred. To list them: bracketctl photos."
    }
}
