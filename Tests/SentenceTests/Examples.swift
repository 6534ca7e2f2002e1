import Foundation
import Testing

/// Each text of the daemon with example values.
enum Examples {
    /// The subjects, in the order of the daemon's parts, with their texts.
    static func all() throws -> [(subject: String, texts: [String])] {
        [
            ("status", status), ("shoots", shoot), ("plans", plan), ("pictures", picture), ("settings", settings),
            ("button", button), ("camera", camera), ("search", search), ("network", network), ("checks", check),
            ("ledger, as the core reports it", ledgerRecord), ("requests", request),
            ("camera driver", cameraDriver), ("Sony", sony), ("Canon", canon), ("Nikon", nikon),
            ("Sony over HTTP", sonyHTTP), ("live view", liveView), ("PTP", ptp),
            ("exposure", try exposure()), ("metering", metering()), ("flight recorder", flight),
            ("ledger file", ledgerFile), ("interface", interface), ("Varlink", varlink), ("EXIF", pictureReader),
            ("output", programOutput),
            ("configuration", configuration), ("board", board), ("daemon", daemon),
            ("disk of pictures", pictureDisk), ("recorder", recorder), ("network of the computer", hostNetwork),
            ("checks of the machine", machineCheck), ("checks of the network", networkCheck),
            ("arguments of bracketd", bracketdArguments), ("camerasim", camerasim),
            ("inputs in a replay", inputSummary), ("effects in a replay", effectSummary),
        ]
    }
}

/// Compares all texts of the daemon with a stored list. A reviewer reads the list, and sees each change of a text.
@Suite struct ExampleTests {
    @Test func `the list of sentences is up to date`() throws {
        let list = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/sentences.txt")
        let texts = try Examples.all().map { subject, texts in
            "# \(subject)\n" + texts.map { "- \($0.replacingOccurrences(of: "\n", with: "\\n"))\n" }.joined()
        }
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try texts.joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)
        }
        let kept = try String(contentsOf: list, encoding: .utf8)
        #expect(texts.joined(separator: "\n") == kept, "UPDATE_GOLDEN=1 renews the list")
    }
}
