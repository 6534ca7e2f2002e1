/// The true state of the board's button, whether the daemon receives its edges or not.
struct Board: Sendable {
    /// Whether the line exists.
    var isThere = true
    var isDown = false
    /// Grows when the listener of the line is lost, with all edges that it had not reported.
    var listener = 0
}
