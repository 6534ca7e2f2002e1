import Cameras
import Exposure
import Testing

@testable import Controller

/// The verification of single pictures.
@Suite struct VerificationTests {
    private static let speed = ShutterSpeed.all[30]

    private func shot(
        _ speed: ShutterSpeed = speed,
        at seconds: Int = 0,
        ticket: UInt32 = 1,
        shoot: Int = 1
    ) -> Verification.Shot {
        .init(ticket: Ticket(rawValue: ticket), shoot: shoot, speed: speed, firedAt: .seconds(seconds))
    }

    private func record(_ seconds: Double, _ time: String? = nil) -> PictureMetadata {
        .read(ExposureRecord(exposureTime: .init(UInt32(seconds * 10_000_000), 10_000_000), capturedAt: time))
    }

    private func isSuspect(_ verdict: Verdict) -> Bool { if case .suspect = verdict { true } else { false } }

    @Test(arguments: ShutterSpeed.all)
    func `the nominal and the true time both pass, and their neighbours fail`(speed: ShutterSpeed) {
        var verification = Verification()
        for other in ShutterSpeed.all where abs(other.index - speed.index) <= 3 {
            let truth = other.exposureTime
            let seconds = Double(truth.components.seconds) + Double(truth.components.attoseconds) / 1e18
            for value in [other.nominalSeconds, seconds] {
                let verdict = verification.verify(record(value), .jpeg, of: shot(speed))
                #expect((verdict == .verified) == (other == speed), "\(speed) shown as \(value): \(verdict)")
            }
        }
    }

    @Test(arguments: [
        (10, 10, "1\""), (30, 1, "30\""), (1, 3, "0.3\""), (60, 1, "60\""), (0, 1, "0\""), (1, 16000, "1/16000"),
    ])
    func `a wrong exposure is reported in photographers' notation`(numerator: UInt32, denominator: UInt32, text: String)
    {
        var verification = Verification()
        let metadata = PictureMetadata.read(ExposureRecord(exposureTime: .init(numerator, denominator)))
        #expect(verification.verify(metadata, .jpeg, of: shot()) == .suspect(.speed(found: text)))
    }

    @Test(arguments: [
        ("f/2.8", "100", 28, 100, true), ("f/2.8", "100", 29, 100, true), ("f/2.8", "100", 32, 100, false),
        ("f/2.8", "100", 28, 102, true), ("f/2.8", "100", 28, 125, false), ("f/--", "Auto", 80, 6400, true),
        ("f/2.8", "102400", 28, 65535, true), ("", "", 28, 100, true),
    ])
    func `aperture and sensitivity must be those that the camera showed, if it showed any`(
        aperture: String,
        iso: String,
        tenths: UInt32,
        found: UInt32,
        fits: Bool
    ) {
        var verification = Verification()
        let status = CameraStatus(mode: .manual, iso: iso, aperture: aperture)
        let shot = Verification.Shot(
            ticket: Ticket(rawValue: 1),
            shoot: 1,
            speed: Self.speed,
            firedAt: .zero,
            camera: status
        )
        let exposure = ExposureRecord.Fraction(UInt32(Self.speed.nominalSeconds * 1_000_000), 1_000_000)
        let read = ExposureRecord(exposureTime: exposure, fNumber: .init(tenths, 10), iso: found)
        #expect((verification.verify(.read(read), .jpeg, of: shot) == .verified) == fits)
    }

    @Test func `a setting that the camera chooses automatically is not compared`() {
        let status = CameraStatus(mode: .shutterPriority, iso: "100", isISOAuto: true, aperture: "f/8")
        let shot = Verification.Shot(
            ticket: Ticket(rawValue: 1),
            shoot: 1,
            speed: Self.speed,
            firedAt: .zero,
            camera: status
        )
        #expect(shot.fNumber == nil && shot.iso == nil)
    }

