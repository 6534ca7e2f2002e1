// The types that the shooting chart imports from the daemon's module `Cameras`, with the same size and reference
// counts. A benchmark cannot import the originals, which are `package`. Its module cannot have their name either, so
// the compiler gets an alias.

package struct ShutterSpeed: Hashable, Sendable {
    package var index: Int

    package init(index: Int) {
        self.index = index
    }
}

package enum SpeedReading: Hashable, Sendable {
    case speed(ShutterSpeed)
    case other(String)
}

package enum CaptureResolution: Hashable, Sendable {
    case fired
    case notFired
    case unknown
}

package enum CameraFailure: Hashable, Sendable {
    case speedChanged(found: SpeedReading)
    case speedNotOffered(ShutterSpeed)
    case refused(operation: String, code: UInt16, name: String)
    case other(String)
}

package enum ExposureMode: Hashable, Sendable {
    case manual
    case other(String)
}

package struct CameraStatus: Hashable, Sendable {
    package var mode = ExposureMode.manual
    package var speeds: [ShutterSpeed] = []
    package var speed: SpeedReading?
    package var speedIsWritable = true
    package var batteryPercent: Int?
    package var shotsLeft: Int?
    package var focusMode: String?
    package var isManualFocus: Bool?
    package var iso: String?
    package var isISOAuto: Bool?
    package var aperture: String?
    package var saveTarget: String?

    package init() {}
}
