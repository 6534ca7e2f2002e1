import Foundation
import Testing

/// Tests `deploy/package` with stub programs: the content of the package, and the effect of its scripts. `./test --rig
/// package` shows that the package can be installed, shoots and can be removed.
@Suite(.enabled(if: Command.isThere("dpkg-shlibdeps"))) struct PackageTests {
    private final class Package {
        let directory: String
        let file: String

        /// - Parameters:
        ///   - arguments: additional arguments of `deploy/package`.
        ///   - shell: a command that the same shell runs before.
        init(_ arguments: [String] = [], shell: String = "true") throws {
            directory = try Installation.temporaryDirectory()
            let script = Installation.sources.appending(path: "package").path
            let words = [script, "--programs", try Self.programs.get(), "--output", directory] + arguments
            let run = try Command("sh", ["-c", "\(shell) && exec \"$0\" \"$@\" 2>\(directory)/log"] + words)
            file = run.output.trimmingCharacters(in: .newlines)
            guard run.status == 0, file.hasPrefix(directory) else {
                let log = try String(contentsOfFile: "\(directory)/log", encoding: .utf8)
                throw Installation.Failure(description: "deploy/package \(run)\(log)")
            }
        }

        deinit {
            try? FileManager.default.removeItem(atPath: directory)
        }

        /// Stubs of all programs, made once. The package only needs their versions and completions.
        private static let programs = Result {
            let directory = try Installation.temporaryDirectory()
            let source = """
                #include <stdio.h>
                #include <string.h>
                int main(int count, char **words) {
                  if (count > 1 && strcmp(words[1], "--version") == 0) puts("1.2.3");
                  if (count > 2) printf("#!/bin/%s\\ncompletion of %s\\n", words[2], strrchr(words[0], '/') + 1);
                }

                """
            try source.write(toFile: "\(directory)/program.c", atomically: false, encoding: .utf8)
            for name in ["bracketd", "bracketd-exif", "bracketctl", "camerasim"] {
                let harden = ["-fPIE", "-pie", "-O2", "-D_FORTIFY_SOURCE=2", "-Wl,-z,relro,-z,now"]
                let run = try Command("clang", harden + ["-o", "\(directory)/\(name)", "\(directory)/program.c"])
                guard run.status == 0 else { throw Installation.Failure(description: "clang \(run)") }
            }
            return directory
        }

        /// The files of the package, each as `MODE OWNER PATH`.
        var files: Set<String> {
            get throws {
                let list = try Command("dpkg-deb", ["--contents", file]).output.split(separator: "\n")
                return Set(
                    list.compactMap { line in
                        let fields = line.split(separator: " ")
                        return fields[0].hasPrefix("d") ? nil : "\(fields[0]) \(fields[1]) \(fields[5].dropFirst())"
                    }
                )
            }
        }

        func field(_ name: String) throws -> String {
            try Command("dpkg-deb", ["--field", file, name]).output.trimmingCharacters(in: .newlines)
        }
    }

    private static let programs = [
        "usr/bin/bracketd", "usr/bin/bracketctl", "usr/bin/camerasim", "usr/libexec/bracketd/bracketd-exif",
    ]
    private static let texts = [
        "etc/bracketd/bracketd.toml", "usr/lib/systemd/system/bracketd.service",
        "usr/lib/systemd/system/bracketd.socket", "usr/lib/sysusers.d/bracketd.conf",
        "usr/lib/tmpfiles.d/bracketd.conf", "usr/lib/systemd/catalog/bracketd.catalog",
        "usr/lib/udev/rules.d/60-bracketd.rules", "usr/share/man/man1/bracketctl.1.gz",
        "usr/share/man/man1/camerasim.1.gz", "usr/share/man/man5/bracketd.toml.5.gz",
        "usr/share/man/man8/bracketd.8.gz", "usr/share/doc/bracketd/copyright",
        "usr/share/doc/bracketd/changelog.gz", "usr/share/doc/bracketd/changelog.Debian.gz",
        "usr/share/doc/bracketd/README.md", "usr/share/doc/bracketd/docs/deploy.md",
        "usr/share/doc/bracketd/examples/pictures-disk.conf",
    ]

    @Test func `all files are in it, owned by root, readable by all and writable by no other user`() throws {
        let files = try Package().files
        let completions = ["bracketd", "bracketctl", "camerasim"].flatMap { name in
            [
                "usr/share/bash-completion/completions/\(name)", "usr/share/zsh/vendor-completions/_\(name)",
                "usr/share/fish/vendor_completions.d/\(name).fish",
            ]
        }
        for name in Self.programs where !files.contains("-rwxr-xr-x root/root /\(name)") {
            Issue.record("\(name) is not there as a program")
        }
        for name in Self.texts + completions where !files.contains("-rw-r--r-- root/root /\(name)") {
            Issue.record("\(name) is not there as a file")
        }
        for line in files where !line.hasPrefix("-rw-r--r-- root/root ") && !line.hasPrefix("-rwxr-xr-x root/root ") {
            Issue.record("\(line)")
        }
    }

    @Test func `a changed configuration is the administrator's, and dpkg asks`() throws {
        let package = try Package()
        let control = try Command("dpkg-deb", ["--info", package.file, "conffiles"])
        #expect(control.output == "/etc/bracketd/bracketd.toml\n")
    }

    @Test func `the version is the programs' or the given one, and names the system of the build`() throws {
        let package = try Package()
        #expect(try package.field("Version").wholeMatch(of: /1\.2\.3-1\+[a-z]+[a-z0-9.]+/) != nil)
        let later = try Package(["--version", "1.2.4~rc1"])
        #expect(try later.field("Version").hasPrefix("1.2.4~rc1-1+"))
        let comparison = ["--compare-versions", try later.field("Version"), "gt", try package.field("Version")]
        #expect(try Command("dpkg", comparison).status == 0)
    }

    @Test(arguments: [(252, 252), (253, 253), (254, 254), (257, 254)])
    func `it depends on the systemd that its unit needs`(systemd: Int, needed: Int) throws {
        let package = try Package(["--systemd", String(systemd)])
        #expect(try package.field("Depends").contains("systemd (>= \(needed))"))
        let reloadsByKill = try Installation(systemd: systemd).text(Self.texts[1]).contains("ExecReload=kill ")
        #expect(try package.field("Depends").contains("procps") == reloadsByKill)
        let unit = try Command("sh", ["-c", "dpkg-deb --fsys-tarfile \(package.file) | tar -xO ./\(Self.texts[1])"])
        #expect(unit.output == (try Installation(systemd: systemd).text(Self.texts[1])))
    }

    @Test func `it depends on the libraries of the programs`() throws {
        #expect(try Package().field("Depends").contains("libc6 (>= "))
    }

    @Test func `the same sources give the same bytes for every user, place and time`() throws {
        let other = "export TZ=Asia/Tokyo LANG=de_DE.UTF-8 && umask 077 && cd / && sleep 1"
        let packages = [try Package(), try Package(shell: other)]
        let contents = try packages.map { try Data(contentsOf: URL(fileURLWithPath: $0.file)) }
        #expect(contents[0] == contents[1])
        #expect(contents[0].count > 10_000)
    }

    @Test(arguments: ["--version -1", "--version 1/2", "--programs /nowhere", "--systemd x", "--output", "now"])
    func `invalid arguments are refused`(arguments: String) throws {
        // The programs do not exist, so accepted arguments fail soon too.
        let words = ["--programs", "/"] + arguments.split(separator: " ").map(String.init)
        let run = try Command(Installation.sources.appending(path: "package").path, words)
        #expect(run.status == 64)
        #expect(run.output.contains("deploy/package [--output DIRECTORY]"))
    }

    @Test func `lintian finds no error and no warning`() throws {
        try #require(Command.isThere("lintian"), "./test installs it")
        let package = try Package()
        let run = try Command("lintian", ["--allow-root", "--fail-on", "error,warning", package.file])
        #expect(run.isSilentSuccess, "\(run)")
    }

    @Test(arguments: ["postinst", "prerm", "postrm"])
    func `the scripts are portable, and stop at the first failure`(name: String) throws {
        let script = Installation.sources.appending(path: "debian/\(name)").path
        #expect(try Command("sh", ["-n", script]).isSilentSuccess)
        let text = try String(contentsOfFile: script, encoding: .utf8)
        #expect(text.hasPrefix("#!/bin/sh\n"))
        #expect(text.contains("\nset -e\n"))
    }

    /// The files of a state directory that remain after `postrm`, and the output of the script.
    private static func left(of files: [String], by script: String...) throws -> (files: [String], said: String) {
        let root = try Installation.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let state = "\(root)/var/lib/bracketd"
        for file in files {
            let path = URL(fileURLWithPath: "\(state)/\(file)")
            let folder = path.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try "x".write(to: path, atomically: false, encoding: .utf8)
        }
        let postrm = Installation.sources.appending(path: "debian/postrm").path
        let run = try Command("DPKG_ROOT=\(root)", ["sh", postrm] + script)
        guard run.status == 0 else { throw Installation.Failure(description: "postrm \(run)") }
        let left = (try? FileManager.default.subpathsOfDirectory(atPath: state)) ?? []
        return (left.sorted(), FileManager.default.fileExists(atPath: state) ? run.output : "gone")
    }

    /// The daemon's files in its storage directory, without pictures.
    private static let own = [
        "ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger-damaged-20261122-101500.sqlite",
        "ledger-damaged-20261122-101500.sqlite-wal", "initiator-guid", "initiator-guid.damaged",
        "bracketd.lock", "ledger.sqlite-count", "ledger-replaced-20261122-101500.sqlite",
        ".initiator-guid.new", "armed-plan.json", ".armed-plan.json.new", "flight/flight-000042-0000.rec",
    ]

    @Test func `removal of the package leaves the daemon's files`() throws {
        #expect(try Self.left(of: Self.own, by: "remove").files == (Self.own + ["flight"]).sorted())
    }

    @Test func `purge of the package leaves none of its own files`() throws {
        #expect(try Self.left(of: Self.own, by: "purge").said == "gone")
    }

    @Test(arguments: ["pictures/20261122-101500-shoot-3/set-1/DSC00042.JPG", "mine/DSC00042.JPG", "DSC00042.JPG"])
    func `purge leaves all pictures, and says where`(picture: String) throws {
        let left = try Self.left(of: Self.own + [picture], by: "purge")
        #expect(left.files.contains(picture))
        #expect(left.files.allSatisfy { picture.hasPrefix($0) }, "\(left.files)")
        #expect(left.said.contains("/var/lib/bracketd"))
    }

    @Test(arguments: ["bracketctl", "camerasim"])
    func `bash understands the programs' completions`(program: String) throws {
        let script = try Command(Command.built(program), ["--generate-completion-script", "bash"])
        #expect(script.output.contains("complete -o filenames -F _\(program)"))
        #expect(try Command("bash", ["-n", "-c", script.output]).isSilentSuccess)
    }
}
