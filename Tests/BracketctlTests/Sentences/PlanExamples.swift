@testable import bracketctl

extension Examples {
    static let plans: [String] = [
        PlanSentences.checked(against: "Sony ILCE-7M4"),
        PlanSentences.unchecked(because: "No camera is connected."),
        PlanSentences.uncheckedWithoutDaemon(socket),
        PlanSentences.estimate("24 s", basis: ""),
        PlanSentences.estimate("24 s", basis: "15 exposures, 0.9 s each besides the exposure"),
        PlanSentences.note("The last set ends at 1/8"),
        PlanSentences.warning("The camera lacks 1/6400"),
        PlanSentences.firesExactly("4f2a91c0", on: "Sony ILCE-7M4", command: "bracketctl shoot --plan 4f2a91c0"),
        PlanSentences.firesWithOtherSpeeds(
            "4f2a91c0",
            on: "Sony ILCE-7M4",
            command: "bracketctl shoot --plan 4f2a91c0"
        ),
        PlanSentences.invalidFrames("many"),
        PlanSentences.invalidSharing("thrice"),
        PlanSentences.notAnOption("--help"),
        PlanSentences.invalidOption("--shadow", "'1/3x' is not a shutter speed."),
        PlanSentences.invalidLine(2, of: "plan.txt", "--shadow: '1/3x' is not a shutter speed."),
    ]
}
