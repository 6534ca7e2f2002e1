import Cameras
import Exposure
import Testing

@testable import Controller

/// Files that the camera kept in its buffer during a restart of the daemon, and the frames to which they may belong.
@Suite struct LeftoverPictureTests {
    private func info(_ name: String, _ time: Int) -> PictureInfo {
        let date = "20260101T1200" + (time < 10 ? "0\(time)" : "\(time)")
        return PictureInfo(name: name, kind: .other, byteCount: nil, captureDate: date, capture: nil, wasLeft: true)
    }

    /// A shoot whose frames 0 and 1 have a file each, with the capture times 10 s and 20 s.
    private func twoFrames() -> RecentPictures {
        var book = RecentPictures()
        for index in 0...1 {
            let shot = Verification.Shot(ticket: Ticket(rawValue: 1), shoot: 1, speed: .fastest, firedAt: .zero)
            let place = FramePosition(set: 1, frame: index + 1)
            let frame = RecentPictures.FiredFrame(shot: shot, index: index, position: place, nextSet: nil)
            let file = Manifest.File(path: "shoot-1/set-1/DSC\(index).JPG", byteCount: 1, metadata: nil)
            book.keep(file, info("DSC\(index).JPG", 10 + 10 * index), of: frame)
        }
        return book
    }

    @Test(arguments: [
        ("DSC1.ARW", 20, true), ("DSC2.JPG", 30, false), ("DSC1.ARW", 21, false), ("DSC1.JPG", 20, false),
    ])
    func `a frame with a file gets the other file of the same shot, and no later picture that was taken by hand`(
        name: String,
        time: Int,
        isTaken: Bool
    ) {
        #expect(twoFrames().isNewest(info(name, time), of: 1, 1) == isTaken)
    }

    @Test(arguments: [(30, true), (20, false), (5, false)])
    func `a frame without a file gets a picture that is newer than all others`(time: Int, isTaken: Bool) {
        #expect(twoFrames().isNewest(info("DSC2.JPG", time), of: 1, 2) == isTaken)
    }

    @Test func `the number of files of a picture may be known only after its first file`() {
        var files = FrameFiles(kinds: nil)
        files.note(
            PictureUpdate(
                picture: PictureID(rawValue: 1),
                shoot: 1,
                frame: 0,
                shot: Ticket(rawValue: 1),
                name: "DSC1.JPG",
                kind: .jpeg,
                content: .checked(.verified)
            )
        )
        #expect(files.state == .stored)
        files.kinds = [.jpeg, .raw]
        #expect(files.state == .missing("The camera did not transfer the RAW file."))
    }
}
