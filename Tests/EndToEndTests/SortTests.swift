import Foundation
import Testing

/// Pictures of a simulated body are copied from its card, and sorted into a shoot that the daemon really fired.
@Suite(.serialized) struct SortTests {
    private static let plan = ["--shadow", "1/80", "--highlight", "1/1000", "--frames", "3", "--yes"]
    /// The camera's clock is 1 h 3 min ahead of the computer's.
    private static let ahead = 3780.0
    private static let stampLength = "2026:01:01 12:00:00".utf8.count

    private let station: Station
    /// The time at which the body was switched on: noon of 1 January 2026 by the body's clock.
    private let bodyBegan: Date

    init() throws {
        station = try Station()
        bodyBegan = Date()
        try station.startCamera(["--save-time", "50ms", "--save-target", "both"])
        let pictures = station.file("pictures").path
        let camera = "address = \"127.0.0.1:\(station.cameraPort)\"\n[transfer]\npolicy = \"both\"\n"
        try station.startDaemon(camera: camera + "directory = \"\(pictures)\"")
        try station.waitFor("connection", "connected")
    }

    /// Copies the body's files to a directory. The copies have names that the daemon does not know, and times of this
    /// test's camera clock. A raw file has the data after the header of the JPEG's EXIF block.
    private func copyCard() throws -> URL {
        let card = station.file("card")
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
        let pictures = station.file("pictures").path
        for path in FileManager.default.subpaths(atPath: pictures) ?? [] where path.hasSuffix(".JPG") {
            let number = String(path.suffix(9).prefix(5))
            let jpeg = try redated(Data(contentsOf: URL(fileURLWithPath: "\(pictures)/\(path)")))
            try jpeg.write(to: card.appendingPathComponent("A74\(number).JPG"))
            let header = try #require(jpeg.range(of: Data("Exif\0\0".utf8)))
            try jpeg[header.upperBound...].write(to: card.appendingPathComponent("A74\(number).ARW"))
        }
        return card
    }

    /// The same picture, with the time of a clock that is ahead of this computer's.
    private func redated(_ picture: Data) throws -> Data {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let format = DateFormatter()
        format.calendar = calendar
        format.timeZone = calendar.timeZone
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "yyyy:MM:dd HH:mm:ss"
        let noon = try #require(format.date(from: "2026:01:01 12:00:00"))
        let localOffset = Double(TimeZone.current.secondsFromGMT())
        let shift = bodyBegan.timeIntervalSince1970.rounded() + localOffset + Self.ahead - noon.timeIntervalSince1970
        var changed = picture
        while let place = changed.range(of: Data("2026:01:01 1".utf8)) {
            let stamp = place.lowerBound..<place.lowerBound + Self.stampLength
            let text = String(decoding: changed[stamp], as: UTF8.self)
            let date = try #require(format.date(from: text)).addingTimeInterval(shift)
            changed.replaceSubrange(stamp, with: Data(format.string(from: date).utf8))
        }
        return changed
    }

    @Test func `a shoot's pictures are sorted with a camera clock that is 1 h 3 min wrong`() throws {
        let shoot = try station.run("bracketctl", ["--socket", station.socket, "shoot"] + Self.plan)
        #expect(shoot.status == 0, "\(shoot)")
        #expect(try station.card() == ["1/1000", "1/500", "1/250", "1/250", "1/125", "1/60"])
        // The transfer of pictures may still be in progress.
        try station.wait(for: "six pictures", within: 20) {
            let files = FileManager.default.subpaths(atPath: station.file("pictures").path) ?? []
            return files.count { $0.hasSuffix(".JPG") && !$0.contains("/.") } == 6
        }
        let card = try copyCard()
        // The user took one more picture by hand at the time of the fourth frame. The fifth frame's pictures are lost.
        var hand = try Data(contentsOf: card.appendingPathComponent("A7400004.JPG"))
        let speed = try #require(hand.range(of: Data([1, 0, 0, 0, 250, 0, 0, 0])))
        hand.replaceSubrange(speed, with: Data([1, 0, 0, 0, 30, 0, 0, 0]))
        try hand.write(to: card.appendingPathComponent("HAND0001.JPG"))
        for ending in ["JPG", "ARW"] {
            try FileManager.default.removeItem(at: card.appendingPathComponent("A7400005.\(ending)"))
        }
        let before = FileManager.default.subpaths(atPath: card.path)?.count
        #expect(before == 11)

        let result = station.ctl("sort", card.path)
        #expect(result.status == 3, "\(result)")
        #expect(result.lines.dropFirst().first == "5 of 6 frames have a file. Set 2, frame 2 (1/125) has no file.")
        #expect(result.output.contains("The camera's clock is 1 h 3 min ahead of this computer's clock."), "\(result)")
        #expect(result.output.contains("HAND0001.JPG (1/30) was taken during the shoot, but belongs to no frame."))
        let files = (FileManager.default.subpaths(atPath: card.path) ?? []).filter { $0.contains("/set-") }
        let linked = files.compactMap {
            $0.contains(".") ? $0.split(separator: "/").dropFirst().joined(separator: "/") : nil
        }
        let expected = ["set-1/A7400001", "set-1/A7400002", "set-1/A7400003", "set-2/A7400004", "set-2/A7400006"]
        #expect(linked.sorted() == expected.flatMap { ["\($0).ARW", "\($0).JPG"] })
    }
}
