import ArgumentParser
import Cameras
import Foundation
import Testing
import Varlink

@testable import bracketctl

@Suite struct CompletionTests {
    private static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The completions that bash offers for these arguments. The last argument is incomplete.
    private func offered(_ words: String...) throws -> [String] {
        let program = Self.programs.appending(path: "bracketctl").path
        let script = """
            source <("$0" --generate-completion-script bash)
            COMP_WORDS=("$0" "$@") COMP_CWORD=$# COMP_LINE="$0 $*" COMP_POINT=$((${#0} + 1 + $(printf %s "$*" | wc -c)))
            _bracketctl "$0" "${!#}" "${COMP_WORDS[$#-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script, program] + words
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `offers the values of a plan`() throws {
        let speeds = try offered("plan", "--shadow", "")
        #expect(speeds.count == 55)
        #expect(speeds.first == "1/8000" && speeds.last == "30s")
        for speed in speeds { _ = try PlanOptions.parse(["--shadow", speed]).request() }
        #expect(try offered("shoot", "--frames", "") == ["3", "5", "7", "9"])
        #expect(try offered("arm", "--spacing", "1") == ["1", "1.5"])
        #expect(try offered("plan", "--share", "t") == ["twice"])
        for bias in try offered("plan", "--bias", "") { _ = try PlanOptions.parse(["--bias", bias]).request() }
    }

    @Test func `offers charts and settings by their names`() throws {
        #expect(try offered("charts", "s") == ["search", "service", "settings", "shooting"])
        #expect(try offered("get", "f") == ["focus-mode", "flash"])
        #expect(ValueCompletion.propertyNames == CameraProperty.allCases.map(\.rawValue))
    }

    private func summary(_ id: Int) -> JSONValue {
        ["id": .int(id), "camera": "A", "cameraId": "sony-1", "plan": "p", "captured": 0, "total": 5]
    }

    @Test func `offers the camera's possible values, the shoots and the cameras of the daemon`() async throws {
        let property: JSONValue = [
            "name": "save-target", "value": "card", "choices": ["card", "host and card"], "isWritable": true,
        ]
        let answers: [String: FakeDaemon.Answer] = [
            "GetCamera": .one(
                "camera",
                [
                    "id": "sony-1", "maker": "Sony", "model": "A", "firmware": "1", "address": "10.0.0.2:15740",
                    "mode": "M", "speeds": [], "noiseReduction": "off", "properties": [property],
                ]
            ),
            "GetHistory": .one("shoots", [summary(12), summary(9)]),
            "GetCameras": .one(
                "cameras",
                [
                    ["state": "known", "name": "A", "id": "sony-1", "address": "10.0.0.2:15740", "isLast": true],
                    ["state": "there", "name": "B", "address": "10.0.0.3:1", "isLast": false],
                ]
            ),
        ]
        try await withDaemon(answers) { daemon in
            let values = try offered("--socket", daemon.path, "set", "save-target", "")
            let shoots = try offered("--socket", daemon.path, "history", "show", "")
            let cameras = try offered("--socket", daemon.path, "connect", "s")
            #expect(values == ["card", "host and card"])
            #expect(shoots == ["12", "9"])
            #expect(cameras == ["sony-1"])
        }
        #expect(try offered("--socket", "/nonexistent/socket", "history", "show", "") == [])
    }
}
