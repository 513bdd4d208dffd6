internal import Foundation

/// The owner of cached responses.
enum CachePartition: Hashable, Sendable {
    /// Everybody: requests without a user.
    case everybody
    /// A user whose name the app knows, so that their responses outlive the process.
    case account(String)
    /// A session while one user is signed in.
    case session(UUID, epoch: Int)

    /// The name of the partition in a store.
    var name: String {
        switch self {
        case .everybody: "everybody"
        case .account(let name): "account:\(name)"
        case .session(let id, let epoch): "\(Self.temporary)\(id):\(epoch)"
        }
    }

    /// The beginning of the names of partitions that end with the process.
    static let temporary = "session:"
}
