internal import BackplaneFeatures

/// A kind of operations in an ``Outbox``, such as the changes of to-dos.
///
/// Each operation has the name and the version of its kind in the file. So a later version of the
/// app knows which operations it finds:
///
/// ```swift
/// extension OutboxKind {
///     static let todos = OutboxKind("todos", version: 2, readingFrom: 1)
/// }
/// ```
///
/// Raise the version if a request or a change has another form than before. If the server still
/// accepts the old form, give the oldest accepted version as `readingFrom`. Its operations are sent
/// unchanged. An operation of any other version is not sent. It becomes `DeliveryState.refused`,
/// and can be exported (D10). The same is true of a kind that the app no longer has.
public struct OutboxKind: Hashable, Sendable {
    /// The name in the file; it must never change.
    public let name: String
    /// The versions that are sent; the newest is the version of new operations.
    let versions: ClosedRange<Int>
    /// The time for which the server remembers the key of an operation that it has received (D14).
    ///
    /// An operation whose outcome is unknown is not resent after this time, because the server
    /// could carry it out twice. It becomes `DeliveryState.needsReview`. Operations that
    /// were never sent have no such limit.
    let keyWindow: Duration
    /// Whether operations may use networks with a price for each byte (D23).
    let allowsMetered: Bool
    /// Whether an operation that the server has refused stops the later ones of its entity, until
    /// the user has decided about it (U4).
    let blocksFollowing: Bool

    /// Creates a kind.
    ///
    /// - Parameters:
    ///   - name: The name in the file; it must never change.
    ///   - version: The version of new operations, at least 1.
    ///   - oldest: The oldest version that is still sent, at most `version`; by default only
    ///     `version` is sent.
    ///   - keyWindow: The time for which the server remembers the key of a request. Ask the team of
    ///     the server; the default of 24 hours is common.
    ///   - allowsMetered: Whether operations may use networks with a price for each byte; `false`
    ///     for large ones.
    ///   - blocksFollowing: Whether a refused operation stops the later operations of its entity
    ///     until the user has decided. This is useful for the steps of one order. By default, it
    ///     stops only the operations that need it.
    public init(
        _ name: String,
        version: Int = 1,
        readingFrom oldest: Int? = nil,
        keyWindow: Duration = .seconds(24 * 60 * 60),
        allowsMetered: Bool = true,
        blocksFollowing: Bool = false
    ) {
        self.name = name
        versions = (oldest ?? version)...version
        self.keyWindow = keyWindow
        self.allowsMetered = allowsMetered
        self.blocksFollowing = blocksFollowing
    }
}

extension OutboxKind {
    /// Returns the rules for sending an operation of a version; `nil` if this version of the app
    /// cannot send it (D10).
    func rules(for version: Int, isMetered: Bool) -> ChangeRules? {
        guard versions.contains(version) else { return nil }
        return ChangeRules(keyWindow: keyWindow, mayUseNetwork: !isMetered || allowsMetered)
    }
}

extension OutboxRow {
    /// U4: Whether the server has refused it for good, so that the later operations of its entity
    /// need not wait for it.
    ///
    /// A conflict over one version of a record is resolved before the later operations, which are
    /// for the version after it.
    func leavesLine(kinds: [String: OutboxKind]) -> Bool {
        guard entry.state.hasFailed, kinds[kind]?.blocksFollowing != true else { return false }
        return entry.state == .refused || entityTag == nil
    }
}
