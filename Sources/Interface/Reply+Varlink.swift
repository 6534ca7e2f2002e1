import Cameras
import Controller
import Exposure
import Varlink

extension Reply {
    /// The parameters of the reply, as `io.bracketd` has them.
    package var parameters: JSONValue {
        switch self {
        case .status(let report): ["status": report.value]
        case .plan(let report): ["plan": report.value]
        case .progress(let progress): ["progress": progress.value]
        case .transition(let report): ["transition": report.value]
        case .camera(let report): ["camera": report.value]
        case .property(let state): ["property": state.object]
        case .photos(let report): ["photos": report.value]
        case .photo(let report): ["photo": report.value]
        case .preflight(let report): ["report": report.value]
        case .ledger(let answer): answer.parameters
        case .checks(let checks): ["checks": .array(checks.map(\.value))]
        case .cameras(let cameras): ["cameras": .array(cameras.map(\.value))]
        case .done: .emptyObject
        case .disconnected(let settings): .object(leavingOutNil: ["settings": settings.map { .string($0) }])
        }
    }
}

extension StatusReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "sentence": .string(sentence),
            "charts": .array(
                charts.map {
                    [
                        "name": .string($0.name), "state": .string($0.state),
                        "configuration": .strings($0.configuration), "digest": .string($0.digest),
                    ]
                }
            ),
            "camera": camera.map { .string($0) },
            "shoot": shoot?.value,
            "armed": armed.map { .string($0) },
            "version": .string(Version.current),
        ])
    }
}

extension PlanReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "rangeEV": .double(rangeEV),
            "sets": .array(sets.map { .strings($0) }),
            "totalExposures": .int(totalExposures),
            "notes": .strings(notes),
            "warnings": .strings(warnings),
            "estimateMilliseconds": .int(estimateMilliseconds),
            "estimateBasis": .string(estimateBasis),
            "checkedAgainst": checkedAgainst.map { .string($0) },
            "timing": timing?.value,
            "hash": hash.map { .string($0) },
            "input": input.value,
            "exposures": .array(exposures.map(\.value)),
            "substitutes": substitutes.map { .array($0.map(\.value)) },
            "comparison": comparison.map { comparison in
                .array(comparison.rows.map { $0.value(isAsked: comparison.isAsked($0)) })
            },
        ])
    }
}

extension PlannedFrame {
    fileprivate var value: JSONValue {
        ["set": .int(position.set), "frame": .int(position.frame), "speed": .string(speed.label)]
    }
}

extension Substitute {
    fileprivate var value: JSONValue {
        ["planned": .string(planned.label), "used": .string(used.label), "errorEV": .double(errorEV)]
    }
}

extension Comparison.Row {
    fileprivate func value(isAsked: Bool) -> JSONValue {
        [
            "framesPerSet": .int(framesPerSet),
            "spacing": .double(spacing.ev),
            "totalSets": .int(sets),
            "totalExposures": .int(exposures),
            "estimateMilliseconds": .int(Int(time.milliseconds)),
            "fastest": .string(fastest.label),
            "slowest": .string(slowest.label),
            "coveredEV": .double(coveredEV),
            "isAsked": .bool(isAsked),
        ]
    }
}

extension PlanInput {
    /// As a client says it.
    package var value: JSONValue {
        .object(leavingOutNil: [
            "shadow": shadow.map { .string($0) },
            "highlight": highlight.map { .string($0) },
            "frames": frames.map { .int($0) },
            "spacing": spacing.map { .double($0) },
            "biasThirds": biasThirds.map { .int($0) },
            "shareOnce": shareOnce.map { .bool($0) },
            "strict": strict.map { .bool($0) },
            "hash": hash.map { .string($0) },
        ])
    }
}

extension PreflightReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "isReady": .bool(failing.isEmpty),
            "sentence": .string(sentence),
            "checks": .array(checks.map(\.value)),
            "drops": drops?.value,
        ])
    }
}

