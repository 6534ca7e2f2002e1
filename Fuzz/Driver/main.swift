import Glibc

// libFuzzer over one target: fuzz TARGET [OPTION…] [FOLDER or FILE…]
//
// The options are libFuzzer's (llvm.org/docs/LibFuzzer.html); those that a target needs are put before them, so that
// whoever writes an option has the last word. `Fuzz/run` is how it is meant to be used.

typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: Callback
) -> CInt

/// libFuzzer starts itself anew to merge and to minimise, without the first argument.
let variable = "BRACKETD_FUZZ_TARGET"
/// More would be a fault of its own: an allocation beyond it fails, and that traps.
let memoryMax: rlim_t = 3 << 30

func refuse(_ sentence: String) -> Never {
    fputs("fuzz: \(sentence)\n", stderr)
    exit(64)
}

/// What overflows the stack is to be told like any other crash, which needs a stack.
func takeSignalStack() {
    let size = 1 << 18
    var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
    sigaltstack(&stack, nil)
}

var rest = Array(CommandLine.arguments.dropFirst())
if rest == ["--list"] {
    for target in FuzzTarget.allCases { print(target.rawValue) }
    exit(0)
}
if let name = rest.first, FuzzTarget(rawValue: name) != nil {
    setenv(variable, name, 1)
    rest.removeFirst()
}
guard let target = getenv(variable).flatMap({ FuzzTarget(rawValue: String(cString: $0)) }) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    refuse("the first argument is the name of a target: \(names)")
}
var memory = rlimit(rlim_cur: memoryMax, rlim_max: memoryMax)
setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
takeSignalStack()

let limits = ["-timeout=5", "-rss_limit_mb=1024", "-max_len=\(target.lengthMax)"]
let words = [CommandLine.arguments[0]] + limits + rest
var arguments = words.map { strdup($0) } + [nil]
var count = CInt(words.count)
let status = arguments.withUnsafeMutableBufferPointer { buffer -> CInt in
    guard var first = buffer.baseAddress else { return 64 }
    return runDriver(&count, &first) { bytes, size in
        // The target that was chosen does not change.
        target.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
        return 0
    }
}
exit(status)
