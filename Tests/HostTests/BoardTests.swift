import CLinux
import Controller
import Glibc
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import Host

/// Button, lamp and buzzer on a real loop, with simulated chips.
@Suite(.timeLimit(.minutes(1))) struct BoardTests {
    private enum Event: Equatable, Sendable {
        case news(ButtonLineEvent)
        case note(String)
    }

    private final class Bench: Sendable {
        let chips: FakeGPIO
        private let events: AsyncStream<Event>
        private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        private let board: NIOLoopBound<Board>
        private let finish: @Sendable () -> Void

        init(_ chips: FakeGPIO) async throws {
            self.chips = chips
            let (events, continuation) = AsyncStream.makeStream(of: Event.self)
            self.events = events
            finish = { continuation.finish() }
            let loop = group.next()
            board = try await loop.submit {
                let clock = DaemonClock()
                let board = Board(
                    system: chips,
                    clock: clock,
                    eventLoop: loop,
                    retryInterval: .milliseconds(1),
                    onUpdate: { continuation.yield(.news($0.inKernelTime(clock))) },
                    onNote: { continuation.yield(.note($1)) }
                )
                return NIOLoopBound(board, eventLoop: loop)
            }.get()
        }

        func perform<Value: Sendable>(_ body: @escaping @Sendable (Board) -> Value) async throws -> Value {
            try await group.next().submit { [board] in body(board.value) }.get()
        }

        func adopt(_ configuration: BoardConfiguration) async throws {
            try await perform { $0.adopt(configuration) }
        }

        func next() async -> Event? {
            for await event in events { return event }
            return nil
        }

        func next(_ count: Int) async -> [Event] {
            var list: [Event] = []
            while list.count < count, let event = await next() { list.append(event) }
            return list
        }

        /// The next event of the button's line.
        func news() async -> ButtonLineEvent? {
            while let event = await next() { if case .news(let news) = event { return news } }
            return nil
        }

        /// Closes the board. Returns the events that were not read.
        @discardableResult
        func end() async throws -> [Event] {
            try await perform { $0.close() }
            try await group.shutdownGracefully()
            finish()
            return await next(.max)
        }
    }

    private static func button(_ line: GPIOLocation.Line = .name("button"), chip: String? = nil) -> BoardConfiguration {
        var board = BoardConfiguration()
        board.button.place = GPIOLocation(chip: chip, line: line)
        return board
    }

    private static func lamp(_ line: GPIOLocation.Line = .name("lamp")) -> BoardConfiguration {
        var board = BoardConfiguration()
        board.lamp.place = GPIOLocation(line: line)
        return board
    }

    private static func pair() async throws -> (FakeGPIO, Bench) {
        let chips = try FakeGPIO()
        return (chips, try await Bench(chips))
    }

    // MARK: Requesting the line

    @Test func `the button's line has both edges, bias and debounce, and its level is reported`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        chips.setLevel(1, true)
        try await bench.adopt(Self.button())
        #expect(
            await bench.next(2) == [
                .note("The button uses line 1 (button) of gpiochip0 (pinctrl-test)."), .news(.line(isPressed: true)),
            ]
        )
        let taken = try #require(chips.history.first)
        #expect(taken.offset == 1)
        #expect(taken.consumer == "bracketd")
        // The flags are active-low, input, rising, falling and pull-up.
        #expect(taken.flags == Self.bits(1, 2, 4, 5, 8))
        #expect(taken.attributeCount == 1)
        #expect(taken.debounceMicroseconds == 5000)
        #expect(try await bench.perform { $0.checks }.map(\.result) == [.pass])
        #expect(try await bench.end().isEmpty, "an end is no loss")
        #expect((chips.heldCount, chips.openChipCount) == (0, 0))
    }

    /// A bit field in which the bits with these numbers are set. The numbers are those of <linux/gpio.h>.
    private static func bits(_ numbers: UInt64...) -> UInt64 { numbers.reduce(0) { $0 | 1 << $1 } }

    @Test(arguments: [(GPIOBias.pullDown, bits(9)), (.none, bits(10)), (.asIs, 0)])
    func `each bias is the kernel's`(bias: GPIOBias, flag: UInt64) {
        let request = gpio_v2_line_request(offset: 3, isActiveLow: false, use: .input(bias, debounce: .zero))
        #expect(request.config.flags == flag | Self.bits(2, 4, 5))
        #expect(request.config.num_attrs == 0)
        #expect(request.offsets.0 == 3 && request.num_lines == 1)
    }

    @Test func `a chip is found by path, by label and by name`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0", label: "first")
        try chips.plug("gpiochip10", label: "second")
        let ways = [
            (chips.path("gpiochip10"), "gpiochip10"), ("first", "gpiochip0"), ("gpiochip10", "gpiochip10"),
        ]
        for (chip, expected) in ways {
            try await bench.adopt(BoardConfiguration())
            try await bench.adopt(Self.button(.number(2), chip: chip))
            #expect(eventually { chips.history.last?.chip == expected }, "\(chip)")
        }
        #expect(chips.history.last?.offset == 2)
        try await bench.end()
    }

    @Test func `a link to a chip's node is not a second chip`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        symlink(chips.path("gpiochip0"), chips.path("gpiochip4"))
        try await bench.adopt(Self.button())
        #expect(await bench.next() == .note("The button uses line 1 (button) of gpiochip0 (pinctrl-test)."))
        try await bench.end()
    }

    // MARK: Missing chips and lines

    private static let absences: [(GPIOLocation, String)] = [
        (GPIOLocation(line: .name("x")), "No line of gpiochip0 (soc), gpiochip1 (usb) has the name x. LIST"),
        (GPIOLocation(chip: "usb", line: .name("lamp")), "No line of gpiochip1 (usb) has the name lamp. LIST"),
        (
            GPIOLocation(chip: "soc", line: .number(9)),
            "There is no line 9: gpiochip0 (soc) has 3 lines, numbered from 0. LIST"
        ),
        (
            GPIOLocation(chip: "i2c", line: .number(1)),
            "There is no GPIO chip i2c: this machine has gpiochip0 (soc), gpiochip1 (usb). LIST"
        ),
        (GPIOLocation(chip: "DIR/gpiochip7", line: .number(1)), "There is no GPIO chip DIR/gpiochip7. LIST"),
        (GPIOLocation(chip: "DIR/file", line: .number(1)), "DIR/file is not a GPIO chip. LIST"),
        (
            GPIOLocation(line: .name("both")),
            "More than one line matches: line 0 (both) of gpiochip0 (soc) and line 1 (both) of gpiochip1 (usb). "
                + "Give the chip's path."
        ),
    ]

    @Test(arguments: absences)
    func `a missing chip or line is reported in one sentence`(place: GPIOLocation, sentence: String) throws {
        let chips = try FakeGPIO()
        try chips.plug("gpiochip0", label: "soc", lines: ["both", "button", "lamp"])
        try chips.plug("gpiochip1", label: "usb", lines: ["a", "both"])
        close(creat(chips.path("file"), 0o600))
        var place = place
        place.chip = place.chip?.replacing("DIR", with: chips.directory)
        let error = #expect(throws: GPIOError.self) {
            try GPIOFinder(system: chips).take(GPIOLineRequest(place: place, isActiveLow: true, use: .output))
        }
        let words = sentence.replacing("DIR", with: chips.directory)
            .replacing("LIST", with: "gpioinfo lists chips and lines.")
        #expect(error.map { "\($0.sentence) \($0.advice)" } == words)
        #expect(chips.openChipCount == 0)
    }

    @Test func `a busy line is reported once with its consumer, and requested when it is free`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        chips.hold(1, by: "gpiomon")
        try await bench.adopt(Self.button())
        #expect(
            await bench.next()
                == .note(
                    "The button does not work. Line 1 (button) of gpiochip0 (pinctrl-test) is in use by gpiomon. "
                        + "Stop that program, or use another line."
                )
        )
        #expect(try await bench.perform { $0.checks }.map(\.result) == [.fail])
        // Another holder is a new error and is reported. A repetition of the same error was not.
        chips.hold(1, by: "bracketd")
        #expect(
            await bench.next()
                == .note(
                    "The button does not work. Line 1 (button) of gpiochip0 (pinctrl-test) is in use by a bracketd. "
                        + "Use a different line for button, lamp and buzzer, and run only one bracketd."
                )
        )
        chips.hold(1, by: nil)
        chips.changeMode("gpiochip0")
        #expect(await bench.news() == .line(isPressed: false))
        try await bench.end()
    }

    @Test func `a chip without permission is reported, and used when it gets permission`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        chips.refuse("gpiochip0", EACCES)
        try await bench.adopt(Self.button())
        #expect(
            await bench.next()
                == .note(
                    "The button does not work. bracketd is not allowed to open \(chips.path("gpiochip0")). "
                        + "Add the user of bracketd to the chip's group, usually gpio."
                )
        )
        chips.refuse("gpiochip0", nil)
        chips.changeMode("gpiochip0")
        #expect(await bench.news() == .line(isPressed: false))
        try await bench.end()
    }

    @Test func `a chip that was missing at the start is found when it appears`() async throws {
        let (chips, bench) = try await Self.pair()
        try await bench.adopt(Self.button())
        #expect(
            await bench.next()
                == .note(
                    "The button does not work. This machine has no GPIO chip. gpioinfo lists chips and lines."
                )
        )
        try chips.plug("gpiochip2")
        chips.changeMode("gpiochip2")
        #expect(await bench.news() == .line(isPressed: false))
        try await bench.end()
    }

    @Test func `a missing line is searched less and less often, and at once when chips change`() throws {
        let chips = try FakeGPIO()
        let loop = EmbeddedEventLoop()
        let wish = GPIOLineRequest(place: GPIOLocation(line: .name("lamp")), isActiveLow: false, use: .output)
        let line = HeldLine("lamp", wish, system: chips, eventLoop: loop, retryInterval: .seconds(1)) { _, _ in }
        line.start()
        // Requests were refused after 0, 2, 6, 14, 30, 62, 122, 182 and 242 s. The next request comes at 302 s.
        loop.advanceTime(by: .seconds(250))
        try chips.plug("gpiochip0")
        loop.advanceTime(by: .seconds(20))
        #expect(line.descriptor == nil)
        line.restartSearch()
        loop.advanceTime(by: .zero)
        #expect(line.descriptor != nil)
        line.close()
        #expect(chips.heldCount == 0)
    }

    // MARK: Edges

    @Test func `edges have the kernel's time, however the bytes are split`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.button())
        #expect(await bench.news() == .line(isPressed: false))
        let first = FakeGPIO.bytes(isActive: true, at: .seconds(3), number: 1)
        let second = FakeGPIO.bytes(isActive: false, at: .seconds(4), number: 2)
        let third = FakeGPIO.bytes(isActive: true, at: .seconds(5), number: 3)
        chips.write(Array(first[..<20]))
        chips.write(Array(first[20...] + second + third[..<1]))
        #expect(await bench.news() == .edge(isPressed: true, at: .seconds(3)))
        #expect(await bench.news() == .edge(isPressed: false, at: .seconds(4)))
        chips.write(Array(third[1...]))
        #expect(await bench.news() == .edge(isPressed: true, at: .seconds(5)))
        try await bench.end()
    }

    @Test func `after lost edges the level is read again, before the next edge`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.button())
        #expect(await bench.news() == .line(isPressed: false))
        chips.setLevel(1, true)
        chips.write(FakeGPIO.bytes(isActive: true, at: .seconds(1), number: 1))
        chips.write(FakeGPIO.bytes(isActive: true, at: .seconds(2), number: 3))
        chips.write(FakeGPIO.bytes(isActive: false, at: .seconds(3), number: 4))
        #expect(await bench.news() == .edge(isPressed: true, at: .seconds(1)))
        #expect(await bench.news() == .line(isPressed: true))
        #expect(await bench.news() == .edge(isPressed: true, at: .seconds(2)))
        #expect(await bench.news() == .edge(isPressed: false, at: .seconds(3)))
        try await bench.end()
    }

    @Test func `reading ahead reports at once the edges that the kernel has`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.button())
        #expect(await bench.news() == .line(isPressed: false))
        try await bench.perform { board in
            chips.write(FakeGPIO.bytes(isActive: true, at: .seconds(1), number: 1))
            chips.write(FakeGPIO.bytes(isActive: false, at: .seconds(2), number: 2))
            board.readAhead()
            board.readAhead()
            // The loop itself could not read the edges yet.
            board.adopt(BoardConfiguration())
        }
        #expect(await bench.news() == .edge(isPressed: true, at: .seconds(1)))
        #expect(await bench.news() == .edge(isPressed: false, at: .seconds(2)))
        #expect(await bench.news() == .gone)
        try await bench.end()
    }

    @Test func `the count of edges may restart, and their times are exact`() {
        var reader = EdgeReader()
        #expect(reader.read(ByteBuffer(bytes: FakeGPIO.bytes(isActive: true, at: .zero, number: .max))).first == .gap)
        let down = Duration.nanoseconds(3_000_000_123)
        let next = reader.read(ByteBuffer(bytes: FakeGPIO.bytes(isActive: false, at: down, number: 0)))
        #expect(next == [.edge(isActive: false, at: down)])
    }

    // MARK: Loss

    @Test(arguments: [false, true])
    func `a line that hangs up is lost, and requested again`(harshly: Bool) async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.button())
        #expect(await bench.news() == .line(isPressed: false))
        chips.hangUp(harshly: harshly)
        let reason = harshly ? "Connection reset by peer" : "No such device"
        let line = "line 1 (button) of gpiochip0 (pinctrl-test)"
        #expect(
            await bench.next(4) == [
                .note("The button lost its line, \(line): \(reason). The daemon searches for the line."), .news(.gone),
                .note("The button uses \(line)."), .news(.line(isPressed: false)),
            ]
        )
        // Each requested line counts its edges from 1.
        chips.write(FakeGPIO.bytes(isActive: true, at: .seconds(1), number: 1))
        #expect(await bench.news() == .edge(isPressed: true, at: .seconds(1)))
        try await bench.end()
        #expect(chips.heldCount == 0)
    }

    @Test func `a chip whose node is removed is lost without an event of its lines, and is found again`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.button())
        _ = await bench.next(2)
        chips.unplug("gpiochip0")
        #expect(
            await bench.next(2) == [
                .note(
                    "The button lost its line, line 1 (button) of gpiochip0 (pinctrl-test): No such device. "
                        + "The daemon searches for the line."
                ),
                .news(.gone),
            ]
        )
        let absence = "This machine has no GPIO chip."
        #expect(try await eventually(asking: { try await bench.perform { $0.checks.first?.sentence } == absence }))
        try chips.plug("gpiochip3")
        chips.changeMode("gpiochip3")
        // The loss of the line is the only error that the notes report.
        #expect(
            await bench.next(2) == [
                .note("The button uses line 1 (button) of gpiochip3 (pinctrl-test)."), .news(.line(isPressed: false)),
            ]
        )
        try await bench.end()
    }

    @Test func `the loss of another chip does not affect the button`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try chips.plug("gpiochip1", lines: [])
        try await bench.adopt(Self.button())
        _ = await bench.next(2)
        chips.unplug("gpiochip1")
        chips.unplug("gpiochip0")
        #expect(await bench.next(2).last == .news(.gone))
        #expect(chips.history.count == 1)
        try await bench.end()
    }

    // MARK: Lamp

    @Test func `the lamp shows the sign, also an earlier one, and is off at the end`() async throws {
        let (chips, bench) = try await Self.pair()
        try await bench.perform { $0.show(.ready) }
        try await bench.adopt(Self.lamp())
        #expect(await bench.next() != nil)
        try chips.plug("gpiochip0")
        chips.changeMode("gpiochip0")
        #expect(eventually { chips.sets == [true] })
        // The only flag is GPIO_V2_LINE_FLAG_OUTPUT.
        #expect(chips.history.map(\.flags) == [1 << 3])
        try await bench.perform { $0.show(.exposing) }
        try await bench.perform { $0.show(.exposing) }
        #expect(chips.sets == [true, false])
        try await bench.perform { $0.show(.ready) }
        try await bench.end()
        #expect(chips.sets == [true, false, true, false])
        #expect(chips.heldCount == 0)
    }

    @Test func `a blinking sign goes on and off by itself`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.lamp())
        try await bench.perform { $0.show(.betweenFrames) }
        #expect(eventually { chips.sets.count >= 4 })
        #expect(chips.sets.prefix(4) == [true, false, true, false])
        try await bench.end()
    }

    @Test func `a lamp whose chip disappears is lost, and is lit again with it`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        try await bench.adopt(Self.lamp())
        try await bench.perform { $0.show(.ready) }
        #expect(eventually { chips.sets == [true] })
        chips.unplug("gpiochip0")
        #expect(await bench.next() == .note("The lamp uses line 2 (lamp) of gpiochip0 (pinctrl-test)."))
        #expect(
            await bench.next()
                == .note(
                    "The lamp lost its line, line 2 (lamp) of gpiochip0 (pinctrl-test): No such device. "
                        + "The daemon searches for the line."
                )
        )
        try chips.plug("gpiochip0")
        chips.changeMode("gpiochip0")
        #expect(eventually { chips.sets == [true, true] })
        try await bench.end()
    }

    // MARK: Another configuration

    @Test func `another configuration releases only changed lines, and two may swap`() async throws {
        let (chips, bench) = try await Self.pair()
        try chips.plug("gpiochip0")
        var board = Self.button()
        board.lamp.place = GPIOLocation(line: .name("lamp"))
        try await bench.adopt(board)
        #expect(eventually { chips.heldCount == 2 })
        board.lampShowsExposing = true
        try await bench.adopt(board)
        board.button.isActiveLow = false
        try await bench.adopt(board)
        #expect(eventually { chips.history.count == 3 })
        #expect(chips.history.map(\.offset) == [1, 2, 1])
        (board.button.place, board.lamp.place) = (board.lamp.place, board.button.place)
        try await bench.adopt(board)
        #expect(eventually { chips.history.count == 5 })
        try await bench.adopt(BoardConfiguration())
        #expect(chips.heldCount == 0)
        #expect(try await bench.perform { $0.checks }.isEmpty)
        let rest = try await bench.end()
        #expect(rest.count { $0 == .news(.gone) } == 3)
        // The button's line and the lamp's line did not block each other.
        #expect(!rest.contains { if case .note(let text) = $0 { text.hasPrefix("There is no") } else { false } })
    }

    // MARK: Layout

    @Test func `the kernel's records have the documented sizes and offsets`() {
        #expect(MemoryLayout<gpiochip_info>.size == 68)
        #expect(MemoryLayout<gpio_v2_line_values>.size == 16)
        #expect(MemoryLayout<gpio_v2_line_attribute>.size == 16)
        #expect(MemoryLayout<gpio_v2_line_config_attribute>.size == 24)
        #expect(MemoryLayout<gpio_v2_line_config>.size == 272)
        #expect(MemoryLayout<gpio_v2_line_request>.size == 592)
        #expect(MemoryLayout<gpio_v2_line_request>.offset(of: \.config) == 288)
        #expect(MemoryLayout<gpio_v2_line_request>.offset(of: \.fd) == 588)
        #expect(MemoryLayout<gpio_v2_line_info>.size == 256)
        #expect(MemoryLayout<gpio_v2_line_info>.offset(of: \.flags) == 72)
        #expect(EdgeReader.recordSize == 48)
        #expect(MemoryLayout<gpio_v2_line_event>.offset(of: \.id) == 8)
        #expect(MemoryLayout<gpio_v2_line_event>.offset(of: \.line_seqno) == 20)
    }

    @Test(.enabled(if: access("/dev/null", R_OK) == 0)) func `the kernel reports that a file is not a chip`() throws {
        let error = #expect(throws: GPIOError.self) {
            let place = GPIOLocation(chip: "/dev/null", line: .number(0))
            return try GPIOFinder(system: KernelGPIO()).take(
                GPIOLineRequest(place: place, isActiveLow: true, use: .output)
            )
        }
        #expect(error?.sentence == "/dev/null is not a GPIO chip.")
    }
}

extension ButtonLineEvent {
    /// The event with the kernel's time of the edge, to a tenth of a second. The test cannot read both clocks at once.
    fileprivate func inKernelTime(_ clock: DaemonClock) -> ButtonLineEvent {
        guard case .edge(let isPressed, let time) = self else { return self }
        let tenths = ((time - clock.time(ofMonotonic: .zero)) / .milliseconds(100)).rounded()
        return .edge(isPressed: isPressed, at: .milliseconds(100) * Int(tenths))
    }
}
