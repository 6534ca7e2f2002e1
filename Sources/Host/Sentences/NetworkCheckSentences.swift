import Cameras

/// Texts of `bracketctl doctor` about the route from the daemon's machine to the camera.
enum NetworkCheckSentences {
    private static let joinAdvice =
        "Join the camera's WiFi: nmcli device wifi list, then nmcli device wifi connect NAME --ask."

    /// - Parameter usable: the addresses through which a camera can be reached.
    static func interfaces(_ usable: [InterfaceAddress]) -> String {
        let list = usable.map { "\($0.interface) (\($0.address))" }.joined(separator: ", ")
        return usable.isEmpty ? "No interface has an address." : "Interfaces with an address: \(list)."
    }

    static let noAddress = CheckFinding(sentence: interfaces([]), advice: joinAdvice)

    static func nameUnresolved(_ host: String, reason: String, _ usable: [InterfaceAddress]) -> CheckFinding {
        CheckFinding(
            sentence: "\(interfaces(usable)) The camera's name \(host) has no address: \(reason).",
            advice: usable.isEmpty ? joinAdvice : "Set the camera's address under [camera]."
        )
    }

    static func noRoute(to host: String, reason: String, _ usable: [InterfaceAddress]) -> CheckFinding {
        CheckFinding(
            sentence: "\(interfaces(usable)) No route leads to the camera's address \(host): \(reason).",
            advice: joinAdvice
        )
    }

    /// - Parameters:
    ///   - own: the address of this machine on the route.
    ///   - interface: the name of the interface with that address; nil: unknown.
    static func behindRouter(_ camera: IPAddress, own: IPAddress, interface: String?) -> CheckFinding {
        CheckFinding(
            sentence: "The camera's address \(camera) is not in the network of \(name(interface)) (\(own)): "
                + "packets to the camera go through a router.",
            advice: joinAdvice
        )
    }

    static func reachable(_ camera: IPAddress, own: IPAddress, interface: String?) -> String {
        "The camera's address \(camera) is reachable on \(name(interface)) (\(own))."
    }

    private static func name(_ interface: String?) -> String { interface ?? "an interface" }
}
