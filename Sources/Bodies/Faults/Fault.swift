import Cameras
import Exposure

/// One way in which a simulated body misbehaves, as `--fault` names it. `FaultGrammar` has the notation.
///
/// Frames count from 1 over the life of the body, whatever session fires them. Frame n is current from the moment the
/// body is ready for it (frame n - 1 saved and fetched, the buttons up) until it is ready for the next.
package enum Fault: Hashable, Sendable {
    /// The next `times` commands of `kind` are answered Device_Busy and do nothing; with `frame`, only commands that
    /// come while that frame is current count.
    case busy(CommandKind, frame: Int?, times: Int)
    /// Of the next `times` commands about half are answered Device_Busy and do nothing, in a fixed pattern.
    case busyStorm(times: Int)
    /// Sets and notches of a property are answered OK and do nothing. `times` nil: all of them.
    case ignoreProperty(CameraProperty, times: Int?)
    /// The next `times` sets of the shutter speed are answered OK and do nothing.
    case ignoreSets(frame: Int?, times: Int)
    /// Sets of the shutter speed for a frame settle on another speed. `times` nil: every one.
    case wrongSpeed(frame: Int, speed: ShutterSpeed, times: Int?)
    /// The speed that was set for a frame falls back to the one before, so long after the reading that first showed it.
    case jump(frame: Int, times: Int, after: Duration)
    /// The speed becomes another one as the shutter goes, after the last reading that could show it: the frame is
    /// exposed at that speed; nil: BULB.
    case jumpAtShutter(frame: Int, ShutterSpeed?)
    /// A frame comes with the first file of the frame before it: in front of its own files, or, with `alone`, alone
    /// for so long.
    case stale(frame: Int, alone: Duration?)
    /// The buffer stays "in preparation" (0xD215 is 1) behind a frame: for `heals`, or for ever. The frame is saved.
    case stuckBuffer(frame: Int, heals: Duration?)
    /// GetObjectInfo is refused for so long after a frame's files were announced.
    case objectInfoLate(frame: Int, Duration)
    /// The link breaks when so many bytes of a frame's file have gone out; connects are refused for `back`.
    case transferBreaks(frame: Int, after: Int, back: Duration)
    /// Files are sent no faster than so many bytes per second.
    case slowTransfer(bytesPerSecond: Int)
    /// GetObject is not supported.
    case partialOnly
    /// GetPartialObject is not supported.
    case wholeOnly
    /// After a frame was exposed the body stays busy: for `heals`, or for ever.
    case neverIdle(frame: Int, heals: Duration?)
    /// Both connections break, and connects are refused for `back`.
    case drop(frame: Int, phase: FramePhase, back: Duration)
    /// Nothing is answered or reported any more, and nothing is closed: for `back`, or until the initiator has given
    /// up both connections.
    case mute(frame: Int, phase: FramePhase, back: Duration?)
    /// Both connections are closed in order; connects are refused for `back`, if at all.
    case close(frame: Int, phase: FramePhase, back: Duration?)
    /// The body leaves the network and comes back, perhaps with another address.
    case leave(frame: Int, phase: FramePhase, Departure)
    /// Pressing the shutter is answered General_Error and does nothing.
    case fail(frame: Int, times: Int)
    /// Pressing the shutter is answered OK and does nothing.
    case noPicture(frame: Int, times: Int)
    /// The half press finds no focus, so that the full press does nothing. Not in manual focus.
    case noFocus(frame: Int, times: Int)
    /// The dial stands on another mode than asked for, and remote changes of the mode are refused with Access_Denied.
    case rejectMode(DialMode)
    /// The dial is turned some time after the first session was opened.
    case modeAfter(Duration, DialMode)
    /// The dial is turned when a frame becomes current.
    case modeAtFrame(frame: Int, DialMode)
    /// The next `times` initiators are answered Init_Fail.
    case initFail(reason: UInt32, times: Int)
    /// The answer to the initiator comes late, as while a person confirms the pairing on the body.
    case pairing(Duration)
    /// The next `times` SDIO_Connect are answered Authentication_Failed (0xA101).
    case authFailed(times: Int)
    /// The next `times` SDIO_GetExtDeviceInfo carry an empty dataset.
    case emptyExtInfo(times: Int)
    /// No event is ever sent.
    case eventsSilent
    /// Every property change is reported `times` times.
    case eventStorm(times: Int)
    /// The next `times` connects are refused.
    case refuseConnect(times: Int)
    /// Both connections are dropped after so long without an operation.
    case idleDrop(Duration)
    /// After an initiator has left without closing its session, others are refused for so long: their connects, or
    /// with `isBusy` their Init packets with "busy".
    case refuseAfterUncleanEnd(Duration, isBusy: Bool)
    /// The body probes the initiator on the event connection this often, and drops a session that does not answer.
    case probe(every: Duration)
    /// No search is answered.
    case ssdpSilent
    /// The next `times` searches are not answered, as while the WiFi starts.
    case ssdpFirst(times: Int)
    /// What is announced is the description of another host.
    case ssdpWrongLocation(IPAddress)
    /// How the description is served.
    case description(Description)

    /// What is wrong with a description that is served.
    package enum Description: String, CaseIterable, Hashable, Sendable {
        /// Half of it comes, and then nothing more.
        case slow
        /// It is far longer than any description.
        case long
        /// It ends in the middle and is not well-formed.
        case broken
        /// It is at another path of the same host.
        case redirect
    }

    /// Which commands a busy fault hits.
    package enum CommandKind: Hashable, Sendable {
        /// Every operation inside a session but CloseSession.
        case any
        /// What changes something: `set` and `control`.
        case change
        /// OpenSession.
        case open
        /// Setting a property (0x9205).
        case set
        /// Any control (0x9207).
        case control
        /// The full press (0x9207, control 0xD2C2 down).
        case shutter
        /// Reading the properties (0x9209).
        case read
        /// Fetching a picture (0x1008, 0x1009, 0x101B).
        case object
        /// One operation by its code.
        case operation(UInt16)
    }

    /// The point of a frame at which the link breaks or falls silent. What the point waits for never comes when the
    /// initiator leaves that step out.
    package enum FramePhase: String, CaseIterable, Hashable, Sendable {
        /// As the speed's set arrives; it is not done.
        case set
        /// As the first reading after a set arrives; it is not answered.
        case confirm
        /// As the half press arrives; nothing is exposed.
        case focus
        /// As the full press arrives: the frame is exposed, the answer is lost.
        case press
        /// In the middle of the exposure.
        case expose
        /// When the exposure is over and the picture is being written.
        case save
    }
}
