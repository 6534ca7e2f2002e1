@testable import bracketctl

extension Examples {
    static let arguments: [String] = [
        UsageSentences.noCommand(["plan", "preflight", "shoot"]),
        UsageSentences.noHelp("fire"),
        UsageSentences.exclusive("--svg", "--json"),
        UsageSentences.usualAndPlan,
        UsageSentences.planInFile("plan.txt"),
        UsageSentences.dropWithoutShoot,
        UsageSentences.noWaitWithoutProgress,
        UsageSentences.statesWithoutProgress,
        UsageSentences.choicesWithoutSetting,
        UsageSentences.unknownSetOption("--drop"),
        UsageSentences.invalidShoot(0),
        UsageSentences.invalidShoot(0, option: "--before"),
        UsageSentences.invalidLimit(500),
        UsageSentences.needsFile("--output"),
        UsageSentences.needsFolder("--output"),
        UsageSentences.emptySocket,
        UsageSentences.emptyRecording,
        UsageSentences.emptyPictureFolder,
        UsageSentences.emptyCamera,
        UsageSentences.noCamera,
        UsageSentences.lastAndCamera("Sony ILCE-7M4"),
        UsageSentences.needsChart("--svg", charts: ["button", "search", "shooting"]),
        UsageSentences.statesOnlyInText(omit: "--json"),
        UsageSentences.outputWithoutDrawing,
        UsageSentences.emptyOutput,
        UsageSentences.drawingWithoutFile,
    ]
}
