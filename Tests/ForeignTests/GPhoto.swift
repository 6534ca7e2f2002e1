import Foundation
import Testing

/// Debian's gphoto2, with the simulated body of a fixture.
struct GPhoto {
    let studio: ForeignFixture

    /// Runs gphoto2. It needs the port of both connections and the protocol PTP/IP, because it detects neither.
    func callAsFunction(_ arguments: String..., within seconds: Double = 60) throws -> ForeignFixture.Result {
        try self(arguments, within: seconds)
    }

    func callAsFunction(_ arguments: [String], within seconds: Double = 60) throws -> ForeignFixture.Result {
        let address = "ptpip:127.0.0.1:\(studio.cameraPort):\(studio.cameraPort)"
        let fixed = ["--port", address, "--camera", "PTP/IP Camera"]
        return try studio.run("/usr/bin/gphoto2", fixed + arguments, within: seconds)
    }
}

extension ForeignFixture.Result {
    /// The value after `Current:` in the output of `--get-config`.
    var current: String? {
        lines.first { $0.hasPrefix("Current: ") }.map { String($0.dropFirst("Current: ".count)) }
    }

    /// The choices in the output of `--get-config`.
    var choices: [String] {
        lines.filter { $0.hasPrefix("Choice: ") }.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
    }
}
