import Cameras
import Exposure
import PTP

/// One fault of a simulated body, as in the option `--fault`. `FaultGrammar` has the notation.
///
/// Frames count from 1 over the life of the body, across sessions. Frame n becomes current when frame n - 1 is saved
/// and fetched and the buttons are released. It stays current until frame n + 1 becomes current.
package enum Fault: Hashable, Sendable {
    /// The body answers the next `times` commands of `kind` with Device_Busy and ignores them. With `frame`, only
    /// commands during that frame count.
    case busy(CommandKind, frame: Int?, times: Int)
    /// The body answers about half of the next `times` commands with Device_Busy and ignores them, in a fixed pattern.
    case busyStorm(times: Int)
    /// The body answers OK to changes of a property and ignores them. `times` nil: all changes.
    case ignoreProperty(CameraProperty, times: Int?)
    /// The body answers OK to the next `times` changes of the shutter speed and ignores them.
    case ignoreSets(frame: Int?, times: Int)
    /// A change of the shutter speed for a frame results in another speed. `times` nil: every change.
    case wrongSpeed(frame: Int, speed: ShutterSpeed, times: Int?)
    /// The speed returns to the previous one when `after` has passed since the initiator first read the new speed.
    case jump(frame: Int, times: Int, after: Duration)
    /// The speed changes to this one when the shutter opens, after the initiator has read another speed. nil: BULB.
    case jumpAtShutter(frame: Int, ShutterSpeed?)
    /// The body offers the first file of the previous frame before the files of this frame. With `alone`, the files of
    /// this frame follow after that time.
    case stale(frame: Int, alone: Duration?)
    /// The buffer stays "in preparation" (0xD215 is 1) after a frame, for `heals` or permanently. The frame is saved.
    case stuckBuffer(frame: Int, heals: Duration?)
    /// The body rejects GetObjectInfo for this time after it has announced a frame's files.
    case objectInfoLate(frame: Int, Duration)
    /// The link breaks after this number of bytes of a frame's file. The body refuses connections for `back`.
    case transferBreaks(frame: Int, after: Int, back: Duration)
    /// The body sends files at this rate at most.
    case slowTransfer(bytesPerSecond: Int)
    /// The body does not support GetObject.
    case partialOnly
    /// The body does not support GetPartialObject.
    case wholeOnly
    /// The body stays busy after the exposure of a frame, for `heals` or permanently.
    case neverIdle(frame: Int, heals: Duration?)
    /// Both connections break. The body refuses connections for `back`.
    case drop(frame: Int, phase: FramePhase, back: Duration)
    /// The body sends nothing and closes nothing, for `back` or until the initiator has closed both connections.
    case mute(frame: Int, phase: FramePhase, back: Duration?)
    /// The body closes both connections in order. With `back`, it refuses connections for that time.
    case close(frame: Int, phase: FramePhase, back: Duration?)
    /// The body leaves the network and returns, perhaps at another address.
    case leave(frame: Int, phase: FramePhase, Departure)
    /// The body answers General_Error to a press of the shutter and ignores the press.
    case fail(frame: Int, times: Int)
    /// The body answers OK to a press of the shutter and ignores the press.
    case noPicture(frame: Int, times: Int)
    /// The half press finds no focus, so the full press has no effect. In manual focus the fault does not happen.
    case noFocus(frame: Int, times: Int)
    /// The dial is at this position. The body rejects remote changes of the mode with Access_Denied.
    case rejectMode(DialMode)
    /// The user turns the dial this time after the first session was opened.
    case modeAfter(Duration, DialMode)
    /// The user turns the dial when a frame becomes current.
    case modeAtFrame(frame: Int, DialMode)
    /// The body answers Init_Fail to the next `times` initiators.
    case initFail(reason: UInt32, times: Int)
    /// The body answers the initiator late, as if the user had to confirm the pairing on the body.
    case pairing(Duration)
    /// The body answers Authentication_Failed (0xA101) to the next `times` SDIO_Connect.
    case authFailed(times: Int)
    /// The body answers the next `times` SDIO_GetExtDeviceInfo with an empty dataset.
    case emptyExtInfo(times: Int)
    /// The body never sends an event.
    case eventsSilent
    /// The body reports every property change `times` times.
    case eventStorm(times: Int)
    /// The body refuses the next `times` connections.
    case refuseConnect(times: Int)
    /// The body closes both connections after this time without an operation.
    case idleDrop(Duration)
    /// After an initiator has disconnected without CloseSession, the body accepts no initiator for this time. The body
    /// refuses connections, or, with `isBusy`, answers Init packets with "busy".
    case refuseAfterUncleanEnd(Duration, isBusy: Bool)
    /// The body probes the initiator on the event connection at this interval. Without an answer it ends the session.
    case probe(every: Duration)
    /// The body rejects each initiator for this time after the first one, as if its menu did not wait for a connection.
    case notWaiting(Duration)
    /// The body is paired with the initiator with this GUID, and rejects every other one.
    case paired(GUID)
    /// The body leaves the remote mode when the speed is set for a frame, and refuses that and every later change.
    case remoteModeLost(frame: Int)
    /// The body turns itself off this time after the last KeepDeviceOn or press. It announces that 5 s before.
    case autoOff(Duration)
    /// The body answers Device_Busy to a press while its event list is not empty.
    case busyUnreadEvents
    /// The body reports the focus of a frame this time after the answer to the half press.
    case lateFocus(frame: Int, Duration)
    /// The shot counter changes this time after the shutter has opened.
    case lateCounter(Duration)
    /// The body announces the files of a frame this time after it has saved them.
    case lateObject(frame: Int, Duration)
    /// The body announces each file of a frame twice.
    case doubleObject(frame: Int)
    /// The body never reports one of the signs of a picture.
    case omits(PictureSign)
    /// The body is not paired. The user confirms a pairing this time after the initiator has.
    case unpaired(Duration)
    /// The body refuses changes and releases until the initiator has changed the camera mode.
    case needsRemoteMode
    /// The body answers GetObjectInfo and GetPartialObject with Access_Denied.
    case pcMode
    /// The body leaves the next Init packet unanswered after a CloseSession within 1 s of OpenSession.
    case earlyClose
    /// The body leaves an Init packet unanswered that comes within this time after the end of a session.
    case earlyReturn(Duration)
    /// The body does not react to the initiator's probes as the standard demands.
    case probed(ProbeFault)
    /// The connection number of the first initiator is 0.
    case connectionZero
    /// The body has no property 0xD100.
    case withoutShutterProperty
    /// The body answers Parameter_Not_Supported to a release with two parameters.
    case oneParameter
    /// GetStorageIDs lists storages without a card.
    case placeholderStorages
    /// The body sends its events as packets, or not, whatever the model does.
    case pushedEvents(PushedEvents)
    /// The next `times` event lists that are not empty declare more events than they have.
    case falseCount(times: Int)
    /// The body answers `times` commands busy after it was ready for the first time after a frame.
    case busyAfterReady(frame: Int, times: Int)
    /// The body answers DeviceReady permanently "silent release busy" after the first release.
    case silentReleaseBusy
    /// The body stops in the middle of GetObject after this number of bytes of a frame's file.
    case transferStalls(frame: Int, after: Int)
    /// A property of the body's replies (Sony's HTTP API).
    case sonyHTTP(SonyHTTPTrait)
    /// The body answers the next `times` calls 40401, as if it were still starting.
    case notReadyFirst(times: Int)
    /// After each picture, the body's status is NotReady for this time.
    case notReadyGap(Duration)
    /// How the body answers a poll in which nothing changed.
    case pollEnd(PollEnd)
    /// The body answers calls of this method with HTTP status 403.
    case locked(String)
    /// The next `times` replies are damaged.
    case damagedReply(ReplyDamage, times: Int)
    /// The body takes the picture of a frame and answers 40400, because the picture has no URL.
    case withoutURL(frame: Int)
    /// The URL of a frame's picture does not work.
    case expiredURL(frame: Int)
    case ssdpSilent
    /// The body does not answer the next `times` searches, as if its WiFi were still starting.
    case ssdpFirst(times: Int)
    /// SSDP announces a description on another host.
    case ssdpWrongLocation(IPAddress)
    /// The body serves the description with this fault.
    case description(Description)

    /// A sign that a picture exists.
    package enum PictureSign: String, CaseIterable, Hashable, Sendable {
        /// The body is busy, and then ready.
        case status
        /// A file is added.
        case objects
        /// The shot counter decreases.
        case counter
    }

    /// A wrong reaction to the initiator's probe.
    package enum ProbeFault: String, CaseIterable, Hashable, Sendable {
        /// The body does not answer.
        case ignore
        /// The body closes both connections.
        case close
    }

    /// Whether events are also sent as packets.
    package enum PushedEvents: String, CaseIterable, Hashable, Sendable {
        case on, off, twice
    }

    /// A property of the replies of Sony's HTTP API that differs between bodies.
    package enum SonyHTTPTrait: String, CaseIterable, Hashable, Sendable {
        /// The body answers a press 40400 until a half press.
        case needsFocus = "needs-focus"
        /// The texts of errors are empty.
        case withoutTexts = "no-error-texts"
        /// The result comes before the id.
        case resultFirst = "result-first"
        /// Slashes in texts are not escaped.
        case plainSlashes = "plain-slashes"
        /// The lists of candidates are empty.
        case withoutCandidates = "no-candidates"
        /// The body closes the connection after each reply.
        case closesConnections = "closes-connections"
        /// The URLs in replies lead to another host.
        case foreignURLs = "foreign-urls"
    }

    /// The answer to a poll in which nothing changed.
    package enum PollEnd: String, CaseIterable, Hashable, Sendable {
        /// A result without values.
        case nulls
        /// Error 2.
        case timeout = "error-2"
        /// Error 1.
        case unknown = "error-1"
    }

    /// The damage of a reply.
    package enum ReplyDamage: String, CaseIterable, Hashable, Sendable {
        case notJSON = "no-json"
        case otherID = "other-id"
        /// The reply has 10 MiB.
        case huge
        /// The reply is nested 10,000 deep.
        case deep
        /// The reply has numbers out of range.
        case numbers
        /// The reply comes at one byte a second.
        case slow
        /// The reply leads to another host.
        case redirect
    }

    /// The fault of a served description.
    package enum Description: String, CaseIterable, Hashable, Sendable {
        /// The body sends half of the description and then stops.
        case slow
        /// The description is far longer than any real description.
        case long
        /// The description ends in the middle and is not well-formed.
        case broken
        /// The description is at another path of the same host.
        case redirect
    }

    /// The commands that a busy fault affects.
    package enum CommandKind: Hashable, Sendable {
        /// Every operation inside a session except CloseSession.
        case any
        /// Every change: `set` and `control`.
        case change
        /// OpenSession.
        case open
        /// A change of a property by value (Sony 0x9205, Canon 0x9110, Nikon 0x1016 and 0x943C).
        case set
        /// Every control (Sony 0x9207), every press and release of the button (Canon 0x9128, 0x9129, 0x910F). On Nikon,
        /// every release and focus (0x9207, 0x90C0, 0x90CB, 0x100E, 0x90C1, 0x920C).
        case control
        /// The full press (Sony 0x9207 with control 0xD2C2 down, Canon 0x9128 or 0x910F), the release (Nikon).
        case shutter
        /// The operation that reads the properties (Sony 0x9209, Canon 0x9116, Nikon 0x1014 and 0x1015).
        case read
        /// An operation that fetches a picture (0x1008, 0x1009, 0x101B, and Canon's own).
        case object
        /// The operation with this code.
        case operation(UInt16)
    }

    /// The phase of a frame in which the link breaks or becomes silent. If the initiator omits the phase, the fault
    /// does not happen.
    package enum FramePhase: String, CaseIterable, Hashable, Sendable {
        /// When the command that sets the speed arrives. The body ignores the command.
        case set
        /// When the initiator first reads the properties after it set the speed. The body does not answer.
        case confirm
        /// When the half press arrives. The body exposes nothing.
        case focus
        /// When the full press arrives. The body exposes the frame, but the answer is lost.
        case press
        /// In the middle of the exposure.
        case expose
        /// When the exposure is over and the picture is being written.
        case save
    }
}
