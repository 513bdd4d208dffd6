/// The body of `POST /_faults`, which an API with faults offers to tests and demonstrations.
public struct FaultsRequest: Codable, Hashable, Sendable {
    /// The new faults, in the form of `--faults`; empty to remove all faults.
    public let faults: String

    /// Creates a change to `faults`.
    public init(faults: String) {
        self.faults = faults
    }
}
