import Cameras

@testable import Controller

extension Examples {
    private static let settingsRow = SettingRow(
        cameraID: "1234567",
        cameraName: "Sony Corporation ILCE-7M4",
        property: "shutter-speed",
        original: "1/60"
    )

    /// What is reported of the settings that a shoot changes.
    static let settings: [String] = [
        SettingsSentences.putBackLater(settingsRow),
        SettingsSentences.isBeingPutBack(settingsRow),
        SettingsSentences.wasPutBack(settingsRow),
        SettingsSentences.allPutBack([
            (key: SettingKey(cameraID: "1234567", property: "iso"), value: "100"),
            (key: settingsRow.key, value: "1/60"),
        ]),
        SettingsSentences.notPutBack(settingsRow, nil),
        SettingsSentences.notPutBack(settingsRow, .busy),
        SettingsSentences.notPutBack(settingsRow, .failed(.speedNotWritable)),
        SettingsSentences.notPutBack(settingsRow, .silent),
        SettingsSentences.notReported(settingsRow),
        SettingsSentences.notPutBackByStop(settingsRow, mayBeChanged: false),
        SettingsSentences.notPutBackByStop(settingsRow, mayBeChanged: true),
        SettingsSentences.changedByUser(settingsRow, to: "1/30"),
        SettingsSentences.leftByUser(settingsRow, on: "1/30"),
        SettingsSentences.unreadable(.shutterSpeed),
        SettingsSentences.tooMany,
    ]
}
