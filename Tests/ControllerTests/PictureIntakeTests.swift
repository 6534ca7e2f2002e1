import Cameras
import Exposure
import NIOCore
import Testing

@testable import Controller

/// Tests the intake of pictures alone.
@Suite struct PictureIntakeTests {
    private static let id = PictureID(rawValue: 1)
    private static let ticket = Ticket(rawValue: 5)
    private static let info = PictureInfo(
        name: "DSC1.JPG",
        kind: .jpeg,
        byteCount: 9,
        captureDate: "",
        capture: ticket
    )

    private var intake = PictureIntake(.jpeg)
    private var facts = PictureIntake.Facts()

    init() throws {
        let request = try PlanRequest(
            shadow: ShutterSpeed(parsing: "1/60"),
            highlight: ShutterSpeed(parsing: "1/250"),
            framesPerSet: 3
        )
        var shoot = Shoot(id: 1, plan: Plan(request), camera: .unknown, began: .clock(.zero))
        shoot.takeNext()
        facts.shoot = shoot
        facts.isOver = false
    }

    private mutating func after(
        _ receive: (inout PictureIntake, PictureIntake.Facts, inout Turn) -> Void
    ) -> (messages: [TurnMessage], effects: [Effect]) {
        var turn = Turn(at: .zero)
        receive(&intake, facts, &turn)
        return (turn.takeMessages(), turn.effects.list)
    }

    private mutating func fire() {
        let speed = facts.shoot?.frame?.speed ?? .fastest
        _ = after { $0.receive(.commandGiven(.capture(speed), Self.ticket, from: .shooting), $1, in: &$2) }
    }

    private static func news(_ effects: [Effect]) -> [PictureUpdate] {
        effects.compactMap { if case .enqueue(.picture(let news)) = $0 { news } else { nil } }
    }

    private static func photos(_ messages: [TurnMessage]) -> [PhotoReport.State] {
        messages.compactMap { if case .publish(.photo(let photo), .photos) = $0 { photo.state } else { nil } }
    }

    @Test mutating func `a picture belongs to the frame of its command`() {
        fire()
        let begun = after { $0.receive(.pictureAction(.begin(Self.info, offset: 0), of: Self.id), $1, in: &$2) }
        #expect(Self.news(begun.effects).map(\.frame) == [0])
        #expect(Self.photos(begun.messages) == [.receiving])
        let ended = after { $0.receive(.pictureAction(.end, of: Self.id), $1, in: &$2) }
        #expect(ended.effects == [.picture(Self.id, .finish)])
    }

    @Test mutating func `a picture that another part requested belongs to no frame`() {
        _ = after { $0.receive(.commandGiven(.capture(.fastest), Self.ticket, from: .settings), $1, in: &$2) }
        let begun = after { $0.receive(.pictureAction(.begin(Self.info, offset: 0), of: Self.id), $1, in: &$2) }
        #expect(Self.news(begun.effects).isEmpty)
    }

    @Test mutating func `a picture whose transfer fails several times has one row, with the last reason`() {
        fire()
        for number in 1...3 as ClosedRange<UInt32> {
            let id = PictureID(rawValue: number)
            _ = after { $0.receive(.pictureAction(.begin(Self.info, offset: 0), of: id), $1, in: &$2) }
            _ = after { $0.receive(.pictureAction(.abandoned, of: id), $1, in: &$2) }
            #expect(intake.recent.photos.map(\.state) == [.failed])
        }
        let skip = PictureSkip.failed(attempts: 3)
        _ = after { $0.receive(.pictureAction(.skipped(Self.info, skip), of: PictureID(rawValue: 4)), $1, in: &$2) }
        #expect(intake.recent.photos.map(\.state) == [.skipped])
        #expect(intake.recent.photos.first?.reason == skip.sentence(of: .jpeg))
        // The same name in no frame is another picture.
        var other = Self.info
        other.capture = nil
        let left = PictureID(rawValue: 5)
        _ = after { $0.receive(.pictureAction(.begin(other, offset: 0), of: left), $1, in: &$2) }
        #expect(intake.recent.photos.map(\.id) == [1, 2])
    }

    @Test mutating func `without a transfer of shoots the report still counts pictures that a client requested`() {
        intake = PictureIntake(.none)
        #expect(intake.report(of: facts).sentence == PictureSentences.off)
        var other = Self.info
        other.capture = nil
        _ = after { $0.receive(.pictureAction(.begin(other, offset: 0), of: Self.id), $1, in: &$2) }
        #expect(intake.report(of: facts).sentence == "No pictures, 1 in transfer. \(PictureSentences.off)")
    }

    @Test mutating func `pictures that cannot be stored stay on the camera`() {
        let started = after { intake, _, turn in turn.perform(intake.chart.start(at: .zero)) }
        let take = PictureRequest(policy: .jpeg, hasRoom: true)
        #expect(started.messages == [.command(.keepPictures(take), from: .unanswered)])
        fire()
        _ = after { $0.receive(.pictureAction(.begin(Self.info, offset: 0), of: Self.id), $1, in: &$2) }
        let failed = after { $0.handle(.failed(sentence: "The disk is full", isFull: true), of: Self.id, $1, in: &$2) }
        let leave = PictureRequest(policy: .jpeg, hasRoom: false)
        #expect(failed.messages.contains(.command(.keepPictures(leave), from: .unanswered)))
        #expect(Self.photos(failed.messages) == [.failed])
    }

    @Test(arguments: [false, true])
    mutating func `a daemon that stops checks no disk after a picture that cannot be stored`(isStopping: Bool) {
        _ = after { intake, _, turn in turn.perform(intake.chart.start(at: .zero)) }
        fire()
        _ = after { $0.receive(.pictureAction(.begin(Self.info, offset: 0), of: Self.id), $1, in: &$2) }
        facts.isStopping = isStopping
        let failure = PictureOutcome.failed(sentence: "Input/output error", isFull: false)
        let failed = after { $0.handle(failure, of: Self.id, $1, in: &$2) }
        #expect(failed.effects.contains { if case .checkRoom = $0 { true } else { false } } != isStopping)
        #expect(Self.photos(failed.messages) == [.failed])
    }

    @Test mutating func `a verdict about a frame of an older shoot goes to the records`() {
        facts.shoot = nil
        let news = PictureUpdate(picture: Self.id, shoot: 9, frame: 2, shot: Self.ticket, content: .checked(.verified))
        let messages = after { $0.receive(.picture(news), $1, in: &$2) }.messages
        let key = FrameKey(shoot: 9, index: 2)
        #expect(messages == [.keep(.verdict(.verified, key, files: [])), .commit(mark: nil, isDurable: false)])
    }

    @Test mutating func `a client that watches receives the pictures that arrived, if it is admitted`() {
        fire()
        _ = after { $0.receive(.pictureAction(.begin(Self.info, offset: 0), of: Self.id), $1, in: &$2) }
        let client = RequestID(rawValue: 1)
        let watched = after { $0.receive(.watchPhotos, client, $1, in: &$2) }
        #expect(watched.effects.isEmpty)
        let effects = watched.messages.compactMap { message -> Int? in
            guard case .subscribe(let subscription) = message, subscription.topic == .photos else { return nil }
            return subscription.effects.count
        }
        #expect(effects == [1])
    }
}