    @Test func `a JPEG without EXIF data is suspect, and another file is only stored`() {
        var verification = Verification()
        let none = PictureMetadata.unreadable("no EXIF block")
        #expect(verification.verify(none, .jpeg, of: shot()) == .suspect(.unreadable("no EXIF block")))
        #expect(verification.verify(.notRead("no reader"), .jpeg, of: shot()) == .none)
        #expect(verification.verify(none, .raw, of: shot()) == .none)
        #expect(verification.verify(.read(ExposureRecord()), .jpeg, of: shot()) == .suspect(.silent))
        #expect(verification.verify(.read(ExposureRecord()), .heif, of: shot()) == .none)
    }

    // MARK: Time

    private func verify(_ shots: [(second: Int, time: String)], shoots: [Int]? = nil) -> [Verdict] {
        var verification = Verification()
        return shots.enumerated().map { index, shot in
            let shoot = shoots?[index] ?? 1
            return verification.verify(
                record(Self.speed.nominalSeconds, "2026:11:21 \(shot.time)"),
                .jpeg,
                of: self.shot(at: shot.second, ticket: UInt32(index + 1), shoot: shoot)
            )
        }
    }

    @Test func `times that advance with the computer's clock pass, whatever the camera's clock shows`() {
        #expect(verify([(0, "23:59:58"), (1, "23:59:59"), (5, "23:59:59")]).dropLast().allSatisfy { $0 == .verified })
        #expect(
            verify([(0, "03:00:00"), (1, "03:00:00"), (4, "03:00:05"), (60, "03:01:02")]).allSatisfy { $0 == .verified }
        )
    }

    @Test func `a time before the shutter or of an earlier frame fails`() {
        #expect(verify([(0, "03:00:00"), (4, "03:00:00")]).last == .suspect(.sameTime("2026:11:21 03:00:00")))
        #expect(verify([(0, "03:00:10"), (4, "03:00:05")]).last == .suspect(.outOfOrder("2026:11:21 03:00:05")))
        #expect(verify([(0, "03:00:00"), (60, "03:00:20")]).last == .suspect(.older(by: .seconds(40))))
    }

    @Test func `an old picture at first does not make the later ones suspect`() {
        #expect(
            verify([(0, "02:00:00"), (4, "03:00:04"), (8, "03:00:08"), (20, "03:00:08")]).map(isSuspect) == [
                false, false, false, true,
            ]
        )
    }

    @Test func `a clock that is set back makes one picture suspect, and none that follow`() {
        let verdicts = verify([(0, "10:00:00"), (10, "09:00:10"), (20, "09:00:20"), (30, "09:00:30")])
        #expect(verdicts.map(isSuspect) == [false, true, false, false])
    }

    @Test func `old pictures in a row are suspect if they are not equally old`() {
        let verdicts = verify([(0, "10:00:00"), (100, "10:00:00"), (200, "10:00:00")])
        #expect(verdicts.map(isSuspect) == [false, true, true])
    }

    @Test func `the clock of another connection is learned anew, and the order of another shoot does not count`() {
        var verification = Verification()
        func verify(_ second: Int, _ time: String, _ ticket: UInt32, shoot: Int) -> Verdict {
            verification.verify(
                record(Self.speed.nominalSeconds, time),
                .jpeg,
                of: shot(at: second, ticket: ticket, shoot: shoot)
            )
        }
        #expect(verify(0, "2026:11:21 12:00:00", 1, shoot: 1) == .verified)
        verification.forgetClock()
        #expect(verify(100, "2026:11:21 11:00:00", 2, shoot: 2) == .verified)
    }

    @Test(arguments: [
        "", "    :  :     :  :  ", "2026-11-21 10:00:00", "2026:13:01 10:00:00", "2026:11:21 25:00:00",
        "2026:11:21 10:00:00Z",
    ])
    func `an invalid time does not make a picture suspect`(text: String) {
        #expect(CaptureTime(text) == nil)
    }

    @Test func `days are counted over months and leap years`() throws {
        let pairs = [
            ("2024:02:28 23:59:59", "2024:02:29 00:00:00"), ("2023:02:28 23:59:59", "2023:03:01 00:00:00"),
            ("2025:12:31 23:59:59", "2026:01:01 00:00:00"),
        ]
        for (before, after) in pairs {
            #expect(try #require(CaptureTime(after)).seconds - #require(CaptureTime(before)).seconds == 1)
        }
    }
}
