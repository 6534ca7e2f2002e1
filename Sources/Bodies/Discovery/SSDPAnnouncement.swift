import Cameras

/// The texts of a body's SSDP messages (UPnP Device Architecture 1.1, 1.2 and 1.3).
package struct SSDPAnnouncement: Equatable, Sendable {
    /// The unique name of the body: `uuid:` and a text.
    package var udn: String
    /// The URL of the description.
    package var location: DescriptionURL
    /// The announced targets, in order: root, device, device type, services.
    package var targets: [String]
    /// Targets of searches that the body answers, although it does not announce these targets.
    package var aliases: [String] = []
    /// The operating system and its version.
    package var server: String

    /// The answers to a search, in order; empty when the search is for another target.
    package func answers(to search: SSDPSearch) -> [String] {
        let isSelected = { (target: String) in search.target == "ssdp:all" || search.target == target }
        let meant = aliases.contains(search.target) ? [search.target] : targets.filter(isSelected)
        return meant.map { target in
            Self.message(
                "HTTP/1.1 200 OK",
                [
                    "CACHE-CONTROL: max-age=1800", "EXT:", "LOCATION: \(location)", "SERVER: \(server)",
                    "ST: \(target)", "USN: \(name(target))",
                ]
            )
        }
    }

    /// The messages of a present body, one per target. Each is sent three times, because datagrams get lost (1.2.2).
    package var alive: [String] {
        targets.map { target in
            Self.notify([
                "CACHE-CONTROL: max-age=1800", "LOCATION: \(location)", "NT: \(target)", "NTS: ssdp:alive",
                "SERVER: \(server)", "USN: \(name(target))",
            ])
        }
    }

    /// The messages of a body that leaves the network.
    package var byebye: [String] {
        targets.map { Self.notify(["NT: \($0)", "NTS: ssdp:byebye", "USN: \(name($0))"]) }
    }

    private func name(_ target: String) -> String { target == udn ? udn : "\(udn)::\(target)" }

    private static func notify(_ fields: [String]) -> String {
        message("NOTIFY * HTTP/1.1", ["HOST: 239.255.255.250:1900"] + fields)
    }

    private static func message(_ first: String, _ fields: [String]) -> String {
        ([first] + fields + ["", ""]).joined(separator: "\r\n")
    }
}

/// How a client finds a body. Each discovery method has a field.
package struct BodyDiscovery: Sendable {
    package var announcement: SSDPAnnouncement
    /// The files of the body's description.
    package var files: ServedFiles
    /// Whether the body serves its description itself, at the port of its service.
    package var isServedByBody: Bool

    package init(_ announcement: SSDPAnnouncement, _ files: ServedFiles, isServedByBody: Bool = false) {
        self.announcement = announcement
        self.files = files
        self.isServedByBody = isServedByBody
    }
}
