import Cameras
import Controller
import Exposure
import NIOCore
import Varlink

extension Reply {
    /// The reply in the form of `io.bracketd`.
    package var parameters: JSONValue { typed.json }

    private var typed: any VarlinkStructure {
        switch self {
        case .status(let report): Bracketd.GetStatus.Reply(status: Bracketd.Status(report))
        case .plan(let report): Bracketd.Plan.Reply(plan: Bracketd.PlanDescription(report))
        case .progress(let progress): Bracketd.Shoot.Reply(progress: Bracketd.Progress(progress))
        case .transition(let report): Bracketd.Watch.Reply(transition: Bracketd.Transition(report))
        case .camera(let report): Bracketd.GetCamera.Reply(camera: Bracketd.CameraDescription(report))
        case .property(let state): Bracketd.SetProperty.Reply(property: Bracketd.Property(state))
        case .files(.listed(let files)): Bracketd.GetFiles.Reply(files: files.map(Bracketd.CardFile.init))
        case .files(.sent(let count)): Bracketd.FetchFiles.Reply(count: count)
        case .liveView(let report): Bracketd.Snapshot.Reply(picture: Bracketd.LiveViewPicture(report))
        case .photos(let report): Bracketd.GetPhotos.Reply(photos: Bracketd.Photos(report))
        case .photo(let report): Bracketd.WatchPhotos.Reply(photo: Bracketd.Photo(report))
        case .preflight(let report): Bracketd.Preflight.Reply(report: Bracketd.PreflightReport(report))
        case .ledger(.shoots(let shoots)): Bracketd.GetHistory.Reply(shoots: shoots.map(Bracketd.ShootSummary.init))
        case .ledger(.shoot(let shoot, let frames)):
            Bracketd.GetShoot.Reply(shoot: Bracketd.ShootRecord(shoot, frames))
        // The core reports these cases as errors, so this reply is never sent.
        case .ledger(.noShoot), .ledger(.failed): Bracketd.Dismiss.Reply()
        case .checks(let checks): Bracketd.Inspect.Reply(checks: checks.map(Bracketd.Check.init))
        case .cameras(let cameras): Bracketd.GetCameras.Reply(cameras: cameras.map(Bracketd.CameraEntry.init))
        case .done: Bracketd.Dismiss.Reply()
        case .disconnected(let settings): Bracketd.Disconnect.Reply(settings: settings)
        }
    }
}

extension Bracketd.CardFile {
    fileprivate init(_ file: CameraFile) {
        self.init(uri: file.uri, name: file.name, kinds: file.kinds.map(\.rawValue), time: file.time)
    }
}

extension Bracketd.LiveViewPicture {
    fileprivate init(_ report: LiveViewReport) {
        self.init(
            jpeg: Base64.text(report.frame.jpeg.readableBytesView),
            width: report.frame.width,
            height: report.frame.height,
            exposure: report.frame.exposure.rawValue,
            speed: report.speed
        )
    }
}

extension Bracketd.Status {
    fileprivate init(_ report: StatusReport) {
        self.init(
            sentence: report.sentence,
            charts: report.charts.map {
                Bracketd.ChartState(name: $0.name, state: $0.state, configuration: $0.configuration, digest: $0.digest)
            },
            camera: report.camera,
            shoot: report.shoot.map(Bracketd.Progress.init),
            armed: report.armed,
            nextSearchMilliseconds: report.nextSearch.map { Int($0.milliseconds) },
            version: Version.current
        )
    }
}

extension Bracketd.PlanDescription {
    fileprivate init(_ report: PlanReport) {
        self.init(
            rangeEV: report.rangeEV,
            sets: report.sets,
            totalExposures: report.totalExposures,
            notes: report.notes,
            warnings: report.warnings,
            estimateMilliseconds: report.estimateMilliseconds,
            estimateBasis: report.estimateBasis,
            checkedAgainst: report.checkedAgainst,
            timing: report.timing.map(Bracketd.Timing.init),
            hash: report.hash,
            input: Bracketd.PlanInput(report.input),
            exposures: report.exposures.map(Bracketd.PlannedExposure.init),
            substitutes: report.substitutes?.map(Bracketd.Substitute.init),
            comparison: report.comparison.map { comparison in
                comparison.rows.map { Bracketd.PlanChoice($0, isAsked: comparison.isAsked($0)) }
            }
        )
    }
}

extension Bracketd.PlannedExposure {
    fileprivate init(_ frame: PlannedFrame) {
        self.init(set: frame.position.set, frame: frame.position.frame, speed: frame.speed.label)
    }
}

extension Bracketd.Substitute {
    fileprivate init(_ substitute: Exposure.Substitute) {
        self.init(planned: substitute.planned.label, used: substitute.used.label, errorEV: substitute.errorEV)
    }
}

extension Bracketd.PlanChoice {
    fileprivate init(_ row: Comparison.Row, isAsked: Bool) {
        self.init(
            framesPerSet: row.framesPerSet,
            spacing: row.spacing.ev,
            totalSets: row.sets,
            totalExposures: row.exposures,
            estimateMilliseconds: Int(row.time.milliseconds),
            fastest: row.fastest.label,
            slowest: row.slowest.label,
            coveredEV: row.coveredEV,
            isAsked: isAsked
        )
    }
}

