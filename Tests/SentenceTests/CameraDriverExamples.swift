import Exposure
import PTP

@testable import Cameras

extension Examples {
    /// Cameras: addresses, connections, the reasons of losses and failures.
    static let cameraDriver: [String] =
        cameraAddresses + cameraConnections + cameraLosses + cameraFailures + cameraHTTPFailures

    private static let cameraAddresses: [String] = [
        CameraAddressSentences.invalid("[fe80::1", CameraAddressSentences.bracketMissing),
        CameraAddressSentences.invalid("[camera]", CameraAddressSentences.notIPv6),
        CameraAddressSentences.invalid("fe80::1", CameraAddressSentences.bracketsMissing),
        CameraAddressSentences.invalid(":15740", CameraAddressSentences.hostMissing),
        CameraAddressSentences.invalid("a.very.long.name", CameraAddressSentences.hostTooLong),
        CameraAddressSentences.invalid("my camera", CameraAddressSentences.hostInvalid),
        CameraAddressSentences.invalid("192.168.122.1:0", CameraAddressSentences.portInvalid),
        CameraAddressSentences.invalid("[fe80::1]x", CameraAddressSentences.surplus("x")),
    ]

    private static let cameraConnections: [String] = [
        ConnectionSentences.notYetConnected,
        ConnectionSentences.protocolUnsupported(CameraProtocol(rawValue: "canon-http")),
        ConnectionSentences.rejectedWithoutReason(.unspecified),
        ConnectionSentences.descriptionUnreadable(.truncated(field: "Model", needed: 18, left: 6)),
        ConnectionSentences.makerUnsupported("Leica", "Q3", makers: ["Sony"]),
        ConnectionSentences.makerUnsupported("Leica", "Q3", makers: ["Sony", "Canon", "Nikon"]),
        ConnectionSentences.stepUnsupported("SDIO_Connect", by: "ILCE-7M4"),
        ConnectionSentences.stepUnanswered("GetDeviceInfo"),
        ConnectionSentences.stepFailed("OpenSession", codeName: "GeneralError"),
        LossReason.protocolError(ConnectionSentences.noSessionOpen).sentence,
        ConnectionSentences.accepted(by: "ILCE-7M4"),
        ConnectionSentences.probeUnanswered,
        ConnectionSentences.idleLimitLearned(closedAfter: .milliseconds(10_400), keepAlive: .seconds(5)),
    ]

    private static let cameraLosses: [String] = [
        Refusal.unpaired.sentence,
        Refusal.inUse.sentence,
        LossReason.closedByCamera.sentence,
        LossReason.reset("Connection reset by peer").sentence,
        LossReason.silent(after: .seconds(10), during: "GetObject").sentence,
        LossReason.silent(after: .milliseconds(2_500), during: "the Init handshake").sentence,
        LossReason.cannotConnect("No route to host").sentence,
        LossReason.notConnected.sentence,
    ]

    private static let cameraFailures: [String] = [
        CameraFailure.speedChanged(found: .speed(.slowest)).sentence,
        CameraFailure.speedNotOffered(.fastest).sentence,
        CameraFailure.speedNotWritable.sentence,
        CameraFailure.propertyUnknown(.aperture).sentence,
        CameraFailure.propertyNotWritable(.iso).sentence,
        CameraFailure.propertyNotOffered(.drive, "single", choices: []).sentence,
        CameraFailure.propertyNotOffered(.aperture, "f/1.0", choices: ["f/2.8", "f/4", "f/5.6"]).sentence,
        CameraFailure.propertyNotOffered(.iso, "50", choices: (1...24).map { "\($0)00" }).sentence,
        CameraFailure.propertyNotKept(.iso, "100", found: "200").sentence,
        CameraFailure.propertyNotKept(.aperture, "f/8", found: nil).sentence,
        CameraFailure.focusFailed.sentence,
        CameraFailure.storageFull.sentence,
        CameraFailure.refused(operation: "SetDevicePropValue", code: 0x200F, name: "AccessDenied").sentence,
    ]

    private static let cameraHTTPFailures: [String] = [
        HTTPFailure.closed(isAnswered: true).description,
        HTTPFailure.closed(isAnswered: false).description,
        HTTPFailure.timedOut(.seconds(5)).description,
        HTTPFailure.tooLong(byteCountMax: 65_536).description,
        HTTPFailure.headersTooLong.description,
        HTTPFailure.tooManyBytes(1_048_576).description,
        HTTPFailure.notHTTP.description,
        HTTPFailure.tooManyRequests(4).description,
    ]
}
