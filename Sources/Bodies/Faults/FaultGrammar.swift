import Cameras

/// The notation of faults: `NAME[@FRAME][:PHASE][=VALUE][,KEY=VALUE…][,WORD…]`.
///
/// `list` is the only table of faults. The parser reads the names from `list`. The commands `camerasim --help` and
/// `camerasim list` print it.
package enum FaultGrammar {
    /// A row of the table.
    package struct Entry: Sendable {
        /// The notation of the fault, with optional parts in brackets.
        package var form: String
        /// A valid example.
        package var example: String
        /// The behavior of the body, in one sentence.
        package var meaning: String
        /// The makers whose bodies have the fault; empty: every maker.
        package var makers: [String]

        fileprivate init(_ row: Substring) {
            let columns = row.split(separator: " | ").map(String.init)
            precondition(columns.count == 3 || columns.count == 4, "a row has a form, an example and a meaning")
            (form, example, meaning) = (columns[0], columns[1], columns[2])
            makers = columns.count == 4 ? columns[3].split(separator: " ").map(String.init) : []
        }

        /// The name of the fault: the part of the notation before `@`, `:`, `=` and `,`.
        package var name: String { String(form.prefix { !"[@:=,".contains($0) }) }

        /// Whether bodies of this maker have the fault.
        package func isOf(_ maker: String) -> Bool { makers.isEmpty || makers.contains(maker) }

        /// The makers in a sentence: `sony, canon and nikon`; empty: every maker.
        package var owners: String {
            guard makers.count > 1 else { return makers.joined() }
            return "\(makers.dropLast().joined(separator: ", ")) and \(makers.suffix(1).joined())"
        }

        /// Whether the notation allows this word, which has no value.
        func takes(_ word: Substring) -> Bool { form.hasSuffix("[,\(word)]") }
    }

    /// Every fault, in the order of the steps of a shoot.
    package static let list = table.split(separator: "\n").map(Entry.init)

    private static let properties = CameraProperty.allCases.map(\.rawValue).joined(separator: ", ")

    private static let table = """
        ssdp-silent | ssdp-silent | answers no search, but still sends NOTIFY; with --ssdp | sony canon sony-http
        ssdp-first=N | ssdp-first=3 | does not answer the first N searches, like a body whose WiFi is \
        starting; with --ssdp | sony canon sony-http
        ssdp-wrong-location[=ADDR] | ssdp-wrong-location=127.0.0.9 | announces a description at ADDR \
        (198.51.100.1, an address without a host); with --ssdp | sony canon sony-http
        description=HOW | description=slow | serves a description that stops in the middle (slow), is 8 MiB \
        too long (long), is not well-formed (broken), or has another path (redirect); with --ssdp | sony canon sony-http
        refuse-connect=N | refuse-connect=2 | refuses the next N TCP connections
        init-fail=REASON[:N] | init-fail=busy:3 | answers the next N (1) initiators Init_Fail; REASON is \
        rejected, busy, unspecified or a number | sony canon nikon
        pairing=DURATION | pairing=12s | answers an initiator after DURATION, like a body that waits for the \
        user's confirmation | sony canon nikon
        auth-failed=N | auth-failed=1 | answers the next N SDIO_Connect Authentication_Failed (0xA101) | sony
        empty-extinfo=N | empty-extinfo=3 | sends the next N SDIO_GetExtDeviceInfo datasets empty | sony
        reject-mode[=MODE] | reject-mode=P | the dial is at MODE (A) whatever --mode says, and cannot be \
        changed remotely
        mode-after=DURATION:MODE | mode-after=3s:M | turns the dial to MODE when DURATION has passed since the \
        first session was opened
        mode@FRAME=MODE | mode@4=P | turns the dial to MODE before that frame
        busy[@FRAME]=[OP:]N | busy@2=shutter:2 | answers the next N commands of OP Device_Busy; OP is any \
        (default), change (set or control), open, set, control, shutter, read, object or a code such as \
        0x9205; with a frame the default is change
        busy-storm=N | busy-storm=40 | answers about half of the next N commands Device_Busy, in a fixed \
        pattern
        ignore-property=PROPERTY[:N] | ignore-property=iso:2 | answers all (the next N) sets and notches of \
        PROPERTY OK and ignores them; PROPERTY is \(properties)
        ignore-set[@FRAME] | ignore-set@3 | answers the next set of the speed OK and ignores it
        ignore-sets=N | ignore-sets=4 | answers the next N sets of the speed OK and ignores them
        wrong-speed@FRAME=SPEED[,times=N] | wrong-speed@3=1/60 | settles on SPEED at every set (the first N) \
        for that frame
        jump@FRAME[=SPEED][,after=DURATION][,times=N] | jump@2 | the speed returns to the previous one right \
        after the confirming reading (or after DURATION), N (1) times; with SPEED (or BULB) it changes to that \
        speed at the release, after every reading, once
        fail@FRAME[,times=N] | fail@8 | answers the full press General_Error and takes no picture, N (1) times
        no-picture@FRAME[,times=N] | no-picture@5 | answers the full press OK and takes no picture, N (1) \
        times
        no-focus@FRAME[,times=N] | no-focus@1 | finds no focus at the half press, so it takes no picture, N \
        (1) times; not in manual focus
        never-idle@FRAME[,back=DURATION] | never-idle@2,back=60s | stays busy after the exposure of that \
        frame, permanently or for DURATION
        events-silent | events-silent | sends no events | sony sony-http
        event-storm=N | event-storm=20 | sends N events for every changed property
        stale@FRAME[=DURATION] | stale@2=2s | offers the first file of the previous frame again before that \
        frame's own files; with DURATION, only that file for this time
        stuck-buffer@FRAME[,back=DURATION] | stuck-buffer@2,back=20s | leaves the buffer in preparation \
        (0xD215 at 1) after that frame is saved, permanently or for DURATION | sony
        object-info@FRAME=DURATION | object-info@1=1s | rejects ObjectInfo for DURATION after that frame's \
        files were announced | sony canon nikon
        transfer-breaks@FRAME=BYTES[,back=DURATION] | transfer-breaks@2=5MB | breaks the link after BYTES of \
        that frame's file, and refuses connections for DURATION (3s)
        slow-transfer=BYTES | slow-transfer=2MB | sends at most BYTES per second
        partial-only | partial-only | supports only GetPartialObject, not GetObject | sony canon nikon
        whole-only | whole-only | supports only GetObject, not GetPartialObject | sony canon nikon
        drop@FRAME[:PHASE][,back=DURATION] | drop@4:save,back=5s | breaks the link in PHASE (expose) of that \
        frame and refuses connections for DURATION (3s); PHASE is set, confirm, focus, press, expose or save
        mute@FRAME[:PHASE][,back=DURATION] | mute@3:expose | stops answering in PHASE (set) of that frame \
        without closing a connection, until both connections are closed, or for DURATION
        close@FRAME[:PHASE][,back=DURATION] | close@2:press | closes both connections in order in PHASE \
        (expose) of that frame, and refuses connections for DURATION, if given
        leave@FRAME[:PHASE][=ADDR[:PORT]][,back=DURATION][,politely] | \
        leave@2:press=127.0.0.3:15740,back=5s,politely | leaves the network in PHASE (expose) of that frame \
        and returns after DURATION (3s), at ADDR if given; connections are reset without a message; with \
        politely they are closed and byebye is sent
        idle-drop=DURATION | idle-drop=10s | drops both connections after DURATION without an operation \
        | sony canon nikon
        refuse-after-unclean-end=DURATION[:busy] | refuse-after-unclean-end=30s | refuses connections for \
        DURATION after an initiator disconnected without closing its session; with busy it accepts them and \
        answers Init_Fail busy | sony canon nikon
        probe=DURATION | probe=10s | probes the initiator every DURATION and disconnects it when it does not \
        answer | sony canon nikon
        not-waiting=DURATION | not-waiting=8s | answers each initiator Init_Fail rejected for DURATION after \
        the first one, like a body whose menu does not wait for a connection | canon
        paired=GUID | paired=000102030405060708090a0b0c0d0e0f | answers every initiator with another GUID \
        Init_Fail rejected | canon
        remote-lost@FRAME | remote-lost@2 | leaves the remote mode when the speed is set for that frame, and \
        refuses changes and presses until the mode is set again | canon
        auto-off=DURATION | auto-off=30s | turns itself off for 3 s when DURATION has passed since the last \
        KeepDeviceOn or press; announces it 5 s before | canon
        busy-unread-events | busy-unread-events | answers a press Device_Busy while its event list is not \
        empty | canon
        late-focus@FRAME=DURATION | late-focus@2=1s | reports the focus of that frame DURATION after the \
        answer to the half press | canon
        late-counter=DURATION | late-counter=1s | changes the shot counter DURATION after the shutter has \
        opened | canon nikon sony-http
        late-object@FRAME=DURATION | late-object@2=3s | announces the files of that frame DURATION after it \
        has saved them | canon nikon
        double-object@FRAME | double-object@2 | announces each file of that frame twice | canon nikon
        omits=SIGN | omits=status | never reports one sign of a picture; SIGN is status (busy and ready; on \
        Nikon the end of the capture), objects (added files) or counter (shots left) | canon nikon
        unpaired[=DURATION] | unpaired=2s | refuses the application mode until the initiator has read the PIN and \
        confirmed, and the user has confirmed after DURATION (2s); then restarts its network | nikon
        needs-remote-mode | needs-remote-mode | refuses changes and releases until the initiator has changed the \
        camera mode (0x90C2) | nikon
        pc-mode | pc-mode | answers GetObjectInfo and GetPartialObject Access_Denied, as if the menu waited for a \
        computer; 0x9431 works | nikon
        early-close | early-close | leaves the next Init packet unanswered after a CloseSession within 1 s of \
        OpenSession | nikon
        early-return[=DURATION] | early-return=1200ms | leaves an Init packet unanswered that comes within \
        DURATION (1.2s) after the end of a session | nikon
        probed=HOW | probed=ignore | does not answer the initiator's probes (ignore), or closes both connections \
        after one (close) | nikon
        connection-zero | connection-zero | gives the first initiator the connection number 0 | nikon
        without-d100 | without-d100 | has no property 0xD100, so the speed is set by 0x500D | nikon
        one-parameter | one-parameter | accepts 0x9207 with one parameter only, like a D3X | nikon
        placeholder-storages | placeholder-storages | lists storages without a card in GetStorageIDs; 0x9209 has \
        the real ones | nikon
        pushed-events=HOW | pushed-events=twice | also sends each event as a packet (on), never (off) or twice \
        (twice), whatever the model does | nikon
        false-count=N | false-count=2 | declares more events than there are in the next N lists that have events \
        | nikon
        busy-after-ready@FRAME[=N] | busy-after-ready@2=5 | answers the next N (3) commands of any kind except \
        reads busy after it was ready for the first time after that frame | nikon
        silent-release-busy | silent-release-busy | answers DeviceReady permanently 0xA201 after the first \
        release | nikon
        transfer-stalls@FRAME=BYTES | transfer-stalls@2=2MB | stops in the middle of GetObject after BYTES of \
        that frame's file, until both connections are closed | nikon
        not-ready-first=N | not-ready-first=3 | answers the next N calls 40401, like a body that is still \
        starting | sony-http
        not-ready-gap=DURATION | not-ready-gap=500ms | is NotReady for DURATION after each picture | sony-http
        needs-focus | needs-focus | answers a press 40400 until a half press | sony-http
        no-error-texts | no-error-texts | sends errors with empty texts | sony-http
        result-first | result-first | sends the result of a reply before its id | sony-http
        plain-slashes | plain-slashes | does not escape slashes in texts, unlike real bodies | sony-http
        no-candidates | no-candidates | sends empty lists of values that can be set | sony-http
        closes-connections | closes-connections | closes the connection after each reply | sony-http
        foreign-urls | foreign-urls | sends URLs that lead to another host (198.51.100.1) | sony-http
        poll-end=HOW | poll-end=error-2 | ends a poll without changes by nulls, error-2 or error-1 | sony-http
        locked=METHOD | locked=setShutterSpeed | answers calls of METHOD with HTTP status 403 | sony-http
        bad-reply=HOW[:N] | bad-reply=no-json:2 | damages the next N (1) replies; HOW is no-json, other-id, \
        huge (10 MiB), deep (nested 10,000 deep), numbers (out of range), slow (a byte a second) or redirect \
        (to another host) | sony-http
        no-url@FRAME | no-url@2 | takes that picture and answers 40400, because it has no URL | sony-http
        expired-url@FRAME | expired-url@2 | answers 404 for the picture of that frame | sony-http
        """

    /// The table as text, with two lines per fault: form and meaning.
    package static var help: String { text(of: list) }

    /// The faults of this maker's bodies, in the same form.
    package static func help(for maker: String) -> String { text(of: list.filter { $0.isOf(maker) }) }

    private static func text(of entries: [Entry]) -> String {
        entries.map { entry in
            let owner = entry.makers.isEmpty ? "" : " (\(entry.owners) only)"
            return "  \(entry.form)\(owner)\n      \(entry.meaning)"
        }
        .joined(separator: "\n")
    }
}
