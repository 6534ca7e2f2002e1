/// The texts of replies and the journal about live view.
enum LiveViewSentences {
    static let unsupported = "bracketd cannot show this camera's live view."
    static let noFrame = "The camera sent no live view picture in 3 s. Close its menus, and try again."
    static let oneSize = "This camera's live view has one size. Leave out the size."

    static func notStarted(_ error: String) -> String { "The camera did not start its live view: \(error)." }

    static let notEnded = "the camera does not confirm the end of live view"
}

extension LiveViewError {
    /// A sentence for the user.
    package var sentence: String { "The camera's live view picture is not valid: \(self). Try again." }
}
