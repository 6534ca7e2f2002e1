/// What is checked before a shoot.
package enum Preflight {
    /// The names of the checks, in the order of the report.
    package static let names = [
        "link", "camera", "mode", "speeds", "iso-auto", "drive", "focus", "save-target", "battery", "shots-left",
        "noise-reduction", "ledger-space", "ledger", "last-shoot",
    ]
}
