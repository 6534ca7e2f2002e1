/// The board's button, as it is whether the daemon receives its edges or not.
struct Board: Sendable {
    /// Whether the line is there.
    var isThere = true
    var isDown = false
    /// Grows when the listener to the line is gone, with all that it had not reported.
    var listener = 0
}
