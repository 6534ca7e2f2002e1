/// The version of the programs that do without the daemon's core, as `--version` shows it. A test holds it to the
/// daemon's.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
