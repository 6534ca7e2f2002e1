import Cameras
import Controller
import Exposure
import Testing

@testable import Host

@Suite struct BoardConfigurationTests {
    private static let all = """
        [button]
        chip = "pinctrl-rp1"
        line = 17
        active-low = false
        bias = "as-is"
        debounce = "0 ms"
        min-press = "400ms"
        hold = "30 s"
        settle = "1 s"
        lockout = "60 s"
        while-shooting = "nothing"
        [lamp]
        line = "GPIO27"
        active-low = true
        exposing = true
        [buzzer]
        chip = "/dev/gpiochip0"
        line = 0
        active-low = true
        [plan]
        shadow = "2s"
        highlight = "1/4000"
        frames = 3
        spacing = 1.5
        bias = "-2/3"
        share = "once"
        strict = true
        """

    @Test func `every key is read, reaches its user, and is printed unchanged`() throws {
        let configuration = try Configuration(text: Self.all, file: "c.toml")
        let board = configuration.board
        #expect(board.button == .init(place: GPIOLocation(chip: "pinctrl-rp1", line: .number(17)), isActiveLow: false))
        #expect((board.bias, board.debounce) == (.asIs, .zero))
        #expect(board.lamp == .init(place: GPIOLocation(line: .name("GPIO27")), isActiveLow: true))
        #expect(board.lampShowsExposing)
        #expect(board.buzzer == .init(place: GPIOLocation(chip: "/dev/gpiochip0", line: .number(0)), isActiveLow: true))
        let core = CoreConfiguration(
            configuration,
            identity: InitiatorIdentity(guid: Array(repeating: 0, count: 16), name: "bracketd")
        )
        #expect(core.button.pressWhileShooting == .nothing)
        #expect(
            core.button.rules
                == ButtonRules(
                    pressMin: .milliseconds(400),
                    hold: .seconds(30),
                    settle: .seconds(1),
                    lockout: .seconds(60)
                )
        )
        #expect(
            core.button.plan
                == PlanInput(
                    shadow: "2\"",
                    highlight: "1/4000",
                    frames: 3,
                    spacing: 1.5,
                    biasThirds: -2,
                    shareOnce: true,
                    strict: true
                )
        )
        #expect(try Configuration(text: configuration.text, file: "c.toml") == configuration)
    }

    @Test func `without these keys no line is used, and the core's defaults apply`() throws {
        let configuration = try Configuration(text: "[button]\n[lamp]\n[buzzer]\n[plan]\n", file: "c.toml")
        #expect(configuration == Configuration())
        #expect(configuration.board.buttonRequest == nil)
        #expect(configuration.board.lampRequest == nil)
        #expect(configuration.board.buzzerRequest == nil)
        #expect(configuration.buttonRules == ButtonRules())
        #expect(configuration.plan == (try PlanRequest()))
        #expect(configuration.keysForRestart(since: try Configuration(text: Self.all, file: "c.toml")).isEmpty)
    }

    private static let faults: [(line: String, message: String)] = [
        ("button]\nline = -1", "2: button.line: expected a number from 0 to 4095, found -1"),
        ("button]\nline = true", "2: button.line: expected a number or a name, found a boolean"),
        ("button]\nline = \"\"", "2: button.line: expected a name of 1 to 31 bytes, found \"\""),
        (
            "button]\nline = 17",
            "2: button.line: the chip is missing; write chip = \"/dev/gpiochip0\", or give the line's name"
        ),
        ("button]\nchip = \"soc\"", "2: button.chip: the line is missing; write line = 17"),
        ("button]\nchip = 0\nline = 1", "2: button.chip: expected a string, found an integer"),
        (
            "button]\nchip = \"a label of more than 31 bytes is none\"\nline = 1",
            "2: button.chip: expected a name of 1 to 31 bytes, found \"a label of more than 31 bytes is none\""
        ),
        ("button]\nactive-low = 1", "2: button.active-low: expected true or false, found an integer"),
        (
            "button]\nbias = \"up\"",
            "2: button.bias: expected \"pull-up\", \"pull-down\", \"none\" or \"as-is\", found \"up\""
        ),
        ("button]\ndebounce = 5", "2: button.debounce: expected a string, found an integer"),
        (
            "button]\ndebounce = \"101 ms\"",
            "2: button.debounce: expected a whole number of ms or s from \"0 ms\" to \"100 ms\", found \"101 ms\""
        ),
        (
            "button]\nmin-press = \"1 s\"",
            "2: button.min-press: expected a whole number of ms or s from \"0 ms\" to \"400 ms\", found \"1 s\""
        ),
        (
            "button]\nhold = \"2\"",
            "2: button.hold: expected a whole number of ms or s from \"500 ms\" to \"30 s\", found \"2\""
        ),
        (
            "button]\nhold = \"-2 s\"",
            "2: button.hold: expected a whole number of ms or s from \"500 ms\" to \"30 s\", found \"-2 s\""
        ),
        (
            "button]\nsettle = \"9223372036854775807 s\"",
            "2: button.settle: expected a whole number of ms or s from \"0 ms\" to \"60 s\", "
                + "found \"9223372036854775807 s\""
        ),
        (
            "button]\nlockout = \"61 s\"",
            "2: button.lockout: expected a whole number of ms or s from \"0 ms\" to \"60 s\", found \"61 s\""
        ),
        (
            "button]\nwhile-shooting = \"stop\"",
            "2: button.while-shooting: expected \"pause\" or \"nothing\", found \"stop\""
        ),
        (
            "lamp]\nbias = \"none\"",
            "2: lamp.bias: unknown key; the keys of [lamp] are chip, line, active-low, exposing"
        ),
        (
            "buzzer]\nexposing = true",
            "2: buzzer.exposing: unknown key; the keys of [buzzer] are chip, line, active-low"
        ),
        ("lamp]\nline = \"A\"\n[button]\nline = \"A\"", "2: lamp.line: the button already uses this line"),
        (
            "lamp]\nchip = \"a\"\nline = 1\n[buzzer]\nchip = \"a\"\nline = 1",
            "6: buzzer.line: the lamp already uses this line"
        ),
        ("plan]\nframes = 4", "2: plan.frames: A set cannot have 4 frames. Choose 3, 5, 7 or 9."),
        ("plan]\nframes = \"5\"", "2: plan.frames: expected 3, 5, 7 or 9, found a string"),
        ("plan]\nspacing = 1.2", "2: plan.spacing: expected 1, 1.5 or 2, found 1.2"),
        ("plan]\nspacing = \"1\"", "2: plan.spacing: expected 1, 1.5 or 2, found a string"),
        (
            "plan]\nbias = \"a bit\"",
            "2: plan.bias: A bias of 'a bit' is not in thirds of a stop. Write +1/3, -2/3 or +1."
        ),
        ("plan]\nshare = \"never\"", "2: plan.share: expected \"twice\" or \"once\", found \"never\""),
        ("plan]\nstrict = \"yes\"", "2: plan.strict: expected true or false, found a string"),
    ]

    @Test(arguments: faults)
    func `an invalid value is reported with its line and the valid ones`(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: "[\(line)\n", file: "c.toml") }
        #expect(error?.description == "c.toml:\(message)")
    }

    @Test func `an invalid speed is refused with the planner's message`() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(text: "[plan]\nshadow = \"bulb\"\nhighlight = \"fast\"\n", file: "c.toml")
        }
        #expect(error?.faults.map(\.line) == [2, 3])
        #expect(error?.faults.allSatisfy { $0.message.hasPrefix("plan.") } == true)
    }
}
