@testable import bracketctl

extension Examples {
    static let cameras: [String] = [
        CameraListSentences.noCamera,
        CameraListSentences.noCameraAdvice(search: "bracketctl cameras --watch", connect: "bracketctl connect ADDRESS"),
        CameraListSentences.connectedLast,
        CameraListSentences.noSpeeds,
        CameraListSentences.speeds(55, from: "30\"", to: "1/8000"),
        CameraListSentences.timing(median: "0.9 s", p95: "1.3 s", frames: 1),
        CameraListSentences.timing(median: "0.9 s", p95: "1.3 s", frames: 45),
    ]

    static let properties: [String] = [
        PropertySentences.notReported,
        PropertySentences.noOtherValue,
        PropertySentences.choices(["1/8000", "1/6400", "1/5000"], last: "30\"", count: 55),
        PropertySentences.noSettings,
        PropertySentences.unknown("isoo", settings: ["shutter-speed", "iso", "aperture"]),
        PropertySentences.noValue("aperture"),
        PropertySentences.notWritable("drive"),
        PropertySentences.noChoices("quality"),
    ]
}
