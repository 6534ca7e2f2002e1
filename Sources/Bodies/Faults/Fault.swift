import Cameras
import Exposure

/// One fault of a simulated body, as `--fault` names it. `FaultGrammar` has the notation.
///
/// Frames count from 1 over the life of the body, across sessions. Frame n is current from the moment the body is ready
/// for it until it is ready for the next one. It is ready when frame n - 1 is saved and fetched and the buttons are
/// released.
package enum Fault: Hashable, Sendable {
    /// The next `times` commands of `kind` are answered Device_Busy and have no effect. With `frame`, only commands
    /// during that frame count.
    case busy(CommandKind, frame: Int?, times: Int)
    /// About half of the next `times` commands are answered Device_Busy and have no effect, in a fixed pattern.
    case busyStorm(times: Int)
    /// Sets and notches of a property are answered OK and have no effect. `times` nil: all of them.
    case ignoreProperty(CameraProperty, times: Int?)
    /// The next `times` sets of the shutter speed are answered OK and have no effect.
    case ignoreSets(frame: Int?, times: Int)
    /// Sets of the shutter speed for a frame result in another speed. `times` nil: every one.
    case wrongSpeed(frame: Int, speed: ShutterSpeed, times: Int?)
    /// The speed that was set for a frame returns to the previous one, this long after the reading that first showed
    /// it.
    case jump(frame: Int, times: Int, after: Duration)
    /// The speed changes when the shutter opens, after the last reading that could show it: the frame is exposed at
    /// that speed; nil: BULB.
    case jumpAtShutter(frame: Int, ShutterSpeed?)
    /// A frame comes with the first file of the previous frame: before its own files, or, with `alone`, only that file
    /// for this time.
    case stale(frame: Int, alone: Duration?)
    /// The buffer stays "in preparation" (0xD215 is 1) after a frame: for `heals`, or permanently. The frame is saved.
    case stuckBuffer(frame: Int, heals: Duration?)
    /// GetObjectInfo is rejected for this time after a frame's files were announced.
    case objectInfoLate(frame: Int, Duration)
    /// The link breaks after so many bytes of a frame's file; connects are refused for `back`.
    case transferBreaks(frame: Int, after: Int, back: Duration)
    /// The pace of files is limited to so many bytes per second.
    case slowTransfer(bytesPerSecond: Int)
    /// GetObject is not supported.
    case partialOnly
    /// GetPartialObject is not supported.
    case wholeOnly
    /// After a frame was exposed the body stays busy: for `heals`, or permanently.
    case neverIdle(frame: Int, heals: Duration?)
    /// Both connections break, and connects are refused for `back`.
    case drop(frame: Int, phase: FramePhase, back: Duration)
    /// Nothing is answered, reported or closed any more: for `back`, or until the initiator has closed both
    /// connections.
    case mute(frame: Int, phase: FramePhase, back: Duration?)
    /// Both connections are closed in order; connects are refused for `back`, if given.
    case close(frame: Int, phase: FramePhase, back: Duration?)
    /// The body leaves the network and returns, perhaps at another address.
    case leave(frame: Int, phase: FramePhase, Departure)
    /// Pressing the shutter is answered General_Error and has no effect.
    case fail(frame: Int, times: Int)
    /// Pressing the shutter is answered OK and has no effect.
    case noPicture(frame: Int, times: Int)
    /// The half press finds no focus, so the full press has no effect. Not in manual focus.
    case noFocus(frame: Int, times: Int)
    /// The dial is in another position than requested, and remote changes of the mode are rejected with Access_Denied.
    case rejectMode(DialMode)
    /// The dial is turned some time after the first session was opened.
    case modeAfter(Duration, DialMode)
    /// The dial is turned when a frame becomes current.
    case modeAtFrame(frame: Int, DialMode)
    /// The next `times` initiators are answered Init_Fail.
    case initFail(reason: UInt32, times: Int)
    /// The answer to the initiator is late, as while the user confirms the pairing on the body.
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
    /// Both connections are dropped after this time without an operation.
    case idleDrop(Duration)
    /// After an initiator has disconnected without closing its session, others are rejected for this time. Their
    /// connects are refused, or with `isBusy` their Init packets are answered "busy".
    case refuseAfterUncleanEnd(Duration, isBusy: Bool)
    /// The body probes the initiator on the event connection this often, and drops a session that does not answer.
    case probe(every: Duration)
    case ssdpSilent
    /// The next `times` searches are not answered, as while the WiFi starts.
    case ssdpFirst(times: Int)
    /// The announced description is on another host.
    case ssdpWrongLocation(IPAddress)
    /// How the description is served.
    case description(Description)

    /// The fault of a served description.
    package enum Description: String, CaseIterable, Hashable, Sendable {
        /// Half of it arrives, and then nothing more.
        case slow
        /// It is far longer than any description.
        case long
        /// It ends in the middle and is not well-formed.
        case broken
        /// It is at another path of the same host.
        case redirect
    }

    /// The commands that a busy fault hits.
    package enum CommandKind: Hashable, Sendable {
        /// Every operation inside a session except CloseSession.
        case any
        /// Every change: `set` and `control`.
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

    /// The point of a frame at which the link breaks or becomes silent. If the initiator omits the step, the point is
    /// never reached.
    package enum FramePhase: String, CaseIterable, Hashable, Sendable {
        /// When the speed's set arrives; it has no effect.
        case set
        /// When the first reading after a set arrives; it is not answered.
        case confirm
        /// When the half press arrives; nothing is exposed.
        case focus
        /// When the full press arrives: the frame is exposed, the answer is lost.
        case press
        /// In the middle of the exposure.
        case expose
        /// When the exposure is over and the picture is being written.
        case save
    }
}
