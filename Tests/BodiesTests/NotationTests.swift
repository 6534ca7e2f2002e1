import Bodies
import Cameras
import Exposure
import PTP
import Testing

struct NotationTests {
    @Test(arguments: [
        ("5ms", Duration.milliseconds(5)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1_500)), ("3", .seconds(3)),
        ("250us", .microseconds(250)), ("0.5min", .seconds(30)), ("0", .zero), ("0.000000001s", .nanoseconds(1)),
        ("86400s", .seconds(86_400)),
    ])
    func `durations are read in the forms that users type`(text: String, duration: Duration) throws {
        #expect(try DurationText.parse(text) == duration)
    }

    @Test(arguments: [
        "", "ms", "5 ms", "-5ms", "5m", "1..2s", "1.2.3s", ".5s", "5.s", "1h", "86401s", "9999999999s", "٣s", "0x5s",
        "1e3s",
    ])
    func `an invalid duration is refused with a sentence`(text: String) throws {
        let error = try #require(throws: NotationError.self) { try DurationText.parse(text) }
        #expect(error.description.hasPrefix("'\(text)' is not a duration"))
    }

    @Test func `every fault of the table parses from its example`() throws {
        for entry in FaultGrammar.list { _ = try Fault(parsing: entry.example) }
        #expect(Set(FaultGrammar.list.map(\.name)).count == FaultGrammar.list.count)
        for entry in FaultGrammar.list { #expect(FaultGrammar.help.contains(entry.form)) }
    }

    @Test(arguments: [
        ("busy=3", Fault.busy(.any, frame: nil, times: 3)),
        ("busy=set:2", .busy(.set, frame: nil, times: 2)),
        ("busy=0x9209:2", .busy(.operation(0x9209), frame: nil, times: 2)),
        ("busy@4=2", .busy(.change, frame: 4, times: 2)),
        ("busy@4=shutter:2", .busy(.shutter, frame: 4, times: 2)),
        ("ignore-set", .ignoreSets(frame: nil, times: 1)),
        ("ignore-set@3", .ignoreSets(frame: 3, times: 1)),
        ("ignore-sets=4", .ignoreSets(frame: nil, times: 4)),
        ("wrong-speed@3=1/60", .wrongSpeed(frame: 3, speed: .oneSixtieth, times: nil)),
        ("wrong-speed@3=1/60,times=2", .wrongSpeed(frame: 3, speed: .oneSixtieth, times: 2)),
        ("jump@2", .jump(frame: 2, times: 1, after: .zero)),
        ("jump@2,after=1.5s,times=3", .jump(frame: 2, times: 3, after: .milliseconds(1500))),
        ("never-idle@2", .neverIdle(frame: 2, heals: nil)),
        ("never-idle@2,back=60s", .neverIdle(frame: 2, heals: .seconds(60))),
        ("drop@4", .drop(frame: 4, phase: .expose, back: .seconds(3))),
        ("drop@4:save,back=500ms", .drop(frame: 4, phase: .save, back: .milliseconds(500))),
        ("mute@3", .mute(frame: 3, phase: .set, back: nil)),
        ("mute@3:press,back=2", .mute(frame: 3, phase: .press, back: .seconds(2))),
        ("close@2", .close(frame: 2, phase: .expose, back: nil)),
        ("close@2:press,back=1s", .close(frame: 2, phase: .press, back: .seconds(1))),
        ("leave@2", .leave(frame: 2, phase: .expose, Departure(back: .seconds(3)))),
        (
            "leave@2:save=127.0.0.3,politely,back=5s",
            .leave(
                frame: 2,
                phase: .save,
                Departure(back: .seconds(5), place: NetworkPlace(host: .loopback(3)), isOrderly: true)
            )
        ),
        (
            "leave@2=127.0.0.3:15741",
            .leave(
                frame: 2,
                phase: .expose,
                Departure(back: .seconds(3), place: NetworkPlace(host: .loopback(3), port: 15741))
            )
        ),
        ("ssdp-silent", .ssdpSilent),
        ("ssdp-first=3", .ssdpFirst(times: 3)),
        ("ssdp-wrong-location", .ssdpWrongLocation(IPAddress(bytes: [198, 51, 100, 1]))),
        ("ssdp-wrong-location=127.0.0.3", .ssdpWrongLocation(.loopback(3))),
        ("description=slow", .description(.slow)),
        ("description=redirect", .description(.redirect)),
        ("fail@8", .fail(frame: 8, times: 1)),
        ("no-picture@5,times=3", .noPicture(frame: 5, times: 3)),
        ("no-focus@1", .noFocus(frame: 1, times: 1)),
        ("reject-mode", .rejectMode(.aperturePriority)),
        ("reject-mode=p", .rejectMode(.program)),
        ("mode-after=3s:M", .modeAfter(.seconds(3), .manual)),
        ("mode@4=P", .modeAtFrame(frame: 4, .program)),
        ("init-fail=busy", .initFail(reason: 2, times: 1)),
        ("init-fail=7:2", .initFail(reason: 7, times: 2)),
        ("pairing=12s", .pairing(.seconds(12))),
        ("auth-failed=2", .authFailed(times: 2)),
        ("empty-extinfo=3", .emptyExtInfo(times: 3)),
        ("events-silent", .eventsSilent),
        ("event-storm=20", .eventStorm(times: 20)),
        ("refuse-connect=2", .refuseConnect(times: 2)),
        ("probe=10s", .probe(every: .seconds(10))),
        ("not-waiting=8s", .notWaiting(.seconds(8))),
        ("remote-lost@2", .remoteModeLost(frame: 2)),
        ("auto-off=30s", .autoOff(.seconds(30))),
        ("busy-unread-events", .busyUnreadEvents),
        ("late-focus@2=1s", .lateFocus(frame: 2, .seconds(1))),
        ("late-counter=1s", .lateCounter(.seconds(1))),
        ("late-object@2=3s", .lateObject(frame: 2, .seconds(3))),
        ("double-object@2", .doubleObject(frame: 2)),
        ("omits=objects", .omits(.objects)),
        ("unpaired", .unpaired(.seconds(2))), ("unpaired=9s", .unpaired(.seconds(9))),
        ("needs-remote-mode", .needsRemoteMode), ("pc-mode", .pcMode), ("early-close", .earlyClose),
        ("early-return", .earlyReturn(.milliseconds(1_200))), ("early-return=5s", .earlyReturn(.seconds(5))),
        ("probed=ignore", .probed(.ignore)), ("probed=close", .probed(.close)), ("connection-zero", .connectionZero),
        ("without-d100", .withoutShutterProperty), ("one-parameter", .oneParameter),
        ("placeholder-storages", .placeholderStorages), ("pushed-events=twice", .pushedEvents(.twice)),
        ("false-count=2", .falseCount(times: 2)), ("busy-after-ready@2", .busyAfterReady(frame: 2, times: 3)),
        ("busy-after-ready@2=5", .busyAfterReady(frame: 2, times: 5)), ("silent-release-busy", .silentReleaseBusy),
        ("transfer-stalls@2=2MB", .transferStalls(frame: 2, after: 2_000_000)),
        ("needs-focus", .sonyHTTP(.needsFocus)),
        ("not-ready-first=3", .notReadyFirst(times: 3)), ("poll-end=error-2", .pollEnd(.timeout)),
        ("bad-reply=deep", .damagedReply(.deep, times: 1)), ("bad-reply=slow:4", .damagedReply(.slow, times: 4)),
        ("locked=actTakePicture", .locked("actTakePicture")), ("no-url@2", .withoutURL(frame: 2)),
    ])
    func `faults are read as the table describes`(text: String, fault: Fault) throws {
        #expect(try Fault(parsing: text) == fault)
    }

    @Test(arguments: [
        ("", "there is no such fault"), ("bussy=3", "there is no such fault"), ("busy", "the value is missing"),
        ("busy=", "'' is not a count"), ("busy=0", "'0' is not a count"), ("busy=-1", "'-1' is not a count"),
        ("busy=99999999", "is not a count"), ("busy=fetch:3", "'fetch' is not an operation"),
        ("busy=0xZZ:3", "'0xZZ' is not an operation"), ("busy=3,times=2", "allows no 'times'"),
        ("ignore-set@0", "'0' is not a frame"), ("ignore-set@two", "'two' is not a frame"),
        ("ignore-set=3", "allows no value"), ("ignore-sets@2=3", "allows no frame"),
        ("wrong-speed=1/60", "the frame is missing"), ("wrong-speed@2=1/61", "'1/61'"),
        ("drop@2:sleep", "'sleep' is not a phase"), ("drop@2,back=soon", "'soon' is not a duration"),
        ("drop@2,back", "'back' is not KEY=VALUE"), ("drop@2,back=1s,back=2s", "or only one"),
        ("drop", "frame is missing"),
        ("never-idle@1:save", "allows no phase"), ("reject-mode=X", "'X' is not a mode"),
        ("mode-after=3s", "the mode is missing"), ("mode-after=M:3s", "is not a duration"),
        ("init-fail=maybe", "'maybe' is not a reason"), ("events-silent@2", "allows no frame"),
        ("pairing=5x", "is not a duration"),
        ("leave@2=camera", "'camera' is not an address"), ("leave@2=127.0.0.3:0", "is not an address"),
        ("leave@2,rudely", "'rudely' is not KEY=VALUE"), ("leave@2,politely,politely", "'politely' only once"),
        ("drop@2,politely", "'politely' is not KEY=VALUE"), ("leave=127.0.0.3", "the frame is missing"),
        ("ssdp-first=0", "'0' is not a count"), ("ssdp-wrong-location=::1", "'::1' is not an IPv4 address"),
        ("paired=00", "which has 32 hexadecimal digits"), ("omits=sound", "the signs are status, objects, counter"),
        ("late-object@2", "the value is missing"), ("remote-lost", "the frame is missing"),
        ("probed=odd", "the reactions are ignore, close"), ("pushed-events=odd", "the ways are on, off, twice"),
        ("transfer-stalls@1", "the value is missing"), ("busy-after-ready=3", "the frame is missing"),
        ("bad-reply=odd", "the names are no-json, other-id"), ("poll-end=never", "is not an end of a poll"),
        ("description=odd", "the modes are slow, long, broken, redirect"), ("close@1=3s", "allows no value"),
    ])
    func `an invalid fault is refused with a sentence that names it`(text: String, reason: String) throws {
        let error = try #require(throws: FaultError.self) { try Fault(parsing: text) }
        #expect(error.description.contains(reason), "\(error)")
        #expect(error.description.hasPrefix("fault '\(text)'"))
    }

    @Test func `a fault of one maker is refused for a body of another`() throws {
        for entry in FaultGrammar.list {
            for maker in BodyMaker.all.map(\.name) {
                let isKnown = entry.isOf(maker)
                #expect(FaultGrammar.help(for: maker).contains(entry.form) == isKnown)
                let fault = try? Fault(parsing: entry.example, for: maker)
                #expect((fault != nil) == isKnown)
            }
        }
        let guid = try #require(GUID(bytes: Array(0...15)))
        #expect(try Fault(parsing: "paired=000102030405060708090a0b0c0d0e0f") == .paired(guid))
    }

    @Test(
        arguments: [
            ("192.168.122.1", "192.168.122.1", nil), ("192.168.122.1:15740", "192.168.122.1", 15740),
            ("fe80::1", "fe80::1", nil), ("[fe80::1]", "fe80::1", nil), ("[fe80::1]:15740", "fe80::1", 15740),
        ] as [(String, String, UInt16?)]
    )
    func `addresses are read in the forms that users write`(text: String, host: String, port: UInt16?) throws {
        let place = try #require(NetworkPlace(parsing: text))
        #expect(place.host.description == host)
        #expect(place.port == port)
    }

    @Test(arguments: [
        "", ":", ":15740", "192.168.122.1:", "192.168.122.1:0", "192.168.122.1:65536", "192.168.122.1:-1", "camera:1",
        "[192.168.122.1]:1", "[fe80::1", "fe80::1%eth0", "192.168.122", "[]:1",
    ])
    func `an invalid address is refused`(text: String) {
        #expect(NetworkPlace(parsing: text) == nil)
    }

    @Test func `an error cannot move the cursor of a terminal`() throws {
        let error = try #require(throws: FaultError.self) { try Fault(parsing: "a\u{1B}[2Jb") }
        #expect(error.description.hasPrefix("fault 'a?[2Jb'"))
        #expect(!error.description.contains("\u{1B}"))
    }

    @Test func `lists of speeds are read, slow to fast and each once`() throws {
        #expect(try SpeedListText.parse("1/60,2\",1/30,1/60").map(\.label) == ["2\"", "1/30", "1/60"])
        #expect(try SpeedListText.parse("1/8000..30s").count == 55)
        #expect(try SpeedListText.parse("1s..1/2").map(\.label) == ["1\"", "0.8\"", "0.6\"", "1/2"])
        for text in ["", "1/60,", "1/60..", "..", "1/61", "1/60..1/30..1/15"] {
            #expect(throws: NotationError.self) { try SpeedListText.parse(text) }
        }
    }

    @Test func `events happen in the order of their time, then of their planning`() {
        var schedule = Schedule<String>()
        schedule.plan("c", at: .seconds(2))
        schedule.plan("a", at: .seconds(1))
        schedule.plan("d", at: .seconds(2))
        schedule.plan("b", at: .seconds(1))
        schedule.cancel { $0 == "d" }
        #expect(schedule.nextTime == .seconds(1))
        #expect(schedule.takeNext(dueBy: .milliseconds(999)) == nil)
        var order = ""
        while let next = schedule.takeNext(dueBy: .seconds(9)) { order += next.item }
        #expect(order == "abc")
        #expect(schedule.nextTime == nil)
    }
}

extension IPAddress {
    /// The address 127.0.0.x.
    static func loopback(_ number: UInt8) -> IPAddress { IPAddress(bytes: [127, 0, 0, number]) }
}

extension ShutterSpeed {
    static let oneSixtieth = ShutterSpeed(index: 21) ?? .fastest
}
