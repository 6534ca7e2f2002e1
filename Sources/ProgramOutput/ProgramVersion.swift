/// The version that `--version` shows in programs that do not contain the daemon's core. A test compares it with the
/// daemon's version.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
