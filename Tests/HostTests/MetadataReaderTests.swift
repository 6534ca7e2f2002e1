import Controller
import Glibc
import PictureReader
import Processes
import Testing

@testable import Host

/// Tests how the reading program handles files, and how the daemon handles the reading program.
struct MetadataReaderTests {
    private let directory: TemporaryDirectory
    private let reader = MetadataReader.installed()

    init() throws { directory = try TemporaryDirectory() }

    private func read(_ content: [UInt8], by reader: MetadataReader? = nil) throws -> PictureMetadata {
        let file = try Descriptor {
            open(directory.file("picture"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        try writeAll(content, to: file.number)
        lseek(file.number, 0, SEEK_SET)
        return (reader ?? self.reader).read(file.number)
    }

    private func program(_ script: String, timeout: Duration = .seconds(20)) throws -> MetadataReader {
        try directory.write("#!/bin/sh\n\(script)\n", to: "program")
        chmod(directory.file("program"), 0o700)
        return MetadataReader(program: directory.file("program"), timeout: timeout)
    }

    private static let record = ExposureRecord(
        exposureTime: .init(1, 250),
        fNumber: .init(56, 10),
        iso: 100,
        capturedAt: "2026:11:21 08:30:00",
        model: "ILCE-7M4"
    )

    // MARK: Files

    @Test(arguments: [false, true])
    func `a picture's exposure is read from JPEG, raw and HEIF files in both byte orders`(isBigEndian: Bool) throws {
        let picture = ExifPicture(isBigEndian: isBigEndian)
        #expect(try read(picture.jpeg()) == .read(Self.record))
        #expect(try read(picture.jpeg(size: 400_000)) == .read(Self.record))
        #expect(try read(picture.tiff + [UInt8](repeating: 0, count: 100_000)) == .read(Self.record))
        let heif = Array("\0\0\0\u{18}ftypheic".utf8) + [UInt8](repeating: 0x45, count: 3000) + picture.segment
        #expect(try read(heif) == .read(Self.record))
    }

    @Test func `a Canon CR3 file has camera and exposure in separate boxes`() throws {
        var camera = ExifPicture()
        camera.exposureEntries = []
        var exposure = ExifPicture()
        // In such a file the exposure's tags are in the first directory.
        exposure.cameraEntries = exposure.exposureEntries
        exposure.exposureEntries = []
        let head = Array("\0\0\0\u{18}ftypcrx \0\0\0\u{1}".utf8)
        let picture = head + Array("CMT1".utf8) + camera.tiff + Array("CMT2".utf8) + exposure.tiff
        #expect(try read(picture) == .read(Self.record))
        #expect(try read(head + Array("CMT2II*".utf8)) == .unreadable("the file has no EXIF data"))
    }

    @Test func `the fraction of the second is read only on request`() throws {
        var picture = ExifPicture()
        for (text, fraction) in [("25", "25"), ("007 ", "007"), ("2x", nil), ("1234567890", nil), ("", nil)] {
            picture.exposureEntries = [picture.fraction(0x829A, 1, 250), picture.text(0x9291, text)]
            let file = try Descriptor { open(directory.file("picture"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
            try writeAll(picture.tiff, to: file.number)
            lseek(file.number, 0, SEEK_SET)
            let report = try reader.report(file.number)
            #expect(report.fraction == fraction && report.exposure.exposureTime == .init(1, 250), "\(text)")
            // A running daemon does not know this line, if a newer program was installed since its start.
            lseek(file.number, 0, SEEK_SET)
            let output = try BoundedProgram(path: try #require(reader.program), input: file.number)
                .run(outputMax: 4096, timeout: .seconds(20))
            #expect(!String(decoding: output, as: UTF8.self).contains("fraction"))
        }
    }

    @Test func `an ISO value beyond 16 bits is read from another tag`() throws {
        var picture = ExifPicture()
        picture.exposureEntries = [picture.short(0x8827, 65535), picture.long(0x8832, 102_400)]
        #expect(try read(picture.jpeg()) == .read(ExposureRecord(iso: 102_400, model: "ILCE-7M4")))
    }

    @Test func `invalid values are left out`() throws {
        var picture = ExifPicture()
        picture.cameraEntries = [picture.text(ExifPicture.model, "a\u{1B}[2J")]
        picture.exposureEntries = [
            picture.fraction(0x829A, 1, 0), picture.text(0x829D, "5.6"), picture.short(0x8827, 200),
            picture.text(0x9003, "    :  :     :  :  "),
        ]
        #expect(try read(picture.jpeg()) == .read(ExposureRecord(iso: 200)))
    }

    @Test func `a file without the data is unreadable, and says so`() throws {
        for content: [UInt8] in [[], [0xFF], [0xFF, 0xD8], Array("RIFF".utf8), [0xFF, 0xD8, 0xFF, 0xE1, 0, 0]] {
            #expect(try read(content) == .unreadable("the file has no EXIF data"))
        }
    }

    @Test func `a file cut off anywhere gives its complete values, or none`() throws {
        let whole = ExifPicture().jpeg(size: 3000)
        for length in stride(from: 0, to: whole.count, by: 100) {
            switch try read(Array(whole[..<length])) {
            case .read(let record): #expect(length >= 200 || record != Self.record)
            case .unreadable(let reason): #expect(reason == "the file has no EXIF data", "\(length) bytes")
            case .notRead(let reason): Issue.record("\(length) bytes: \(reason)")
            }
        }
    }

    @Test func `random bytes end the program normally or by its limits, never the daemon`() throws {
        var generator = SplitMix(state: 4)
        let sane = ExifPicture().jpeg()
        for round in 0..<200 {
            var content = sane
            // The changes are only within the EXIF data, because later changes have no effect.
            for _ in 0..<(1 + round % 16) {
                content[Int.random(in: 6..<250, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try read(content)
        }
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(try read(noise) == .unreadable("the file has no EXIF data"))
        _ = try read([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF] + Array("Exif\0\0II*\0".utf8) + noise)
    }

    @Test func `huge counts and circular directories are harmless`() throws {
        var picture = ExifPicture()
        picture.exposureEntries.append(.init(tag: 0x927C, type: 7, count: .max, value: [8, 0, 0, 0]))
        picture.exposureEntries.append(.init(tag: 0x9286, type: 12, count: 0x2000_0001, value: [8, 0, 0, 0]))
        guard case .read(let record) = try read(picture.jpeg()) else {
            Issue.record("nothing was read")
            return
        }
        #expect(record.exposureTime == Self.record.exposureTime)
        var loop = ExifPicture()
        // The exposure's directory refers back to the first directory, by each kind of reference.
        for tag: UInt16 in [0x8769, 0x8825, 0xA005] { loop.exposureEntries.append(loop.long(tag, 8)) }
        loop.cameraEntries.append(loop.long(0x8825, 8))
        _ = try read(loop.jpeg())
        #expect(try read(ExifPicture().jpeg()) == .read(Self.record))
    }

    // MARK: The program

    @Test func `a program that crashes, floods or prints nonsense leaves the metadata unreadable`() throws {
        let cases = [
            ("kill -SEGV $$", "was ended by signal 11"),
            ("while :; do echo iso 100; done", "printed too many bytes"),
            ("echo iso 100", "printed an invalid report: the last line is missing"),
            ("echo iso 1e2; echo end", "printed an invalid report: an invalid value of iso"),
            ("echo iso 100; echo iso 100; echo end", "an unknown or repeated line"),
            ("echo path /etc/passwd; echo end", "an unknown or repeated line"),
            ("echo iso; echo end", "a line without a value"),
            ("echo exposure-time 1/0; echo end", "an invalid value of exposure-time"),
            ("echo f-number 99999999999/1; echo end", "an invalid value of f-number"),
            ("printf 'model \\377\\nend\\n'", "not text"),
            ("printf 'model a\\007\\nend\\n'", "an invalid value of model"),
        ]
        for (script, reason) in cases {
            guard case .unreadable(let sentence) = try read([1], by: program(script)) else {
                Issue.record("\(script) was believed")
                continue
            }
            #expect(sentence.hasPrefix("bracketd-exif ") && sentence.contains(reason), "\(script): \(sentence)")
        }
        #expect(try read([1], by: program("echo iso 100; echo end")) == .read(ExposureRecord(iso: 100)))
    }

    @Test(arguments: ["sleep 600", "sleep 600 & exec >&-; wait", "exec >&-; sleep 600"])
    func `a program that hangs is killed with its child processes`(script: String) throws {
        let hanging = try program("echo $$ >\(directory.file("pid")); \(script)", timeout: .milliseconds(300))
        #expect(try read([1], by: hanging) == .notRead("bracketd-exif took too long"))
        let text = directory.read("pid")?.split(separator: "\n").first
        let process = try #require(text.flatMap { pid_t($0) })
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test func `the program gets the picture, a pipe, and nothing else`() throws {
        // Other child processes would inherit this descriptor.
        let extra = open("/dev/null", O_RDONLY)
        defer { close(extra) }
        let file = try Descriptor { open("/dev/null", O_RDONLY | O_CLOEXEC) }
        try directory.write("#!/bin/sh\n/usr/bin/env\necho /proc/$$/fd/*\n", to: "program")
        chmod(directory.file("program"), 0o700)
        let output = try BoundedProgram(path: directory.file("program"), input: file.number)
            .run(outputMax: 4096, timeout: .seconds(20))
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        // The shell itself sets PWD and _, and opens its script with a number such as 10.
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("PWD=") || $0.hasPrefix("_=") || $0.hasPrefix("OLDPWD") })
        let descriptors = try #require(lines.last).split(separator: " ").compactMap {
            Int($0.split(separator: "/").last ?? "")
        }
        #expect(descriptors.filter { $0 < 10 && $0 != 3 } == [0, 1, 2])
        #expect(!descriptors.contains(Int(extra)) || extra == 3 || extra >= 10)
    }

    @Test func `the program drops its rights before it reads a byte`() throws {
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let program = try ChildProgram(try #require(reader.program), [], input: ends[0])
        defer { for end in ends { close(end) } }
        func lines(_ name: String) -> [String] {
            let content = try? readFile("/proc/\(program.process)/\(name)", sizeMax: 1 << 16)
            return String(decoding: content ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
        }
        // The program waits for a picture that never comes. The loop's limit only prevents an endless test.
        for _ in 0..<5000 where !lines("status").contains("Seccomp:\t2") { poll(nil, 0, 2) }
        #expect(lines("status").contains("Seccomp:\t2"))
        #expect(lines("status").contains("NoNewPrivs:\t1"))
        for (name, value) in [
            ("Max file size", "0"), ("Max open files", "3"), ("Max core file size", "0"), ("Max cpu time", "1"),
            ("Max address space", "268435456"), ("Max processes", "0"),
        ] {
            let limit = lines("limits").first { $0.hasPrefix(name) }?.dropFirst(name.count)
            #expect(limit?.split(separator: " ").prefix(2).map(String.init) == [value, value], "\(name)")
        }
    }

    @Test func `without the program pictures are kept, but not read`() throws {
        #expect(
            try read([1], by: MetadataReader(program: nil))
                == .notRead("bracketd-exif is not installed")
        )
        let gone = MetadataReader(program: directory.file("gone"))
        #expect(try read([1], by: gone) == .notRead("bracketd-exif cannot be started: No such file or directory"))
        // The program cannot restrict its own rights, or it lacks its library.
        #expect(try read([1], by: program("echo iso 100; exit 2")) == .notRead("bracketd-exif ended with 2"))
    }
}

/// A generator of reproducible random numbers (Steele, Lea and Flood, 2014).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
