/// The texts about a Sony body in the mode "Send to Smartphone".
enum SonyPushSentences {
    /// The name of the mode, in place of a position of the mode dial.
    static let mode = "Send to Smartphone"
    static let step = "the transfer of the selected pictures"
    static let notInMode =
        "The camera is not in the mode \"Send to Smartphone\". Choose this mode on the camera, and select the "
        + "pictures. Then connect it: bracketctl connect ADDRESS:64321."
    static let cannotShoot =
        "The camera is in the mode \"Send to Smartphone\" and cannot shoot. Choose its remote control mode."

    /// The advice after "The camera is in the menu …".
    static let wayBack = "Choose the remote control on the camera. Then connect to its usual port."
    static let onlySelected =
        "The camera is in the mode \"Send to Smartphone\". Use --selected for the pictures that were selected on it."

    static func unanswered(_ action: String) -> String { "The camera did not answer \(action)." }

    /// nil: every selected picture was transferred.
    static func incomplete(sent: Int, of count: Int) -> String? {
        if sent == count { return nil }
        return "\(sent) of \(count) selected pictures were transferred. Select the others on the camera again."
    }

    static func refused(_ action: String, _ status: UInt16) -> String {
        "The camera rejected \(action): HTTP status \(status)."
    }

    static func listUnreadable(_ fault: DescriptionFault) -> String {
        "The camera's list of selected pictures cannot be read: \(fault)."
    }
}
