import Foundation
import Testing

/// A camera and a client send texts that would control terminals and forge log lines. No output contains these
/// characters.
@Suite(.serialized) struct HostileNamesTests {
    private static let plan = ["--shadow", "1/60", "--highlight", "1/250", "--frames", "3"]
    private static let forged = "\u{1B}[31mx\r\n2026-01-01 00:00:00.000 error forged\u{202E}"

    private func station() throws -> Station {
        let station = try Station()
        try station.startCamera(["--hostile-names", "--save-time", "50ms", "--save-target", "both"])
        let transfer = "[transfer]\npolicy = \"both\"\ndirectory = \"\(station.file("pictures").path)\""
        try station.startDaemon(camera: "address = \"127.0.0.1:\(station.cameraPort)\"\nsearch = []\n\(transfer)")
        try station.waitFor("connection", "connected")
        return station
    }

    /// Checks that every scalar is printable, and that no line begins like the forged line.
    private func expectPrintable(_ text: String, _ what: String, _ location: SourceLocation = #_sourceLocation) {
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { last = scalar }
            let isCut = last == "\r" && scalar != "\n"
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n" || scalar == "\r" && what.hasSuffix("csv"): break
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                Issue.record(
                    "\(what) has U+\(String(scalar.value, radix: 16)): \(text.debugDescription)",
                    sourceLocation: location
                )
                return
            default: break
            }
            #expect(!isCut, "\(what): \(text.debugDescription)", sourceLocation: location)
        }
        for line in text.unicodeScalars.split(separator: "\n") {
            #expect(!String(line).hasPrefix("2026-01-01 00:00:00.000"), "\(what)", sourceLocation: location)
        }
    }

    /// Checks every text within JSON. The output has one value per line, or one value in total.
    private func expectPrintableJSON(
        _ text: String,
        _ what: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        func walk(_ value: Any) {
            switch value {
            case let text as String: expectPrintable(text, what, location)
            case let list as [Any]: list.forEach(walk)
            case let members as [String: Any]:
                for (name, member) in members {
                    expectPrintable(name, what, location)
                    // The drawing of a chart and similar texts have several lines. A camera's text never has.
                    walk(member)
                }
            default: break
            }
        }
        expectPrintable(text, what, location)
        for line in text.split(separator: "\n") {
            walk(try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed))
        }
    }

    private func expectPrintable(_ result: Station.Result, _ what: String, json: Bool = false) throws {
        expectPrintable(result.errors, "\(what), standard error")
        if json { try expectPrintableJSON(result.output, what) } else { expectPrintable(result.output, what) }
    }

    @Test func `no output contains control characters from a camera's names`() throws {
        let station = try station()
        let shoot = try station.run("bracketctl", ["--socket", station.socket, "shoot", "--yes"] + Self.plan)
        #expect(shoot.status == 0, "\(shoot)")
        try expectPrintable(shoot, "shoot")
        #expect(station.ctl("camera").output.contains("ILCE-7M4?[2J?]0;owned???2026-01-01"))
        let commands = [
            ["plan"] + Self.plan, ["status"], ["camera"], ["cameras"], ["photos"], ["history"],
            ["history", "show", "1"],
            ["preflight"] + Self.plan, ["doctor"], ["retry"], ["connect", "nosuch"],
        ]
        for command in commands {
            for json in [false, true] {
                let arguments = ["--socket", station.socket] + command + (json ? ["--json"] : [])
                try expectPrintable(station.run("bracketctl", arguments), "\(arguments.dropFirst(2))", json: json)
            }
        }
        try expectPrintable(station.ctl("history", "export", "1"), "history export", json: true)
        try expectPrintable(station.ctl("history", "export", "1", "--format", "csv"), "history export csv")
        try expectPrintable(station.ctl("disconnect"), "disconnect")
        station.daemon?.stop()
        expectPrintable(station.daemon?.text ?? "", "the journal")
        #expect(station.daemon?.text.contains("ILCE-7M4?[2J") == true)
        let flight = station.file("state/flight")
        for name in try FileManager.default.contentsOfDirectory(atPath: flight.path) {
            let path = flight.appendingPathComponent(name).path
            try expectPrintable(station.run("bracketctl", ["replay", path]), "replay")
            try expectPrintable(station.run("bracketctl", ["replay", "--json", path]), "replay --json", json: true)
        }
        try expectFiles(of: station)
    }

    private func expectFiles(of station: Station) throws {
        let pictures = station.file("pictures").path
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: pictures) {
            expectPrintable(path, "a path")
            if path.hasSuffix(".JPG") {
                #expect(!path.split(separator: "/").contains { $0.hasPrefix(".") }, "\(path)")
                count += 1
            }
            guard path.hasSuffix("manifest.json") else { continue }
            try expectPrintableJSON(String(contentsOfFile: "\(pictures)/\(path)", encoding: .utf8), "manifest.json")
        }
        #expect(count == 3)
        let bundle = station.file("bundle.tar.gz").path
        let arguments = ["--socket", station.socket, "bundle", "--output", bundle, "--config"]
        let packed = try station.run("bracketctl", arguments + [station.file("bracketd.toml").path])
        try expectPrintable(packed, "bundle")
        let folder = station.file("unpacked").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try station.run("/usr/bin/tar", ["-xzf", bundle, "-C", folder]).status == 0)
        let texts = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { path in [".txt", ".toml", "status.json"].contains { path.hasSuffix($0) } }
        #expect(texts.contains { $0.hasSuffix("README.txt") })
        for path in texts { expectPrintable(try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8), path) }
    }

    @Test func `no output contains control characters from a client's texts`() throws {
        let station = try station()
        for command in [
            ["connect", Self.forged], ["set", "iso", Self.forged], ["set", Self.forged, "1"],
            ["plan", "--shadow", Self.forged, "--highlight", "1/60"],
        ] {
            // The argument parser prints its caller's arguments unchanged, so these arguments are not in this list.
            for json in [false, true] {
                let arguments = ["--socket", station.socket] + command + (json ? ["--json"] : [])
                let result = try station.run("bracketctl", arguments)
                #expect(result.status != 0, "\(result)")
                expectPrintable(result.errors, "\(command)")
                expectPrintable(result.output, "\(command)")
            }
        }
        station.daemon?.stop()
        expectPrintable(station.daemon?.text ?? "", "the journal")
    }
}
