import Exposure
import NIOCore
import PTP

@testable import Cameras

extension Examples {
    /// Nikon: the session, the shutter, the values, and the files.
    static let nikon: [String] =
        nikonSession + nikonEvents + nikonValues + nikonCapture
        + [NikonFileSentences.denied]

    private static let nikonSession: [String] =
        [
            Refusal.notWaiting(NikonSessionSentences.notWaiting).sentence,
            NikonSessionSentences.notPaired,
            NikonSessionSentences.pairingRefused(.generalError),
            NikonSessionSentences.remoteControlMissing("COOLPIX P1000"),
            NikonSessionSentences.vendorListMissing(.generalError),
            NikonSessionSentences.mediaChanged(.host),
            NikonSessionSentences.mediaKept(.host),
            NikonSessionSentences.propertyBusy(.nikonShotsLeft),
            NikonSessionSentences.notRestored(OperationCode.nikonChangeCameraMode.nikonName, .deviceBusy),
        ] + [NikonPairingPIN(decoding: ByteBuffer(string: "4711"))].compactMap { $0.map(NikonSessionSentences.confirm) }

    private static let nikonEvents: [String] = [
        NikonSessionSentences.eventsDamaged(.countMissing(left: 1)),
        NikonSessionSentences.eventsDamaged(.countBeyondData(count: 500, left: 6)),
        NikonSessionSentences.eventsDamaged(.tooManyEvents(count: 3000)),
        NikonSessionSentences.eventsDamaged(.tooManyParameters(.objectAdded, count: 9)),
        NikonSessionSentences.eventsDamaged(.eventBeyondData(left: 3)),
        NikonSessionSentences.eventsIncomplete,
        NikonSessionSentences.eventsUnreadable(.deviceBusy),
        LossReason.protocolError(NikonSessionSentences.eventsNotReported(.deviceBusy)).sentence,
    ]

    private static let nikonValues: [String] = [
        NikonValueError.dataset(.nikonShutterSpeed, .truncated(field: "CurrentValue", needed: 4, left: 1)).sentence,
        NikonValueError.dataset(nil, .truncated(field: "Codes", needed: 4, left: 1)).sentence,
        NikonValueError.wrongProperty(.nikonShutterSpeed, found: .nikonISO).sentence,
        NikonValueError.tooManyValues(.nikonShutterSpeed, count: 5000, limit: 1024).sentence,
        NikonValueError.notANumber(.nikonShutterSpeed, .string).sentence,
        NikonValueSentences.quirk(NikonQuirks.table[0], of: "J1"),
        NikonValueSentences.substitutions(NikonSpeedList(.tenths, [1, 2, 4]).substitutions),
        NikonValueSentences.liveViewProhibited(NikonLiveViewProhibition(rawValue: 0x4100)),
    ]

    private static let nikonCapture: [String] = [
        NikonCaptureSentences.noCard,
        NikonCaptureSentences.hardwareError,
        NikonCaptureSentences.untimedSpeed,
        NikonCaptureSentences.mirrorUp,
        NikonCaptureSentences.apertureRing,
        NikonCaptureSentences.cardError,
        NikonCaptureSentences.cardUnformatted,
        NikonCaptureSentences.noPictureReported,
        NikonCaptureSentences.noPictureExpected,
        CameraFailure.speedChanged(found: .other(NikonCaptureSentences.noSpeed)).sentence,
    ]
}
