import Cameras

/// What a person sets on a simulated body before a test: nil leaves the model's own.
package struct SonyBodyOptions: Sendable {
    /// Where the mode dial stands.
    package var mode = DialMode.manual
    /// The speeds that can be set, in the body's order (slow to fast).
    package var speeds: [SonyShutterSpeed]?
    /// −1 (unknown) to 100.
    package var batteryPercent: Int?
    /// How many pictures the card still holds.
    package var shotsLeft: Int?
    package var saveTime: Duration?
    package var readbackDelay: Duration?
    package var slotHold: Duration?
    package var saveTarget: SonySaveTarget?
    /// Which files a picture becomes.
    package var fileFormat: SonyFileFormat?
    /// Long-exposure noise reduction: a dark frame as long as the exposure, from 1 s on.
    package var noiseReduction = false
    /// How large each file is, in bytes; nil: as small as the scene needs, or as the model makes it.
    package var pictureSize: Int?
    /// Whether files are as large as those of a real body of the model.
    package var filesHaveRealSize = false
    /// Where jumps of several notches end; of bodies that step only.
    package var stepAccuracy: SonyStepping.Accuracy?
    /// How long a move by notches takes.
    package var stepTime: Duration?
    package var faults: [Fault] = []

    package init() {}
}
