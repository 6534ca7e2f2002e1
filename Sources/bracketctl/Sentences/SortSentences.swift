/// The sentences of `sort` about the pictures, the frames and the clock of the camera.
enum SortSentences {
    // MARK: The result

    static func title(shoot: Int, camera: String, plan: String) -> String { "Shoot \(shoot), \(camera), \(plan)" }

    static func found(_ count: Int, of total: Int) -> String {
        let frames = total == 1 ? "1 frame has" : "\(total) frames have"
        return "\(count) of \(frames) a file."
    }

    static func frameWithoutFile(_ frame: String, isFired: Bool) -> String {
        isFired ? "\(frame) has no file." : "\(frame) was not fired."
    }

    static func moreWithoutFile(_ count: Int) -> String { "\(count) more frames have no file." }
    static func written(to path: String) -> String { "Wrote the shoot to \(path)." }

    static let dryRun = "Nothing was written (--dry-run)."
    static let noShootOfPictures = "The pictures belong to no recorded shoot."

    // MARK: The clock

    /// - Parameter offsets: The possible offsets in the form of --clock-offset.
    static func severalOffsets(shoot: Int, _ offsets: [String]) -> String {
        "Shoot \(shoot): the pictures match with more than one offset of the camera's clock. "
            + "Give the correct one: --clock-offset \(offsets.joined(separator: " or "))."
    }

    /// - Parameter matched: The number of pictures that match with the best offset.
    static func noOffset(frames count: Int, matched: Int) -> String {
        "0 of \(count) frames have a file. No offset of the camera's clock matches enough pictures (best: \(matched)). "
            + "If the pictures exist, give the offset: --clock-offset +1:03."
    }

    static let clockAgrees = "The camera's clock agrees with this computer's clock."

    static func clockIsAhead(by duration: String) -> String {
        "The camera's clock is \(duration) ahead of this computer's clock."
    }

    static func clockIsBehind(by duration: String) -> String {
        "The camera's clock is \(duration) behind this computer's clock."
    }

    // MARK: Frames and pictures

    /// The name of a frame: `Set 2, frame 3 (1/60)`.
    static func frame(_ frame: Int, ofSet set: Int, speed: String) -> String { "Set \(set), frame \(frame) (\(speed))" }

    static let unknownSpeed = "an unknown speed"

    static func otherSpeed(_ frame: String, picture: String, speed: String) -> String {
        "\(frame) is suspect: \(picture) was taken at the right time, but with \(speed)."
    }

    static func firedTwice(_ frame: String, earlier: [String], last: String) -> String {
        "\(frame) was fired twice. Earlier picture: \(earlier.joined(separator: ", ")). Last picture: \(last)."
    }

    static func uncertain(_ frame: String, picture: String) -> String {
        "\(frame) is uncertain: another picture or frame of this speed is as close in time as \(picture)."
    }

    static func stray(_ picture: String, speed: String) -> String {
        "\(picture) (\(speed)) was taken during the shoot, but belongs to no frame."
    }

    static func strayAdvice(nearSet set: Int, frame: Int) -> String {
        "It may be another picture of \(ShootReportSentences.place(set: set, frame: frame))."
    }

    // MARK: Files that are ignored

    static func fileIgnored(_ path: String, _ reason: String) -> String { "\(path) is ignored: \(reason)." }

    static let noCaptureTime = "it has no capture time"

    static func notOpened(_ reason: String) -> String { "it cannot be opened: \(reason)" }

    static func folderTooDeep(_ path: String) -> String {
        "\(path) is too deep in the folders. Its pictures are ignored."
    }

    static func folderNotOpened(_ path: String, _ reason: String) -> String {
        "\(path) cannot be opened: \(reason). Its pictures are ignored."
    }

    static func moreFilesIgnored(_ count: Int) -> String { "\(count) more files are ignored." }
    static func moreFoldersIgnored(_ count: Int) -> String { "\(count) more folders are ignored." }

    static func noLinks(_ reason: String) -> String {
        "Some files have no links (\(reason)). The manifest names the original files."
    }

    // MARK: Why nothing is sorted

    /// - Parameter remark: A sentence about a file or a folder that was not read; nil: none.
    static func noPictures(_ folder: String, remark: String?) -> String {
        let remark = remark.map { " \($0)" } ?? ""
        return "\(folder) contains no picture with EXIF data.\(remark)"
    }

    static func fileFault(_ path: String, _ reason: String) -> String { "\(path): \(reason)." }

    static func noReader(_ program: String) -> String {
        "\(program), which reads the pictures, is missing beside bracketctl. Install the complete package."
    }

    static func tooManyFiles(thousands: Int) -> String { "More than \(thousands),000 files. \(smallerFolder)" }
    static func tooManyPictures(thousands: Int) -> String { "More than \(thousands),000 pictures. \(smallerFolder)" }
    private static let smallerFolder = "Sort a smaller folder."

    static func otherManifest(_ folder: String) -> String {
        "\(folder) has a manifest of another program. Choose another folder with --output DIR."
    }

    static func otherFiles(_ folder: String, name: String) -> String {
        "\(folder) already has other files with the name \(name)."
    }

    // MARK: The shoots

    static let noShoot = "No shoot is recorded, so there is nothing to sort."
    static let sameShootTwice = "Two of the files contain the same shoot. Give each shoot once."

    static func shootNotInFiles(_ shoot: Int) -> String { "None of the files contains shoot \(shoot)." }

    static func exportNotUsed(_ path: String, _ reason: String) -> String {
        "\(path) cannot be used: \(reason). Give a file of bracketctl history export ID."
    }

    static let notAFileOrTooLarge = "it is not a file, or too large"
    static let notJSON = "it is not JSON"
    static let notComplete = "it is not a complete export"
}
