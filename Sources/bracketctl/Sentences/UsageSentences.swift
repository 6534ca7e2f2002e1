/// The sentences about invalid arguments, with the valid ones.
enum UsageSentences {
    // MARK: Commands

    static func noCommand(_ commands: [String]) -> String {
        "A command is missing. Use one of \(commands.joined(separator: ", ")). See bracketctl --help."
    }

    static func noHelp(_ topic: String) -> String {
        "There is no command '\(topic)', so there is no help for it. See bracketctl --help."
    }

    // MARK: Options that exclude or need each other

    static func needsAuto(_ option: String) -> String { "\(option) needs --auto." }

    static func outOfRange(_ option: String, _ least: Int, _ most: Int) -> String {
        "\(option): write a number from \(least) to \(most)."
    }

    static func exclusive(_ first: String, _ second: String) -> String {
        "\(first) and \(second) exclude each other. Choose one."
    }

    static let usualAndPlan = exclusive("--usual", "a plan")

    static func planInFile(_ path: String) -> String {
        "--watch reads the plan from \(path). Write the options into that file."
    }

    static let dropWithoutShoot = "--drop needs the number of an older shoot."
    static let noWaitWithoutProgress = "--no-wait works only with --progress."
    static let statesWithoutProgress =
        "--states works only with --progress. Without --progress, watch always names the states."
    static let choicesWithoutSetting = "--choices needs a setting: bracketctl get shutter-speed --choices."

    static func unknownSetOption(_ option: String) -> String {
        "Unknown option '\(option)'. See bracketctl set --help."
    }

    // MARK: Numbers

    static func invalidShoot(_ number: Int, option: String = "Shoot") -> String {
        "\(option) \(number) is not valid. Shoots are numbered from 1."
    }

    static let filesOrSelected = "Give pictures from bracketctl files, or --selected."

    static let selectedAlone = "--selected has no --since and no --limit."

    static let invalidTime = "--since is not a time. Give a time such as 2014-08-18 or 2014-08-18T12:34."

    static func tooManyFiles(_ countMax: Int) -> String { "Give at most \(countMax) pictures." }

    static func invalidLimit(_ limit: Int, max: Int = 200) -> String {
        "--limit \(limit) is not valid. Give a number from 1 to \(max)."
    }

    // MARK: Names

    static func needsFile(_ option: String) -> String { "\(option) needs a file name." }
    static func needsFolder(_ option: String) -> String { "\(option) needs a folder name." }

    static let emptySocket = "--socket is empty. Give the path of the daemon's socket."
    static let emptyRecording = "A file name is empty. Give a recording."
    static let emptyPictureFolder = "The name of the picture folder is empty."
    static let emptyCamera = "The name is empty. bracketctl cameras lists the cameras."
    static let noCamera = "Name a camera from bracketctl cameras, or its address, or give --last."

    static func lastAndCamera(_ camera: String) -> String {
        "--last means the last connected camera. Use either \(camera) or --last."
    }

    // MARK: Charts

    static func needsChart(_ option: String, charts: [String]) -> String {
        "\(option) needs one chart: \(PlainList.text(charts, last: "or"))."
    }

    static func statesOnlyInText(omit option: String) -> String { "--states works only with text. Omit \(option)." }

    static let outputWithoutDrawing = "--output is for the drawing. Add --svg, or redirect standard output."
    static let emptyOutput = "--output is empty. Give a file name for the drawing."
    static let drawingWithoutFile =
        "--svg with --watch rewrites the drawing at every change. Give a file name with --output."
}
