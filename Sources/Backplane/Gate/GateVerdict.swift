/// The effect of a gate's output on the activations that wait for it.
public enum GateVerdict: Hashable, Sendable {
    /// Lets them pass this gate; the next one is asked, or the board is entered.
    case open
    /// Denies them, now.
    case closed
    /// Decides nothing; they keep waiting.
    case undecided
}
