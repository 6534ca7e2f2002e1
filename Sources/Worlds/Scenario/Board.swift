/// The true state of the button on the board, even if the daemon does not receive its edges.
struct Board: Sendable {
    /// Whether the GPIO line exists.
    var isThere = true
    var isDown = false
    /// The number of the present listener to the line. It increases when a listener and its unreported edges are lost.
    var listener = 0
}