extension Bracketd.PlanInput {
    /// The plan input in the form in which a client sends it.
    package init(_ input: Controller.PlanInput) {
        self.init(
            shadow: input.shadow,
            highlight: input.highlight,
            frames: input.frames,
            spacing: input.spacing,
            biasThirds: input.biasThirds,
            shareOnce: input.shareOnce,
            strict: input.strict,
            hash: input.hash,
            goal: input.goal.map { goal in
                Bracketd.BracketGoal(
                    framesMax: goal.framesMax,
                    clipPercent: goal.clipPercent,
                    floorCode: goal.floorCode,
                    checkLight: goal.checksLight
                )
            }
        )
    }
}

extension Bracketd.PreflightReport {
    fileprivate init(_ report: Controller.PreflightReport) {
        self.init(
            isReady: report.failing.isEmpty,
            sentence: report.sentence,
            checks: report.checks.map(Bracketd.Check.init),
            drops: report.drops.map {
                Bracketd.UnfinishedShoot(shoot: $0.id, missing: $0.missing, total: $0.total)
            }
        )
    }
}

extension Bracketd.Timing {
    fileprivate init(_ report: TimingReport) {
        self.init(
            set: report.set.map(Bracketd.TimingFigure.init),
            confirm: report.confirm.map(Bracketd.TimingFigure.init),
            release: report.release.map(Bracketd.TimingFigure.init),
            frame: report.frame.map(Bracketd.TimingFigure.init)
        )
    }
}

extension Bracketd.TimingFigure {
    fileprivate init(_ figure: TimingReport.Figure) {
        self.init(
            medianMilliseconds: figure.medianMilliseconds,
            p95Milliseconds: figure.p95Milliseconds,
            count: figure.count
        )
    }
}

extension Bracketd.Progress {
    fileprivate init(_ progress: Controller.Progress) {
        self.init(
            shoot: progress.shoot,
            captured: progress.captured,
            total: progress.total,
            set: progress.set,
            frame: progress.frame,
            speed: progress.speed,
            phase: progress.phase,
            sentence: progress.sentence,
            outcome: progress.outcome?.rawValue,
            cause: progress.cause,
            remainingMilliseconds: progress.remaining.map { Int($0.milliseconds) },
            exposureLeftMilliseconds: progress.exposureLeft.map { Int($0.milliseconds) },
            settings: progress.settings,
            shots: progress.range?.shots,
            kept: progress.range?.kept,
            warnings: progress.range?.warnings.map(\.code),
            warningSentences: progress.range?.warnings.map(\.sentence)
        )
    }
}

extension Bracketd.Transition {
    fileprivate init(_ report: TransitionReport) {
        self.init(
            at: Int(report.at),
            chart: report.chart,
            event: report.event,
            from: report.from,
            to: report.to,
            shoot: report.shoot,
            set: report.set,
            frame: report.frame,
            speed: report.speed,
            message: report.message
        )
    }
}

extension Bracketd.CameraDescription {
    /// The name for users: maker and model.
    package var name: String { CameraIdentity.name(maker: maker, model: model) }

    fileprivate init(_ report: CameraReport) {
        let (identity, status) = (report.identity, report.status)
        self.init(
            id: identity.id,
            maker: identity.maker,
            model: identity.model,
            firmware: identity.firmware,
            address: report.address.description,
            mode: status.modeLabel,
            speed: status.speed?.description,
            speeds: status.speeds.map(\.label),
            batteryPercent: status.batteryPercent,
            shotsLeft: status.shotsLeft,
            noiseReduction: status.noiseReduction.name,
            focusMode: status.focusMode,
            iso: status.iso,
            aperture: status.aperture,
            saveTarget: status.saveTarget,
            properties: report.properties.map(Bracketd.Property.init),
            timing: report.timing.map(Bracketd.Timing.init)
        )
    }
}

extension Bracketd.CameraEntry {
    fileprivate init(_ entry: Controller.CameraEntry) {
        self.init(
            state: entry.state.rawValue,
            name: entry.name,
            id: entry.id,
            address: entry.address,
            network: entry.network,
            isLast: entry.isLast,
            remark: entry.remark,
            waitsFor: entry.waitsFor?.code
        )
    }
}

extension Bracketd.Property {
    fileprivate init(_ state: PropertyState) {
        self.init(
            name: state.property.rawValue,
            value: state.value,
            choices: state.choices,
            isWritable: state.isWritable
        )
    }
}

extension Bracketd.Photos {
    fileprivate init(_ report: PhotosReport) {
        self.init(
            policy: report.policy,
            sentence: report.sentence,
            list: report.photos.map(Bracketd.Photo.init),
            directory: report.directory,
            coverage: report.coverage.map(Bracketd.Coverage.init)
        )
    }
}

extension Bracketd.Photo {
    fileprivate init(_ report: PhotoReport) {
        self.init(
            id: report.id,
            state: report.state.rawValue,
            name: report.name,
            path: report.path,
            byteCount: report.byteCount.map { Int(clamping: $0) },
            shoot: report.shoot,
            set: report.set,
            frame: report.frame,
            speed: report.speed,
            reason: report.reason
        )
    }
}

extension Bracketd.Check {
    init(_ check: Controller.Check) {
        self.init(name: check.name, result: check.result.rawValue, sentence: check.sentence, advice: check.advice)
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
