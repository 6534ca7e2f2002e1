import Exposure

/// The camera in front of a scene.
package struct SceneCamera: Hashable, Sendable {
    package enum Times: String, Hashable, Sendable {
        /// Powers of two in thirds of a stop.
        case ideal
        /// The numbers on the labels.
        case nominal
    }

    /// What the live view shows.
    package enum LiveView: String, Hashable, Sendable {
        /// The exposure that the settings give.
        case exposure
        /// A middle brightness, whatever the settings are.
        case gain
        /// The exposure within 3 EV of that brightness; the limit beyond.
        case limited
        /// The exposure of three frames before.
        case lag
    }

    package var fNumber = 8.0
    package var iso = 100.0
    package var curve = SceneCurve.camera
    /// The share of all light that glare adds to every cell.
    package var veil = 0.0
    package var times = Times.ideal
    /// The fastest and the slowest speed.
    package var limits = ShutterSpeed.fastest...ShutterSpeed.slowest
    package var liveView = LiveView.exposure
    /// Whether pictures have the noise of a full-frame sensor.
    package var hasNoise = false

    package init() {}

    /// The speeds within the limits, fastest first.
    package var speeds: [ShutterSpeed] { ShutterSpeed.all.filter(limits.contains) }

    /// The EV of aperture and ISO at one second.
    package var settingsEV: Double { 2 * Logarithm.base2(fNumber) - Logarithm.base2(iso / 100) }

    /// The EV of a body's aperture and ISO at one second. A lens without an f-number has the scene's.
    func settingsEV(of settings: FrameSettings) -> Double {
        let fNumber = settings.aperture.map { Double($0) / 100 } ?? fNumber
        return 2 * Logarithm.base2(fNumber) - Logarithm.base2(Double(max(settings.iso, 1)) / 100)
    }

    /// The time that the shutter is open, in seconds.
    package func seconds(_ speed: ShutterSpeed) -> Double {
        switch times {
        case .ideal: Logarithm.power(Double(speed.index - ShutterSpeed.oneSecond.index) / 3)
        case .nominal: speed.nominalSeconds
        }
    }

    /// The place on the scale of speeds that renders a light at a distance from mid-grey. Both are in EV.
    package func index(rendering light: Double, at distance: Double = 0) -> Double {
        Double(ShutterSpeed.oneSecond.index) + 3 * (distance + settingsEV - light)
    }
}