extension UnfinishedShoot {
    var value: JSONValue { ["shoot": .int(id), "missing": .int(missing), "total": .int(total)] }
}

extension TimingReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "set": set?.value, "confirm": confirm?.value, "release": release?.value, "frame": frame?.value,
        ])
    }
}

extension TimingReport.Figure {
    fileprivate var value: JSONValue {
        [
            "medianMilliseconds": .int(medianMilliseconds), "p95Milliseconds": .int(p95Milliseconds),
            "count": .int(count),
        ]
    }
}

extension Progress {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "shoot": .int(shoot),
            "captured": .int(captured),
            "total": .int(total),
            "set": set.map { .int($0) },
            "frame": frame.map { .int($0) },
            "speed": speed.map { .string($0) },
            "phase": .string(phase),
            "sentence": .string(sentence),
            "outcome": outcome.map { .string($0.rawValue) },
            "cause": cause.map { .string($0) },
            "remainingMilliseconds": remaining.map { .int($0.milliseconds) },
            "exposureLeftMilliseconds": exposureLeft.map { .int($0.milliseconds) },
            "settings": settings.map { .string($0) },
        ])
    }
}

extension TransitionReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "at": .int(at),
            "chart": .string(chart),
            "event": .string(event),
            "from": .strings(from),
            "to": .strings(to),
            "shoot": shoot.map { .int($0) },
            "set": set.map { .int($0) },
            "frame": frame.map { .int($0) },
            "speed": speed.map { .string($0) },
            "message": .string(message),
        ])
    }
}

extension CameraReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "id": .string(identity.id),
            "maker": .string(identity.maker),
            "model": .string(identity.model),
            "firmware": .string(identity.firmware),
            "address": .string(address.description),
            "mode": .string(status.mode.description),
            "speed": status.speed.map { .string($0.description) },
            "speeds": .strings(status.speeds.map(\.label)),
            "batteryPercent": status.batteryPercent.map { .int($0) },
            "shotsLeft": status.shotsLeft.map { .int($0) },
            "noiseReduction": .string(status.noiseReduction.name),
            "focusMode": status.focusMode.map { .string($0) },
            "iso": status.iso.map { .string($0) },
            "aperture": status.aperture.map { .string($0) },
            "saveTarget": status.saveTarget.map { .string($0) },
            "properties": .array(properties.map(\.object)),
            "timing": timing?.value,
        ])
    }
}

extension CameraEntry {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "state": .string(state.rawValue),
            "name": .string(name),
            "id": id.map { .string($0) },
            "address": address.map { .string($0) },
            "network": network.map { .string($0) },
            "isLast": .bool(isLast),
            "remark": remark.map { .string($0) },
        ])
    }
}

extension PropertyState {
    fileprivate var object: JSONValue {
        .object(leavingOutNil: [
            "name": .string(property.rawValue),
            "value": value.map { .string($0) },
            "choices": .strings(choices),
            "isWritable": .bool(isWritable),
        ])
    }
}

extension PhotosReport {
    fileprivate var value: JSONValue {
        ["policy": .string(policy), "sentence": .string(sentence), "list": .array(photos.map(\.value))]
    }
}

extension PhotoReport {
    fileprivate var value: JSONValue {
        .object(leavingOutNil: [
            "id": .int(id),
            "state": .string(state.rawValue),
            "name": .string(name),
            "path": path.map { .string($0) },
            "byteCount": byteCount.map { .int(Int64(clamping: $0)) },
            "shoot": shoot.map { .int($0) },
            "set": set.map { .int($0) },
            "frame": frame.map { .int($0) },
            "speed": speed.map { .string($0) },
            "reason": reason.map { .string($0) },
        ])
    }
}

extension NoiseReduction {
    fileprivate var name: String {
        switch self {
        case .off: "off"
        case .on: "on"
        case .unknown: "unknown"
        }
    }
}
