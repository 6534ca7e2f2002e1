import Foundation
import Testing

/// Tests `deploy/package` with stub programs: the content of the packages, and the effect of the scripts. `./test --rig
/// package` shows that the packages can be installed, shoot and can be removed.
@Suite(.enabled(if: Command.isThere("dpkg-shlibdeps"))) struct PackageTests {
    private final class Package {
        let directory: String
        let file: String
        /// The package with the simulated cameras.
        let camerasim: String

        /// - Parameters:
        ///   - arguments: additional arguments of `deploy/package`.
        ///   - shell: a command that the same shell runs before.
        init(_ arguments: [String] = [], shell: String = "true") throws {
            directory = try Installation.temporaryDirectory()
            let script = Installation.sources.appending(path: "package").path
            let words = [script, "--programs", try Self.programs.get(), "--output", directory] + arguments
            let run = try Command("sh", ["-c", "\(shell) && exec \"$0\" \"$@\" 2>\(directory)/log"] + words)
            let paths = run.output.split(separator: "\n").map(String.init)
            guard run.status == 0, paths.count == 2, paths[1].hasPrefix("\(directory)/bracketd_") else {
                let log = try String(contentsOfFile: "\(directory)/log", encoding: .utf8)
                throw Installation.Failure(description: "deploy/package \(run)\(log)")
            }
            camerasim = paths[0]
            file = paths[1]
        }

        deinit {
            try? FileManager.default.removeItem(atPath: directory)
        }

        /// Stubs of all programs, made once. The packages only need their versions and completions.
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

        /// The files of a package, each as `MODE OWNER PATH`.
        static func files(of package: String) throws -> Set<String> {
            let list = try Command("dpkg-deb", ["--contents", package]).output.split(separator: "\n")
            return Set(
                list.compactMap { line in
                    let fields = line.split(separator: " ")
                    return fields[0].hasPrefix("d") ? nil : "\(fields[0]) \(fields[1]) \(fields[5].dropFirst())"
                }
            )
        }

        static func field(_ name: String, of package: String) throws -> String {
            try Command("dpkg-deb", ["--field", package, name]).output.trimmingCharacters(in: .newlines)
        }

        func field(_ name: String) throws -> String { try Self.field(name, of: file) }
    }

    private static let programs = [
        "usr/bin/bracketd", "usr/bin/bracketctl", "usr/libexec/bracketd/bracketd-exif",
    ]
    private static let texts = [
        "etc/bracketd/bracketd.toml", "usr/lib/systemd/system/bracketd.service",
        "usr/lib/systemd/system/bracketd.socket", "usr/lib/sysusers.d/bracketd.conf",
        "usr/lib/tmpfiles.d/bracketd.conf", "usr/lib/systemd/catalog/bracketd.catalog",
        "usr/lib/udev/rules.d/60-bracketd.rules", "usr/share/man/man1/bracketctl.1.gz",
        "usr/share/man/man5/bracketd.toml.5.gz", "usr/share/man/man8/bracketd.8.gz",
        "usr/share/doc/bracketd/README.md", "usr/share/doc/bracketd/docs/deploy.md",
        "usr/share/doc/bracketd/examples/pictures-disk.conf",
    ]

    private static func documents(of package: String) -> [String] {
        ["copyright", "changelog.gz", "changelog.Debian.gz"].map { "usr/share/doc/\(package)/\($0)" }
    }

    private static func completions(of program: String) -> [String] {
        [
            "usr/share/bash-completion/completions/\(program)", "usr/share/zsh/vendor-completions/_\(program)",
            "usr/share/fish/vendor_completions.d/\(program).fish",
        ]
    }

    /// Checks that a package has these files, owned by root, and that no other user can write any of its files.
    private static func check(_ package: String, programs: [String], texts: [String]) throws {
        let files = try Package.files(of: package)
        for name in programs where !files.contains("-rwxr-xr-x root/root /\(name)") {
            Issue.record("\(name) is not there as a program")
        }
        for name in texts where !files.contains("-rw-r--r-- root/root /\(name)") {
            Issue.record("\(name) is not there as a file")
        }
        for line in files where !line.hasPrefix("-rw-r--r-- root/root ") && !line.hasPrefix("-rwxr-xr-x root/root ") {
            Issue.record("\(line)")
        }
    }

    @Test func `all files are in it, owned by root, readable by all and writable by no other user`() throws {
        let package = try Package()
        let completions = Self.completions(of: "bracketctl")
        let texts = Self.texts + Self.documents(of: "bracketd") + completions
        try Self.check(package.file, programs: Self.programs, texts: texts)
    }

    @Test func `the simulated cameras are in a package of their own, which a board does not need`() throws {
        let package = try Package()
        let texts = ["usr/share/man/man1/camerasim.1.gz"] + Self.documents(of: "bracketd-camerasim")
        let completions = Self.completions(of: "camerasim")
        try Self.check(package.camerasim, programs: ["usr/bin/camerasim"], texts: texts + completions)
        let both = try Package.files(of: package.file).intersection(Package.files(of: package.camerasim))
        #expect(both.isEmpty)
        #expect(try !package.field("Depends").contains("camerasim"))
        #expect(try package.field("Version") == Package.field("Version", of: package.camerasim))
    }

    @Test func `the simulated cameras replace those in an older package`() throws {
        let package = try Package()
        for field in ["Breaks", "Replaces"] {
            #expect(try Package.field(field, of: package.camerasim) == "bracketd (<< 0.1.0-2~)")
        }
        #expect(try Command("dpkg", ["--compare-versions", "0.1.0-1+deb13", "lt", "0.1.0-2~"]).status == 0)
        #expect(try Command("dpkg", ["--compare-versions", package.field("Version"), "gt", "0.1.0-2~"]).status == 0)
    }

    @Test func `a changed configuration is the administrator's, and dpkg asks`() throws {
        let package = try Package()
        let control = try Command("dpkg-deb", ["--info", package.file, "conffiles"])
        #expect(control.output == "/etc/bracketd/bracketd.toml\n")
    }

    @Test func `the version is the programs' or the given one, and names the system of the build`() throws {
        let package = try Package()
        #expect(try package.field("Version").wholeMatch(of: /1\.2\.3-2\+[a-z]+[a-z0-9.]+/) != nil)
        let later = try Package(["--version", "1.2.4~rc1"])
        #expect(try later.field("Version").hasPrefix("1.2.4~rc1-2+"))
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
        let package = try Package()
        for file in [package.file, package.camerasim] {
            #expect(try Package.field("Depends", of: file).contains("libc6 (>= "))
        }
    }

    @Test func `the same sources give the same bytes for every user, place and time`() throws {
        let other = "export TZ=Asia/Tokyo LANG=de_DE.UTF-8 && umask 077 && cd / && sleep 1"
        let packages = [try Package(), try Package(shell: other)]
        for file in [\Package.file, \Package.camerasim] {
            let contents = try packages.map { try Data(contentsOf: URL(fileURLWithPath: $0[keyPath: file])) }
            #expect(contents[0] == contents[1])
            #expect(contents[0].count > 10_000)
        }
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
        let words = ["--allow-root", "--fail-on", "error,warning", package.file, package.camerasim]
        let run = try Command("lintian", words)
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
