import CLinux
import Glibc
import Synchronization

@testable import Host

/// Simulated chips. Their nodes are plain files in a directory, and their lines are pairs of sockets. The loop reads
/// what a test writes.
final class FakeGPIO: GPIOSystem, Sendable {
    struct Chip: Sendable {
        var label: String
        var lines: [String]
    }

    struct Taken: Sendable {
        var chip: String
        var offset: UInt32
        var flags: UInt64
        var consumer: String
        var attributeCount: UInt32
        var debounceMicroseconds: UInt32
        /// The end of the socket pair that the test uses.
        var end: CInt
    }

    private struct State {
        var chips: [String: Chip] = [:]
        var openChips: [CInt: (name: String, identity: OpenFileIdentity?)] = [:]
        var openErrors: [String: CInt] = [:]
        var holders: [String: String] = [:]
        var taken: [CInt: Taken] = [:]
        var history: [Taken] = []
        /// The lines that the test has closed.
        var hungUp: Set<Int> = []
        var levels: [UInt32: Bool] = [:]
        var sets: [Bool] = []
    }

    private let folder: TemporaryDirectory
    private let state = Mutex(State())

    init() throws { folder = try TemporaryDirectory() }

    var directory: String { folder.path }
    func path(_ name: String) -> String { folder.file(name) }

    // MARK: Actions of tests

    func plug(_ name: String, label: String = "pinctrl-test", lines: [String] = ["", "button", "lamp"]) throws {
        state.withLock { $0.chips[name] = Chip(label: label, lines: lines) }
        try folder.write("", to: name)
    }

    func unplug(_ name: String) {
        state.withLock { $0.chips[name] = nil }
        unlink(folder.file(name))
    }

    /// Changes the mode of a node, as udev does when it gives the node to a group.
    func changeMode(_ name: String) { chmod(folder.file(name), 0o660) }

    func refuse(_ name: String, _ error: CInt?) { state.withLock { $0.openErrors[path(name)] = error } }

    /// Sets the holder of the lines with this number, on all chips; nil: the lines are free.
    func hold(_ offset: UInt32, by holder: String?) { state.withLock { $0.holders["\(offset)"] = holder } }

    func setLevel(_ offset: UInt32, _ isActive: Bool) { state.withLock { $0.levels[offset] = isActive } }

    /// All requests of lines so far.
    var history: [Taken] { state.withLock { $0.history } }
    /// The number of lines with an open descriptor.
    var heldCount: Int { state.withLock { Self.held($0).count } }

    private static func held(_ state: State) -> [Taken] {
        state.history.enumerated().filter { index, taken in
            var end = pollfd(fd: taken.end, events: 0, revents: 0)
            return !state.hungUp.contains(index) && poll(&end, 1, 0) >= 0 && end.revents & Int16(POLLHUP) == 0
        }.map(\.element)
    }

    /// The levels that were set so far, in order.
    var sets: [Bool] { state.withLock { $0.sets } }
    var openChipCount: Int { state.withLock { $0.openChips.count { OpenFileIdentity($0.key) == $0.value.identity } } }

    /// An edge of the line in the kernel's format.
    static func bytes(isActive: Bool, at time: Duration, number: UInt32) -> [UInt8] {
        let (seconds, attoseconds) = time.components
        var event = gpio_v2_line_event()
        event.timestamp_ns = UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        event.id = UInt32((isActive ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE).rawValue)
        event.seqno = number
        event.line_seqno = number
        return withUnsafeBytes(of: event) { Array($0) }
    }

    func write(_ bytes: [UInt8]) {
        guard let end = history.last?.end else { return }
        Glibc.write(end, bytes, bytes.count)
    }

    /// Ends the last requested line as the kernel does. With `harshly`, a read error comes first.
    func hangUp(harshly: Bool = false) {
        guard let end = history.last?.end else { return }
        state.withLock { _ = $0.hungUp.insert($0.history.count - 1) }
        if harshly {
            // If a socket is closed with unread bytes, the other socket reports an error.
            let other = state.withLock { state in state.taken.first { $0.value.end == end }?.key }
            if let other { Glibc.write(other, [0], 1) }
        }
        close(end)
    }

    // MARK: GPIOSystem

    func open(_ path: String) throws(SystemError) -> CInt {
        if let error = state.withLock({ $0.openErrors[path] }) { throw SystemError(code: error) }
        let file = try check { Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        // The name is the kernel's, even if a link led to the node.
        let target = realpath(path, nil)
        defer { free(target) }
        let name = String((target.map { String(cString: $0) } ?? path).split(separator: "/").last ?? "")
        state.withLock { $0.openChips[file] = (name, OpenFileIdentity(file)) }
        return file
    }

    private func chip(_ file: CInt) throws(SystemError) -> (name: String, chip: Chip) {
        let found = state.withLock { state in
            state.openChips[file].flatMap { open in state.chips[open.name].map { (open.name, $0) } }
        }
        guard let found else { throw SystemError(code: ENOTTY) }
        return found
    }

    func chipInfo(_ file: CInt) throws(SystemError) -> gpiochip_info {
        let (name, chip) = try chip(file)
        var info = gpiochip_info()
        withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: name.utf8) }
        withUnsafeMutableBytes(of: &info.label) { $0.copyBytes(from: chip.label.utf8) }
        info.lines = UInt32(chip.lines.count)
        return info
    }

    func lineInfo(_ file: CInt, offset: UInt32) throws(SystemError) -> gpio_v2_line_info {
        let (_, chip) = try chip(file)
        guard offset < chip.lines.count else { throw SystemError(code: EINVAL) }
        var info = gpio_v2_line_info()
        info.offset = offset
        withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: chip.lines[Int(offset)].utf8) }
        let holder = state.withLock { $0.holders["\(offset)"] } ?? ""
        withUnsafeMutableBytes(of: &info.consumer) { $0.copyBytes(from: holder.utf8) }
        return info
    }

    func take(_ file: CInt, _ request: gpio_v2_line_request) throws(SystemError) -> CInt {
        let (name, _) = try chip(file)
        let offset = request.offsets.0
        let isFree = state.withLock { state in
            let ours = Self.held(state).contains { $0.chip == name && $0.offset == offset }
            return !ours && state.holders["\(offset)"] == nil
        }
        guard isFree else { throw SystemError(code: EBUSY) }
        var ends: [CInt] = [-1, -1]
        try check { socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) }
        let taken = Taken(
            chip: name,
            offset: offset,
            flags: request.config.flags,
            consumer: withUnsafeBytes(of: request.consumer) { cText($0) },
            attributeCount: request.config.num_attrs,
            debounceMicroseconds: request.config.attrs.0.attr.debounce_period_us,
            end: ends[1]
        )
        let line = ends[0]
        state.withLock {
            $0.taken[line] = taken
            $0.history.append(taken)
        }
        return line
    }

    private func line(_ line: CInt) throws(SystemError) -> Taken {
        let taken = state.withLock { state in state.taken[line].flatMap { state.chips[$0.chip] == nil ? nil : $0 } }
        guard let taken else { throw SystemError(code: ENODEV) }
        return taken
    }

    func isActive(_ line: CInt) throws(SystemError) -> Bool {
        let offset = try self.line(line).offset
        return state.withLock { $0.levels[offset] ?? false }
    }

    func setActive(_ line: CInt, _ isActive: Bool) throws(SystemError) {
        _ = try self.line(line)
        state.withLock { $0.sets.append(isActive) }
    }
}
