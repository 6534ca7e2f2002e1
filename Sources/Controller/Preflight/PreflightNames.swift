/// What is checked before a shoot.
package enum Preflight {
    /// The checks' names, in the order in which they are told.
    package static let names = [
        "link", "camera", "mode", "speeds", "iso-auto", "drive", "focus", "save-target", "battery", "shots-left",
        "noise-reduction", "ledger-space", "ledger", "last-shoot",
    ]
}
