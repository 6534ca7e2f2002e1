import Cameras
import Exposure
import Statecharts

// Pictures: what is connected to PictureIntake.

extension Core {
    mutating func handle(_ action: PictureAction, of id: PictureID, in turn: inout Turn) {
        let context = PictureIntake.Context(
            shoot: shooting.shoot,
            cameraID: connection.machine.behavior.identity?.id,
            subscriptions: subscriptions
        )
        pictures.handle(action, of: id, context, in: &turn)
    }

    mutating func handle(_ outcome: PictureOutcome, of id: PictureID, in turn: inout Turn) {
        guard let input = pictures.handle(outcome, of: id, for: subscriptions, in: &turn) else { return }
        deliver(input, in: &turn)
    }

    /// The shooting chart has received news of a picture.
    mutating func noteVerdict(_ news: PictureNews, in turn: inout Turn) {
        guard case .judged(let verdict) = news.content else { return }
        if news.shoot == shooting.shoot?.id {
            writeManifest(in: &turn)
        } else {
            amend(news, verdict, in: &turn)
        }
    }

    /// A verdict about a frame of a shoot that is no longer the present one.
    private mutating func amend(_ news: PictureNews, _ verdict: Verdict, in turn: inout Turn) {
        let word: FrameState? =
            switch verdict {
            case .none: nil
            case .verified: .verified
            case .suspect: .suspect
            }
        let doubt: String? = if case .suspect(let doubt) = verdict { doubt.sentence } else { nil }
        records.notes.amend(
            FrameKey(shoot: news.shoot, index: news.frame),
            word,
            doubt: doubt,
            files: pictures.recent.files(of: news.shoot, news.frame).map(\.path)
        )
        pictures.amendManifest(news, verdict, in: &turn)
    }

    /// The shoot's manifest, where it has a file or is over, and is not written yet as it is.
    mutating func writeManifest(in turn: inout Turn) {
        guard let shoot = shooting.shoot else { return }
        let camera = connection.machine.behavior.name
        pictures.writeManifest(of: shoot, isOver: !shooting.chart.isActive(.active), camera: camera, in: &turn)
    }

    // MARK: The chart

    mutating func deliver(_ input: Transfer.Input, in turn: inout Turn) {
        finish(pictures.chart.handle(input, at: turn.now), in: &turn)
    }

    mutating func finish(_ outcome: ChartRun<TransferModel>.Outcome, in turn: inout Turn) {
        turn.publish(outcome.steps)
        for effect in outcome.effects {
            switch effect {
            // Not answered: no chart waits for its ticket.
            case .keep(let request):
                turn.send(.command(.keepPictures(request), from: .unanswered))
                deliverMessages(in: &turn)
            case .checkRoom: turn.append(.checkRoom)
            case .report(let entry): turn.append(.journal(entry))
            }
        }
    }

    // MARK: Clients

    mutating func watchPhotos(_ id: RequestID, in turn: inout Turn) {
        guard subscriptions.hasRoom(for: .photos, id, in: &turn) else { return }
        subscriptions.add(id, to: .photos)
        for photo in photosReport.photos { turn.append(.reply(id, .photo(photo), continues: true)) }
    }

    var photosReport: PhotosReport {
        pictures.report(of: shooting.shoot, obstacle: transferSentence)
    }

    /// What keeps pictures from being stored; nil: nothing.
    var transferSentence: String? {
        guard let obstacle = pictures.obstacle else { return nil }
        let isFiring = shooting.chart.isActive(.active) && !shooting.chart.isActive(.paused)
        let rest =
            if shooting.chart.machine.behavior.camera?.savesToHostAlone == true {
                "the camera keeps no picture on its card\(isFiring ? ", and the shoot cannot go on" : "")."
            } else {
                "pictures stay on the camera's card\(isFiring ? "; frames go on" : "")."
            }
        return "\(obstacle): \(rest)"
    }
}
