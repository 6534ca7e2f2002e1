import Cameras

/// Texts for the journal and the core about the kernel's messages, discovery sockets and links.
enum NetworkHostSentences {
    // MARK: The kernel's messages

    static func networkUnreadable(_ error: SystemError) -> String {
        "The state of the network cannot be read (rtnetlink: \(error)). The daemon cannot know whether this computer "
            + "is on the camera's network, and finds cameras only at known addresses. "
            + "In a sandbox, allow sockets of the family AF_NETLINK."
    }

    static func networkNotQueried(_ error: SystemError) -> String {
        "The daemon cannot query the kernel about the network: \(error). The daemon tries again."
    }

    static func networkRequestRejected(_ refusal: NetlinkMessage.Refusal) -> String {
        "The kernel rejects a query about the network: \(refusal). The daemon repeats the query."
    }

    static func networkMessageInvalid(_ fault: NetlinkMessage.Fault) -> String {
        "A network message of the kernel is not valid and is ignored: \(fault)."
    }

    static func tooManyInterfaces(interfacesMax: Int, addressesMax: Int) -> String {
        "This computer has more than \(interfacesMax) interfaces, or more than \(addressesMax) addresses on one. "
            + "The daemon ignores the rest, and does not find a camera there."
    }

    static func wifiUnreadable(reason: String) -> String {
        "The WiFi state cannot be read (nl80211: \(reason)). The SSID is unknown. "
            + "Addresses and routes alone show whether this computer left the camera's network."
    }

    static func wifiMessageInvalid(_ fault: NetlinkMessage.Fault) -> String {
        "A WiFi message of the kernel is not valid and is ignored: \(fault)."
    }

    // MARK: Why no route leads to the camera

    static func noInterface(_ name: String) -> String { "There is no interface \(name)" }

    static let routeProhibited = "A route of this machine prohibits packets to the camera"

    static let routeDiscards = "A route of this machine discards packets to the camera"

    // MARK: Discovery sockets

    static func interfacesIgnored(max: Int) -> String {
        "the search for cameras uses \(max) interfaces and ignores the others"
    }

    static func searchNotSent(on interface: String, _ error: SystemError) -> String {
        "the search for cameras cannot be sent on \(interface): \(error)"
    }

    static func noSearch(on interface: String, _ error: SystemError) -> String {
        "cannot search for cameras on \(interface): \(error)"
    }

    static func noAnnouncements(on interface: String, _ error: SystemError) -> String {
        "announcements of cameras on \(interface) cannot be received, only searches work: \(error)"
    }

    static func noAnnouncements(on interface: String, portTaken port: UInt16) -> String {
        "announcements of cameras on \(interface) cannot be received, only searches work: "
            + "another program uses UDP port \(port) exclusively"
    }

    static func flooded(_ interface: String, countMax: Int, senderCountMax: Int) -> String {
        "more than \(countMax) SSDP messages per second arrive on \(interface), or \(senderCountMax) from one sender; "
            + "the daemon drops the rest"
    }

    /// A text for an interface whose name is unknown, because the interface has just disappeared.
    static func interface(_ index: UInt32) -> String { "interface \(index)" }

    // MARK: Links

    static func notOpened(_ address: CameraAddress, reason: String) -> String { "\(address): \(reason)" }

    static func noAnswer(_ address: CameraAddress, within time: Duration) -> String {
        "\(address) did not answer within \(time)"
    }

    static let nameUnknown = "there is no host with this name"

    static func bytesNotAccepted(_ count: Int) -> String { "the camera did not accept \(count) bytes" }
}
