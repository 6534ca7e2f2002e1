import Cameras

/// The notation of faults: `NAME[@FRAME][:PHASE][=VALUE][,KEY=VALUE…][,WORD…]`.
///
/// `list` is the one table: the parser takes its names from it, `camerasim --help` and `camerasim list` print it.
package enum FaultGrammar {
    /// A row of the table.
    package struct Entry: Sendable {
        /// The name before `@`, `:`, `=` and `,`.
        package var name: String
        /// How it is written, optional parts in brackets.
        package var form: String
        /// What the body does, in one sentence.
        package var meaning: String
        /// A text that parses.
        package var example: String
        /// The words that may follow without a value.
        package var flags: [String] = []
    }

    /// Every fault, in the order in which a shoot meets them.
    package static let list: [Entry] = discovery + connecting + setting + shooting + pictures + link

    private static let discovery: [Entry] = [
        Entry(
            name: "ssdp-silent",
            form: "ssdp-silent",
            meaning: "answers no search, but still sends NOTIFY; with --ssdp",
            example: "ssdp-silent"
        ),
        Entry(
            name: "ssdp-first",
            form: "ssdp-first=N",
            meaning: "does not answer the first N searches, like a body whose WiFi is starting; with --ssdp",
            example: "ssdp-first=3"
        ),
        Entry(
            name: "ssdp-wrong-location",
            form: "ssdp-wrong-location[=ADDR]",
            meaning: "announces a description at ADDR (198.51.100.1, an address without a host); with --ssdp",
            example: "ssdp-wrong-location=127.0.0.9"
        ),
        Entry(
            name: "description",
            form: "description=HOW",
            meaning:
                "serves a description that stops in the middle (slow), is 8 MiB too long (long), is not well-formed "
                + "(broken), or has another path (redirect); with --ssdp",
            example: "description=slow"
        ),
    ]

    private static let connecting: [Entry] = [
        Entry(
            name: "refuse-connect",
            form: "refuse-connect=N",
            meaning: "refuses the next N TCP connections",
            example: "refuse-connect=2"
        ),
        Entry(
            name: "init-fail",
            form: "init-fail=REASON[:N]",
            meaning: "answers the next N (1) initiators Init_Fail; REASON is rejected, busy, unspecified or a number",
            example: "init-fail=busy:3"
        ),
        Entry(
            name: "pairing",
            form: "pairing=DURATION",
            meaning: "answers an initiator after DURATION, like a body that waits for the user's confirmation",
            example: "pairing=12s"
        ),
        Entry(
            name: "auth-failed",
            form: "auth-failed=N",
            meaning: "answers the next N SDIO_Connect Authentication_Failed (0xA101)",
            example: "auth-failed=1"
        ),
        Entry(
            name: "empty-extinfo",
            form: "empty-extinfo=N",
            meaning: "sends the next N SDIO_GetExtDeviceInfo datasets empty",
            example: "empty-extinfo=3"
        ),
        Entry(
            name: "reject-mode",
            form: "reject-mode[=MODE]",
            meaning: "the dial is at MODE (A) whatever --mode says, and cannot be changed remotely",
            example: "reject-mode=P"
        ),
        Entry(
            name: "mode-after",
            form: "mode-after=DURATION:MODE",
            meaning: "turns the dial to MODE when DURATION has passed since the first session was opened",
            example: "mode-after=3s:M"
        ),
        Entry(
            name: "mode",
            form: "mode@FRAME=MODE",
            meaning: "turns the dial to MODE before that frame",
            example: "mode@4=P"
        ),
    ]

    private static let setting: [Entry] = [
        Entry(
            name: "busy",
            form: "busy[@FRAME]=[OP:]N",
            meaning: "answers the next N commands of OP Device_Busy; OP is any (default), change (set or control), "
                + "open, set, control, shutter, read, object or a code such as 0x9205; with a frame the default is "
                + "change",
            example: "busy@2=shutter:2"
        ),
        Entry(
            name: "busy-storm",
            form: "busy-storm=N",
            meaning: "answers about half of the next N commands Device_Busy, in a fixed pattern",
            example: "busy-storm=40"
        ),
        Entry(
            name: "ignore-property",
            form: "ignore-property=PROPERTY[:N]",
            meaning: "answers all (the next N) sets and notches of PROPERTY OK and ignores them; PROPERTY is "
                + CameraProperty.allCases.map(\.rawValue).joined(separator: ", "),
            example: "ignore-property=iso:2"
        ),
        Entry(
            name: "ignore-set",
            form: "ignore-set[@FRAME]",
            meaning: "answers the next set of the speed OK and ignores it",
            example: "ignore-set@3"
        ),
        Entry(
            name: "ignore-sets",
            form: "ignore-sets=N",
            meaning: "answers the next N sets of the speed OK and ignores them",
            example: "ignore-sets=4"
        ),
        Entry(
            name: "wrong-speed",
            form: "wrong-speed@FRAME=SPEED[,times=N]",
            meaning: "settles on SPEED at every set (the first N) for that frame",
            example: "wrong-speed@3=1/60"
        ),
        Entry(
            name: "jump",
            form: "jump@FRAME[=SPEED][,after=DURATION][,times=N]",
            meaning: "the speed returns to the previous one right after the confirming reading (or after DURATION), N "
                + "(1) times; with SPEED (or BULB) it changes to that speed at the release, after every reading, "
                + "once",
            example: "jump@2"
        ),
    ]

    private static let shooting: [Entry] = [
        Entry(
            name: "fail",
            form: "fail@FRAME[,times=N]",
            meaning: "answers the full press General_Error and takes no picture, N (1) times",
            example: "fail@8"
        ),
        Entry(
            name: "no-picture",
            form: "no-picture@FRAME[,times=N]",
            meaning: "answers the full press OK and takes no picture, N (1) times",
            example: "no-picture@5"
        ),
        Entry(
            name: "no-focus",
            form: "no-focus@FRAME[,times=N]",
            meaning: "finds no focus at the half press, so it takes no picture, N (1) times; not in manual focus",
            example: "no-focus@1"
        ),
        Entry(
            name: "never-idle",
            form: "never-idle@FRAME[,back=DURATION]",
            meaning: "stays busy after the exposure of that frame, permanently or for DURATION",
            example: "never-idle@2,back=60s"
        ),
        Entry(
            name: "events-silent",
            form: "events-silent",
            meaning: "sends no events",
            example: "events-silent"
        ),
        Entry(
            name: "event-storm",
            form: "event-storm=N",
            meaning: "sends N events for every changed property",
            example: "event-storm=20"
        ),
    ]

    private static let pictures: [Entry] = [
        Entry(
            name: "stale",
            form: "stale@FRAME[=DURATION]",
            meaning: "offers the first file of the previous frame again before that frame's own files; with DURATION, "
                + "only that file for this time",
            example: "stale@2=2s"
        ),
        Entry(
            name: "stuck-buffer",
            form: "stuck-buffer@FRAME[,back=DURATION]",
            meaning: "leaves the buffer in preparation (0xD215 at 1) after that frame is saved, permanently or for "
                + "DURATION",
            example: "stuck-buffer@2,back=20s"
        ),
        Entry(
            name: "object-info",
            form: "object-info@FRAME=DURATION",
            meaning: "rejects ObjectInfo for DURATION after that frame's files were announced",
            example: "object-info@1=1s"
        ),
        Entry(
            name: "transfer-breaks",
            form: "transfer-breaks@FRAME=BYTES[,back=DURATION]",
            meaning: "breaks the link after BYTES of that frame's file, and refuses connections for DURATION (3s)",
            example: "transfer-breaks@2=5MB"
        ),
        Entry(
            name: "slow-transfer",
            form: "slow-transfer=BYTES",
            meaning: "sends at most BYTES per second",
            example: "slow-transfer=2MB"
        ),
        Entry(
            name: "partial-only",
            form: "partial-only",
            meaning: "supports only GetPartialObject, not GetObject",
            example: "partial-only"
        ),
        Entry(
            name: "whole-only",
            form: "whole-only",
            meaning: "supports only GetObject, not GetPartialObject",
            example: "whole-only"
        ),
    ]

    private static let link: [Entry] = [
        Entry(
            name: "drop",
            form: "drop@FRAME[:PHASE][,back=DURATION]",
            meaning: "breaks the link in PHASE (expose) of that frame and refuses connections for DURATION (3s); "
                + "PHASE is set, confirm, focus, press, expose or save",
            example: "drop@4:save,back=5s"
        ),
        Entry(
            name: "mute",
            form: "mute@FRAME[:PHASE][,back=DURATION]",
            meaning: "stops answering in PHASE (set) of that frame without closing a connection, until both "
                + "connections are closed, or for DURATION",
            example: "mute@3:expose"
        ),
        Entry(
            name: "close",
            form: "close@FRAME[:PHASE][,back=DURATION]",
            meaning: "closes both connections in order in PHASE (expose) of that frame, and refuses connections for "
                + "DURATION, if given",
            example: "close@2:press"
        ),
        Entry(
            name: "leave",
            form: "leave@FRAME[:PHASE][=ADDR[:PORT]][,back=DURATION][,politely]",
            meaning:
                "leaves the network in PHASE (expose) of that frame and returns after DURATION (3s), at ADDR if "
                + "given; connections are reset without a message; with politely they are closed and byebye is sent",
            example: "leave@2:press=127.0.0.3:15740,back=5s,politely",
            flags: ["politely"]
        ),
        Entry(
            name: "idle-drop",
            form: "idle-drop=DURATION",
            meaning: "drops both connections after DURATION without an operation",
            example: "idle-drop=10s"
        ),
        Entry(
            name: "refuse-after-unclean-end",
            form: "refuse-after-unclean-end=DURATION[:busy]",
            meaning: "refuses connections for DURATION after an initiator disconnected without closing its session; "
                + "with busy it accepts them and answers Init_Fail busy",
            example: "refuse-after-unclean-end=30s"
        ),
        Entry(
            name: "probe",
            form: "probe=DURATION",
            meaning: "probes the initiator every DURATION and disconnects it when it does not answer",
            example: "probe=10s"
        ),
    ]

    /// The table as text, a form and its meaning per line pair.
    package static var help: String {
        list.map { "  \($0.form)\n      \($0.meaning)" }.joined(separator: "\n")
    }
}
