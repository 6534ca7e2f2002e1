/// The texts of replies, the status and the journal about a session with a Sony body over HTTP.
enum SonyHTTPSentences {
    /// The model of a body whose description cannot be read.
    static let unknownModel = "camera"

    // MARK: The set-up

    static func notACamera(_ fault: SonyHTTPReplyFault) -> String {
        "The device does not answer as a Sony camera: \(fault)."
    }

    static func stepFailed(_ step: String, _ error: SonyHTTPError) -> String {
        "The camera did not complete \(step): error \(error)."
    }

    static let eventsMissing = "The camera reports no events. bracketd needs them, so it cannot control this camera."

    static let recModeNotStarted =
        "The camera did not start its shooting mode. Close its menus, and start its remote control app again."

    static func otherFunction(_ function: String) -> String {
        "The camera is in the function \"\(function)\". Choose remote shooting on the camera."
    }

    static func otherShootMode(_ mode: String) -> String {
        "The camera records \"\(mode)\". Set it to still pictures."
    }

    static func reducedApp(_ application: String) -> String {
        let app = application.isEmpty ? "The camera's app" : "The camera's app \"\(application)\""
        return "\(app) does not offer the shutter speed. Cameras without apps cannot set it. "
            + "On other cameras, install or update \"Smart Remote Control\" from PlayMemories Camera Apps. "
            + "Then start it."
    }

    // MARK: Pictures

    static let noPictureTaken = "The camera took no picture. Check its screen and its card."

    static let continuousDrive = "The camera is in a continuous drive mode. Set its drive mode to single."

    /// The place of the pictures, after "Pictures are saved to: ".
    static let cardWithJPEG = "card; only JPEG pictures are transferred"

    // MARK: The journal

    static func application(_ application: String) -> String { "the camera's app is \(application)" }

    static let onlyJPEG = "the camera delivers only JPEG pictures over HTTP; RAW files stay on its card"

    static func invalidReply(to method: String, _ fault: SonyHTTPReplyFault) -> String { "\(method): \(fault)" }

    static func refused(_ method: String, _ error: SonyHTTPError) -> String {
        "the camera rejected \(method) with error \(error)"
    }

    static func unreadablePart(_ part: String) -> String {
        "a part of the camera's event is ignored, because it has an unexpected form: \(part)"
    }

    static let otherClientPolls = "another program asks the camera for events; the daemon asks again in 5 s"
    static let postviewUnchanged = "the camera keeps its small post-view size, so the pictures have 2 megapixels"
    static let halfPressUnconfirmed = "the camera does not confirm the end of the half press"
    static let noPictureExpected = "no picture was reported for the last shutter command"
    static let pictureWithoutURL = "the picture is on the camera's card, and the camera gave no URL for it"

    static func foreignURL(_ url: String) -> String {
        "a picture is not fetched, because its URL is not at the camera's address: \(url)"
    }

    static func foreignLiveView(_ url: String) -> String {
        "The camera's live view is not at the camera's address: \(url)."
    }

    static func status(_ status: UInt16) -> String { "HTTP status \(status)" }

    static func transferGivenUp(_ name: String, _ reason: String) -> String {
        "the transfer of \(name) failed: \(reason); the picture stays on the camera's card"
    }

    // MARK: Values

    static func selfTimer(_ seconds: Int) -> String { "self-timer \(seconds) s" }
}

/// The texts about the files on a Sony body's card.
enum SonyHTTPContentsSentences {
    static let unsupported = "The camera does not list the files on its card over this connection."
    static let noCard = "The camera reports no card."

    static func functionNotChanged(_ function: String) -> String {
        "The camera did not change to \"\(function)\". Switch the camera off and on."
    }

    static func refused(_ method: String, _ error: SonyHTTPError) -> String {
        "The camera rejected \(method): error \(error)."
    }

    /// Names the first file and counts the others.
    static func unknownFiles(_ uris: [String]) -> String {
        let others = uris.count > 1 ? ", nor \(uris.count - 1) other files of the request" : ""
        return "The camera's card has no file \(uris.first ?? "")\(others)."
    }

    static func tooManyFiles(_ uris: [String], _ limit: Int) -> String {
        "The file \(uris.first ?? "") is not among the newest \(limit) entries of the camera's card."
    }

    static func slow(_ method: String) -> String {
        "The camera did not answer \(method) in time. Its card can have too many pictures."
    }

    static func notSent(_ failed: Int, of count: Int) -> String {
        "\(failed) of \(count) pictures were not transferred. They stay on the camera's card."
    }
}
