import Cameras
import Exposure

// The manifests of shoots.

extension PictureIntake {
    /// The shoot's manifest, if it has a file or the shoot is over, and its present state is not written yet.
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
            camera: facts.cameraName ?? recent.manifest(of: shoot.id)?.camera ?? "",
            plan: PlanText.headline(shoot.plan),
            frames: frames
        )
    }

    /// The manifest of an older shoot with a new result for one of its frames; nil: it is no longer known here.
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
    /// As it was written last.
    fileprivate func manifest(of shoot: Int) -> Manifest? { manifests.last { $0.shoot == shoot } }
}

extension Manifest.Frame {
    fileprivate init(_ frame: PlannedFrame, _ outcome: Shoot.FrameOutcome, files: [Manifest.File]) {
        let state: FrameState =
            switch outcome {
            case .preparing: .planned
            // The shutter was about to be released, and the camera reported no picture.
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
