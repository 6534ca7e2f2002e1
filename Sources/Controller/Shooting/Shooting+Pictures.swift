import Cameras
import Exposure
import Statecharts

// Updates about the frames' pictures.

// This extension has only the functions that the chart names. A test compares it with the chart.
extension ShootingModel {
    package mutating func notePicture(_ news: PictureUpdate, _ effects: inout [ShootingEffect]) {
        guard let shoot, news.shoot == shoot.id else { return }
        pictures.note(news, frames: shoot.outcomes.indices, kinds: camera?.fileKinds)
        guard case .checked(let verdict) = news.content else { return }
        self.shoot?.verify(news.frame, verdict, shot: news.shot)
        // A late picture can belong to an earlier frame, or to a frame that counts as lost.
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
        lose(PictureSentences.storedTooLate, &effects)
    }

    package mutating func continueWithoutVerdict(_ effects: inout [ShootingEffect]) {
        effects.append(entry(.warning, .note, PictureSentences.receivedTooLate(pictures.count)))
        pictures.forgetExpected()
    }
}
