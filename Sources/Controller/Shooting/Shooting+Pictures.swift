import Cameras
import Exposure
import Statecharts

// Pictures of frames.

// Only the functions that the chart names; a test compares both lists.
extension ShootingModel {
    package mutating func notePicture(_ news: PictureUpdate, _ effects: inout [ShootingEffect]) {
        guard let shoot, news.shoot == shoot.id else { return }
        pictures.note(news, frames: shoot.outcomes.indices, kinds: camera?.fileKinds)
        guard case .judged(let verdict) = news.content else { return }
        self.shoot?.verify(news.frame, verdict, shot: news.shot)
        // A late picture of an earlier frame, or of one that counts as lost.
        if news.frame != shoot.current || shoot.attempt?.isLost == true { settle(news.frame) }
    }

    package mutating func settlePicture(_ news: PictureUpdate, _ effects: inout [ShootingEffect]) {
        if let shoot, news.shoot == shoot.id { settle(news.frame) }
    }

    package mutating func recordStored(_ effects: inout [ShootingEffect]) {
        shoot?.note(.captured)
        record(isDurable: false, &effects)
    }

    package mutating func recordLost(_ effects: inout [ShootingEffect]) {
        guard case .missing(let reason) = filesState else { preconditionFailure("the chart asks isPictureLost first") }
        lose(reason, &effects)
    }

    package mutating func recordLate(_ effects: inout [ShootingEffect]) {
        lose("The disk did not store the picture in time.", &effects)
    }

    package mutating func continueWithoutVerdict(_ effects: inout [ShootingEffect]) {
        let late = pictures.count == 1 ? "A picture of the set was" : "\(pictures.count) pictures of the set were"
        effects.append(entry(.warning, .note, "\(late) not received in time. The shoot continues."))
        pictures.forgetExpected()
    }
}
