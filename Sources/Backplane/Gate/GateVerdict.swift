/// What a gate makes of an output of its board.
public enum GateVerdict: Hashable, Sendable {
    /// Those waiting may enter.
    case open
    /// Those waiting are denied, now.
    case closed
    /// The output decides nothing; those waiting go on waiting.
    case undecided
}
