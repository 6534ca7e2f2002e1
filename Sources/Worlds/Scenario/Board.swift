/// The board's button, as it is whether anybody hears of it or not.
struct Board: Sendable {
    /// Whether the line is there.
    var isThere = true
    var isDown = false
    /// Grows when whoever listened to the line is gone, with all that it had not told.
    var listener = 0
}
