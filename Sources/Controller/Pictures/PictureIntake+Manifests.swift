import Cameras
import Exposure

// The manifests of shoots.

extension PictureIntake {
    /// The manifest of the last shoot; nil: the shoot is running and has no file yet, or pictures are not transferred.
    func manifest(_ facts: Facts) -> Manifest? {
        guard let shoot = facts.shoot, policy != .none,
            recent.hasFiles(of: shoot.id) || facts.isOver && shoot.left == nil
        else { return nil }
        let frames = zip(shoot.plan.frames, shoot.outcomes).enumerated().map { index, frame in
            Manifest.Frame(frame.0, frame.1, files: recent.files(of: shoot.id, index))
        }
        return Manifest(
            shoot: shoot.id,
            folder: recent.folder(of: shoot),
            camera: facts.cameraName ?? recent.manifest(of: shoot.id)?.camera ?? shoot.camera.name,
            plan: PlanText.headline(shoot.plan),
            frames: frames,
            coverage: facts.isOver ? recent.coverage(of: shoot.id) : nil
        )
    }

    /// The manifest of an older shoot with a new result for one frame; nil: the manifest is no longer in memory.
    func amendedManifest(_ news: PictureUpdate, _ verdict: Verdict) -> Manifest? {
        guard var manifest = recent.manifest(of: news.shoot), manifest.frames.indices.contains(news.frame) else {
            return nil
        }
        manifest.frames[news.frame].files = recent.files(of: news.shoot, news.frame)
        switch verdict {
        case .none: break
        case .verified where manifest.frames[news.frame].doubt == nil: manifest.frames[news.frame].outcome = "verified"
        case .verified: break
        case .suspect(let doubt):
            manifest.frames[news.frame].outcome = "suspect"
            manifest.frames[news.frame].doubt = doubt.sentence
        }
        return manifest
    }
}

extension RecentPictures {
    /// The manifest of a shoot, as the host last wrote it.
    fileprivate func manifest(of shoot: Int) -> Manifest? { manifests.last { $0.shoot == shoot } }
}

extension Manifest.Frame {
    fileprivate init(_ frame: PlannedFrame, _ outcome: Shoot.FrameOutcome, files: [Manifest.File]) {
        let state: FrameState =
            switch outcome {
            case .preparing: .planned
            // In these states the shutter may have opened, and the camera has reported no picture.
            case .attempting, .exposing: .unknown
            default: outcome.word
            }
        self.init(
            set: frame.position.set,
            frame: frame.position.frame,
            speed: frame.speed.label,
            outcome: state.rawValue,
            doubt: outcome.doubt,
            files: files
        )
    }
}
