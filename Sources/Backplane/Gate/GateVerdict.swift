/// The effect of a gate's output on the activations that wait for it.
public enum GateVerdict: Hashable, Sendable {
    /// Lets the activations pass this gate: the next gate is asked, or the board is entered.
    case open
    /// Denies the activations at once.
    case closed
    /// Decides nothing; the activations keep waiting.
    case undecided
}
