/// The texts of the journal and the status about this computer's network.
enum NetworkSentences {
    static func joined(_ ssid: String) -> String { "This computer is on the network \(ssid)." }

    static func missingInterface(_ name: String) -> String {
        "This computer has no interface \"\(name)\". Correct interface under [camera]."
    }
}

extension NetworkDeparture {
    /// The sentences that say what happened and what the user must do.
    package var sentence: String {
        switch self {
        case .elsewhere(let from?, let to?): "This computer left \(from) and is on \(to). Rejoin \(from) to continue."
        case .elsewhere(let from?, nil): "This computer left \(from). Rejoin it to continue."
        case .elsewhere: "This computer left the camera's network. Rejoin it to continue."
        case .down(let from?): "This computer lost \(from). Rejoin it to continue."
        case .down: "This computer is on no network. Rejoin the camera's network to continue."
        case .noRoute: "This computer has no route to the camera. Rejoin the camera's network to continue."
        case .moved: "The address of this computer changed: the connection to the camera is lost."
        }
    }
}
