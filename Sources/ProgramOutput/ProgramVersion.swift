/// The version of the programs without the daemon's core, as `--version` shows it. A test compares it with the
/// daemon's.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
