import Glibc

// libFuzzer over one target: fuzz TARGET [OPTION…] [FOLDER or FILE…]
//
// The options are libFuzzer's (llvm.org/docs/LibFuzzer.html). The target's own options come first, so that the user's
// options override them. Use `Fuzz/run` to start it.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target does not change while the program runs.
private func runChosen(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let start = processorTime()
    FuzzProgram.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
    let taken = processorTime() - start
    if taken > .seconds(2) { fatalError("this input takes \(taken)") }
    return 0
}

/// The processor time. The wall time would depend on other programs.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

@main
enum FuzzProgram {
    /// The environment variable with the target. libFuzzer restarts itself without the first argument to merge and to
    /// minimise, so the environment must contain the target.
    private static let variable = "BRACKETD_FUZZ_TARGET"
    /// The memory limit. An allocation beyond it fails and traps, so it is reported as a fault.
    private static let memoryMax: rlim_t = 3 << 30

    static let chosen = getenv(variable).flatMap { FuzzTarget(rawValue: String(cString: $0)) }

    static func main() {
        var rest = Array(CommandLine.arguments.dropFirst())
        if rest == ["--list"] {
            for target in FuzzTarget.allCases { print(target.rawValue) }
            return
        }
        if let name = rest.first, FuzzTarget(rawValue: name) != nil {
            setenv(variable, name, 1)
            rest.removeFirst()
        }
        guard let target = chosen else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            let line = Array("fuzz: the first argument is the name of a target: \(names)\n".utf8)
            write(STDERR_FILENO, line, line.count)
            exit(64)
        }
        limitMemory()
        takeSignalStack()
        // The limits end inputs that would never end.
        let limits = ["-timeout=60", "-rss_limit_mb=1024", "-max_len=\(target.lengthMax)"]
        exit(run([CommandLine.arguments[0]] + limits + rest))
    }

    private static func limitMemory() {
        var limit = rlimit(rlim_cur: memoryMax, rlim_max: memoryMax)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// Gives signal handlers their own stack, so that a stack overflow is reported like any other trap.
    private static func takeSignalStack() {
        let size = 1 << 18
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
    }

    private static func run(_ words: [String]) -> CInt {
        // libFuzzer uses the arguments as long as it runs, so they are never freed.
        var arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
        arguments[words.count] = nil
        var count = CInt(words.count)
        return runDriver(&count, &arguments, runChosen)
    }
}
