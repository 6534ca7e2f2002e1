import Cameras
import Glibc

@testable import Host

extension Examples {
    static let hostNetwork: [String] = [
        NetworkHostSentences.networkUnreadable(SystemError(code: EAFNOSUPPORT)),
        NetworkHostSentences.networkNotQueried(SystemError(code: ENOBUFS)),
        NetworkHostSentences.networkRequestRejected(NetlinkMessage.Refusal(code: EPERM, words: nil)),
        NetworkHostSentences.networkMessageInvalid(NetlinkMessage.Fault(description: "a link has no number")),
        NetworkHostSentences.tooManyInterfaces(interfacesMax: 256, addressesMax: 64),
        NetworkHostSentences.wifiUnreadable(reason: "No such file or directory"),
        NetworkHostSentences.wifiMessageInvalid(
            NetlinkMessage.Fault(description: "an access point's address has the wrong length")
        ),
        NetworkHostSentences.noInterface("wlan7"),
        NetworkHostSentences.routeProhibited,
        NetworkHostSentences.routeDiscards,
        NetworkHostSentences.interfacesIgnored(max: 16),
        NetworkHostSentences.searchNotSent(on: "wlan0", SystemError(code: ENETUNREACH)),
        NetworkHostSentences.noSearch(on: "wlan0", SystemError(code: EMFILE)),
        NetworkHostSentences.noAnnouncements(on: "wlan0", SystemError(code: EMFILE)),
        NetworkHostSentences.noAnnouncements(on: "wlan0", portTaken: 1900),
        NetworkHostSentences.flooded(NetworkHostSentences.interface(7), countMax: 64, senderCountMax: 16),
        NetworkHostSentences.notOpened(hostCamera, reason: NetworkHostSentences.nameUnknown),
        NetworkHostSentences.noAnswer(hostCamera, within: .seconds(5)),
        NetworkHostSentences.bytesNotAccepted(1_048_570),
    ]

    private static var hostCamera: CameraAddress { CameraAddress(host: "camera.local") }
}
