extension Duration {
    private static let longest = 100 * 365 * 86_400.0

    /// A number of seconds from a server or a file, clamped to a hundred years either way; nil if it is not a number.
    ///
    /// `Duration.seconds(_:)` traps on a number that is too large for it, and a clock on an instant that is.
    static func clamped(seconds: Double) -> Duration? {
        seconds.isNaN ? nil : .seconds(min(max(seconds, -longest), longest))
    }
}
