@testable import Varlink
@testable import camerasim

extension Examples {
    /// The simulator of cameras.
    static var camerasim: [String] {
        camerasimOptions + camerasimScenes + camerasimStarts + camerasimInterfaces + camerasimLog
    }

    private static let camerasimAddress = ListenAddress(host: "127.0.0.1", port: 15740)

    private static var camerasimOptions: [String] {
        [
            OptionSentences.notAPercentage(120),
            OptionSentences.notAShotCount(-1),
            OptionSentences.notASelection(0, max: 1_000),
            OptionSentences.notASerial("000"),
            // EACCES.
            OptionSentences.cardNotOpened("/root/card.jsonl", SystemError(code: 13)),
            OptionSentences.notAModel(known: ["ilce-7m4", "ilce-6400"]),
            OptionSentences.notAListenAddress,
            OptionSentences.addressIsMissing,
            OptionSentences.notAnAddress("camera"),
            OptionSentences.notAMode,
            OptionSentences.notASaveTarget,
            OptionSentences.notAnAccuracy,
            OptionSentences.notAKind("ftp", known: ["ptp", "http", "transfer"]),
            OptionSentences.needsDiscovery("--ssdp-kind http"),
            OptionSentences.notDiscoverable,
            OptionSentences.needsPTPIP("--save-target"),
            OptionSentences.faultNeedsDiscovery,
            OptionSentences.portIsNotAnnounced("--listen 127.0.0.1:15741", called: 15740),
            OptionSentences.portIsNotAnnounced(ListenAddress(host: "127.0.0.1", port: 40_123), called: 15740),
        ]
    }

    private static var camerasimScenes: [String] {
        [
            // ENOENT.
            SceneSentences.unreadable("window.json", SystemError(code: 2)),
            SceneSentences.tooLong,
            SceneSentences.notJSON(JSONError(offset: 12, reason: "expected ':'")),
            SceneSentences.otherVersion(2),
            SceneSentences.wrong("", SceneSentences.noObject),
            SceneSentences.wrong("name", SceneSentences.text),
            SceneSentences.wrong("shapes[2]", SceneSentences.noKind),
            SceneSentences.wrong("light.steps", SceneSentences.steps),
            SceneSentences.wrong("camera.limits", SceneSentences.limits),
            SceneSentences.wrong("base", SceneSentences.number(-20...40)),
            SceneSentences.wrong("scene", SceneSentences.integer(0...Int.max)),
            SceneSentences.wrong("grid", SceneSentences.numbers([1...384, 1...256])),
            SceneSentences.wrong("shapes", SceneSentences.list(max: 256)),
            SceneSentences.wrong("camera.curve", SceneSentences.oneOf(["camera", "srgb"])),
            SceneSentences.unknownMember("camera.lens"),
            SceneSentences.noSpeeds(model: "ilce-6400"),
        ]
    }

    private static var camerasimStarts: [String] {
        [
            StartSentences.unknownHost(.listen(ListenAddress(host: "camera.example", port: 15740))),
            StartSentences.addressInUse(.listen(camerasimAddress)),
            StartSentences.addressInUse(.describe(ListenAddress(host: "127.0.0.1", port: 64_321))),
            StartSentences.otherMachine(.listen(ListenAddress(host: "192.168.122.1", port: 15740))),
            StartSentences.notAllowed(.listen(ListenAddress(host: "127.0.0.1", port: 80))),
            // ENODEV and EMFILE.
            StartSentences.failed(.announce(interface: "wlan0"), SystemError(code: 19)),
            StartSentences.noSignal(SystemError(code: 24)),
            StartSentences.noSocketOptions,
            StartSentences.noDiscovery,
        ]
    }

    private static var camerasimInterfaces: [String] {
        [
            StartSentences.notIPv4("::1"),
            StartSentences.interfacesUnreadable("192.168.122.1"),
            StartSentences.noInterface("192.168.122.1", named: "wlan1"),
            StartSentences.otherInterface("192.168.122.1", on: "eth0", owner: "wlan0"),
            StartSentences.everyAddress("0.0.0.0"),
            StartSentences.noOwner("192.168.122.1"),
        ]
    }

    private static var camerasimLog: [String] {
        [
            LogSentences.connectionRefused,
            LogSentences.foundAgain,
            LogSentences.listeningAgain(camerasimAddress),
            LogSentences.tryingAgain(StartFailure(StartSentences.addressInUse(.listen(camerasimAddress)))),
            LogSentences.searchNotAnswered,
            // ENETUNREACH.
            LogSentences.notSent(to: "239.255.255.250:1900", SystemError(code: 101)),
            LogSentences.answered("192.168.122.2", after: .milliseconds(100)),
            LogSentences.answered(nil, after: .milliseconds(100)),
            LogSentences.requested("/dd.xml", by: "192.168.122.2"),
            LogSentences.requested("/dd.xml", by: nil),
            LogSentences.linesOmitted(12),
        ]
    }
}
