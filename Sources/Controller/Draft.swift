import Cameras
import Exposure

/// A plan as a client asked for it, held against the camera's own speeds.
struct Draft {
    let plan: Plan
    let report: PlanReport

    /// A connected camera, as far as a plan needs it.
    struct Camera {
        var name: String
        var status: CameraStatus
        /// Whether the pictures that it hands over are stored here.
        var keepsPictures = false
    }

    /// Below this a battery is worth a warning.
    static let batteryPercentLow = 15

    /// Parses, plans, checks. Without a camera the plan stands as it is and says so.
    static func make(_ input: PlanInput, for camera: Camera?) -> Result<Draft, RequestError> {
        do throws(RequestError) {
            return .success(try Draft(try PlanRequest(input), strict: input.strict ?? false, for: camera))
        } catch {
            return .failure(error)
        }
    }

    private init(_ request: PlanRequest, strict: Bool, for camera: Camera?) throws(RequestError) {
        let wanted = Plan(request)
        let checked = camera.map { wanted.validated(against: $0.status.speeds) }
        let changes = checked?.notes.map(\.sentence) ?? []
        if strict, let checked, !checked.isExact {
            throw .planNotExact(
                warnings: changes,
                sentence: "The camera would change the plan, and it is strict: \(changes.joined(separator: "; "))"
            )
        }
        plan = checked?.plan ?? wanted
        let mayReduceNoise = camera?.status.noiseReduction == .on || camera?.status.noiseReduction == .unknown
        let estimate = Estimate(
            plan,
            noiseReduction: mayReduceNoise ? .possible : .off,
            stepping: camera?.status.stepping
        )
        report = PlanReport(
            rangeEV: plan.rangeEV,
            sets: plan.sets.map { $0.map(\.label) },
            totalExposures: plan.totalExposures,
            notes: wanted.notes.map(\.sentence),
            warnings: changes + (camera.map { Draft.warnings($0, frames: wanted.totalExposures) } ?? []),
            estimateMilliseconds: Int(estimate.shortest.milliseconds),
            estimateBasis: estimate.darkFrames > .zero
                ? "\(estimate.basis); up to \(TimeText.text(estimate.longest)) with long-exposure noise reduction"
                : estimate.basis,
            checkedAgainst: camera?.name
        )
    }

    /// What a photographer should know before walking away.
    private static func warnings(_ camera: Camera, frames: Int) -> [String] {
        let status = camera.status
        var warnings: [String] = []
        // Only a warning: an RX100 VII on phone WiFi shows this and stores on its card all the same.
        if status.savesToHostAlone, !camera.keepsPictures {
            warnings.append(
                "The camera says that it saves to this computer alone, and pictures are not kept here: "
                    + "set its save target to card or both, or [transfer] policy to jpeg."
            )
        }
        if let mode = ConnectionModel.modeWarning(status) { warnings.append(mode) }
        if status.isISOAuto == true {
            warnings.append("ISO is on auto: the camera may answer a new speed with another ISO. Set a fixed one.")
        }
        if status.isManualFocus == false {
            warnings.append("Focus is not on manual: each frame is focused again and may fail. Set MF.")
        }
        if let battery = status.batteryPercent, battery < batteryPercentLow {
            warnings.append("The battery is at \(battery) %.")
        }
        if let shots = status.shotsLeft, shots < frames {
            warnings.append("The card has room for \(shots) shots, and \(frames) are planned.")
        }
        return warnings
    }
}

extension CameraStatus {
    /// The way from speed to speed, as far as it costs time.
    fileprivate var stepping: Estimate.Stepping? {
        guard case .stepwise(let perNotch) = speedSetting else { return nil }
        guard case .speed(let speed) = speed else { return Estimate.Stepping(perNotch: perNotch, from: nil) }
        return Estimate.Stepping(perNotch: perNotch, from: speed)
    }
}

extension PlanRequest {
    /// The request as a client wrote it.
    fileprivate init(_ input: PlanInput) throws(RequestError) {
        let shadow = try Self.speed(input.shadow, "shadow") ?? Self.defaultShadow
        let highlight = try Self.speed(input.highlight, "highlight") ?? Self.defaultHighlight
        var spacing = Spacing.one
        if let ev = input.spacing {
            guard let known = Spacing(ev: ev) else {
                throw .invalidPlan(
                    parameter: "spacing",
                    value: "\(ev)",
                    sentence: "spacing \(ev): frames can stand 1, 1.5 or 2 EV apart."
                )
            }
            spacing = known
        }
        do {
            try self.init(
                shadow: shadow,
                highlight: highlight,
                framesPerSet: input.frames ?? Self.defaultFramesPerSet,
                spacing: spacing,
                sharing: input.shareOnce == true ? .once : .twice,
                biasThirds: input.biasThirds ?? 0
            )
        } catch {
            throw RequestError.invalidPlan(parameter: error.parameter, value: error.value, sentence: error.sentence)
        }
    }

    private static func speed(_ text: String?, _ parameter: String) throws(RequestError) -> ShutterSpeed? {
        guard let text else { return nil }
        do {
            return try ShutterSpeed(parsing: text)
        } catch {
            throw .invalidPlan(parameter: parameter, value: text, sentence: "\(parameter): \(error.sentence)")
        }
    }
}

extension PlanError {
    /// The parameter of the interface that the error is about.
    fileprivate var parameter: String {
        switch self {
        case .framesPerSet: "frames"
        case .spacing: "spacing"
        case .biasThirds, .bias: "biasThirds"
        }
    }

    fileprivate var value: String {
        switch self {
        case .framesPerSet(let frames): String(frames)
        case .biasThirds(let thirds): String(thirds)
        case .spacing(let text), .bias(let text): text
        }
    }
}
