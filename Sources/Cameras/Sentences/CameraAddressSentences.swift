/// The texts about an invalid address of a camera.
enum CameraAddressSentences {
    static func invalid(_ text: String, _ reason: String) -> String {
        "expected HOST:PORT, found \"\(text)\": \(reason)"
    }

    static let bracketMissing = "']' is missing"
    static let notIPv6 = "only IPv6 addresses have brackets"
    static let bracketsMissing = "write an IPv6 address in brackets, as in [fe80::1%wlan0]:15740"
    static let hostMissing = "the host is missing"
    static let hostTooLong = "the host is too long"
    static let hostInvalid = "the host has an invalid character"
    static let portInvalid = "the port must be a number from 1 to 65535"

    static func surplus(_ rest: Substring) -> String { "unexpected '\(rest)' after the address" }
}
