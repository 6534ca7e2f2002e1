import Foundation

// machines CONTESTANT CHART SCRIPT follow    a line after each event: time, leaves, deadline, actions, effects
// machines CONTESTANT CHART SCRIPT EVENTS    repeats the script for this number of events; prints
//                                            {"events": …, "nanoseconds": …} of this thread's time
// Contestants: compiled, switch, loaded, and deaf, which does nothing.

func nanosecondsOfThisThread() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Runs the script on a contestant and prints its state after each event.
func follow<C: Implementation>(_ type: C.Type, _ script: Script, _ chart: URL) throws {
    var contestant = try C(chart: chart)
    contestant.removeEffects()
    for entry in script.beginning + script.loop {
        contestant.handle(contestant.input(entry), at: entry.time)
        print("\(entry.time.milliseconds) \(contestant.summary) \(contestant.effectCount)")
        contestant.removeEffects()
    }
}

/// Measures the loop of the script. Without a loop, it runs the script on new machines.
@inline(never)
func measure<C: Implementation>(_ type: C.Type, _ script: Script, _ chart: URL, events wanted: Int) throws {
    var contestant = try C(chart: chart)
    let inputs = script.loop.map { (time: $0.time, input: contestant.input($0)) }
    for entry in script.beginning {
        contestant.handle(contestant.input(entry), at: entry.time)
        contestant.removeEffects()
    }
    var offset = Duration.zero
    var effects = 0
    // The first round is a warm-up and is not measured.
    for isMeasured in [false, true] {
        var events = 0
        let start = nanosecondsOfThisThread()
        while events < (isMeasured ? wanted : 10 * inputs.count) {
            for (time, input) in inputs {
                contestant.handle(input, at: offset + time)
                effects += contestant.effectCount
                contestant.removeEffects()
            }
            events += inputs.count
            offset += script.period
        }
        let nanoseconds = nanosecondsOfThisThread() - start
        if isMeasured { print(#"{"events": \#(events), "nanoseconds": \#(nanoseconds), "effects": \#(effects)}"#) }
    }
}

func run<C: Implementation>(_ type: C.Type, _ arguments: [String]) throws {
    let chart = URL(filePath: arguments[1])
    let script = try Script(String(contentsOf: URL(filePath: arguments[2]), encoding: .utf8))
    if arguments[3] == "follow" {
        try follow(type, script, chart)
    } else if let events = Int(arguments[3]), !script.loop.isEmpty {
        try measure(type, script, chart, events: events)
    } else {
        throw Script.Refusal(line: "a script that is measured has a loop")
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.count == 4 ? arguments[0] : "" {
case "compiled": try run(CompiledChart.self, arguments)
case "switch": try run(HandWritten.self, arguments)
case "deaf": try run(NullImplementation.self, arguments)
case "loaded": try run(LoadedAtRunTime.self, arguments)
default:
    let usage = "usage: machines compiled|switch|loaded|deaf CHART SCRIPT follow|EVENTS\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}
