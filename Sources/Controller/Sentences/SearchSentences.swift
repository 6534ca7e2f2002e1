import Cameras

/// The texts of the journal and the list of cameras about the search.
enum SearchSentences {
    static let noTarget =
        "No camera address is configured, and search is empty. Set address or search under [camera], or use: "
        + "bracketctl connect ADDRESS."

    // MARK: The list of cameras

    /// The name of a camera that has not reported its name.
    static func unnamedCamera(at host: IPAddress) -> String { "camera at \(host)" }

    static func unsupportedProtocol(_ name: String) -> String {
        "The camera uses \(name), which bracketd does not support yet."
    }

    // MARK: The addresses

    /// The sentence that says why the camera at an address is not connected.
    static func notConnected(_ address: CameraAddress, _ reason: String) -> String { "\(address): \(reason)" }

    static func descriptionUnreadable(at host: IPAddress, _ error: DescriptionFetchError) -> String {
        "The description of the camera at \(host) cannot be read: \(error)."
    }
}

extension DescriptionFetchError: CustomStringConvertible {
    var description: String {
        switch self {
        case .failed(let failure): "\(failure)"
        case .status(let status) where (300..<400).contains(status):
            "the description moved, and the redirect is not followed (status \(status))"
        case .status(let status): "the server answered with status \(status)"
        case .unreadable(let fault): "\(fault)"
        }
    }
}
