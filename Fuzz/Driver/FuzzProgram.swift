import Glibc

// libFuzzer over one target: fuzz TARGET [OPTION…] [FOLDER or FILE…]
//
// The options are libFuzzer's (llvm.org/docs/LibFuzzer.html); those that a target needs are put before them, so that
// whoever writes an option has the last word. `Fuzz/run` is how it is meant to be used.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target does not change while the program runs.
private func runChosen(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    FuzzProgram.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
}

@main
enum FuzzProgram {
    /// libFuzzer starts itself anew to merge and to minimise, without the first argument: so it is left here.
    private static let variable = "BRACKETD_FUZZ_TARGET"
    /// More would be a fault of its own: an allocation beyond it fails, and that traps.
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
        let limits = ["-timeout=5", "-rss_limit_mb=1024", "-max_len=\(target.lengthMax)"]
        exit(run([CommandLine.arguments[0]] + limits + rest))
    }

    private static func limitMemory() {
        var limit = rlimit(rlim_cur: memoryMax, rlim_max: memoryMax)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// What overflows the stack is to be told like any other trap, which needs a stack.
    private static func takeSignalStack() {
        let size = 1 << 18
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
    }

    private static func run(_ words: [String]) -> CInt {
        // libFuzzer keeps them for as long as it runs.
        var arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
        arguments[words.count] = nil
        var count = CInt(words.count)
        return runDriver(&count, &arguments, runChosen)
    }
}
