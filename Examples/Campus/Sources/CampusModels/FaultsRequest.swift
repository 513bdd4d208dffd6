/// The body of `POST /_faults`, which an API started with faults offers to tests and demonstrations.
public struct FaultsRequest: Codable, Hashable, Sendable {
    /// The faults that replace the present ones, written as for `--faults`; empty to heal everything.
    public let faults: String

    /// A change to `faults`.
    public init(faults: String) {
        self.faults = faults
    }
}
