/// Why a mutation or a load did not come to its good end.
///
/// Its description says which one, what happened and what to do about it; no value is part of it.
public struct FeatureError: Error, Sendable {
    /// What went wrong.
    ///
    /// More codes may be added; switch over them with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The server has refused; the change is no longer visible.
        public static let rejected = Code(description: "rejected")
        /// The change found nothing to act on, and was not sent.
        public static let targetMissing = Code(description: "targetMissing")
        /// A mutation that this one depends on failed, so this one was not sent.
        public static let dependencyFailed = Code(description: "dependencyFailed")
        /// Every attempt at it, or at one before it, ended without an answer; the change stays visible and pending.
        public static let unconfirmed = Code(description: "unconfirmed")
        /// The session in which it was made is over.
        public static let sessionEnded = Code(description: "sessionEnded")
        /// Nothing has been loaded, nor been asked for, that could be changed.
        public static let notLoaded = Code(description: "notLoaded")
        /// The load has not ended in the time that this caller gave it.
        public static let timedOut = Code(description: "timedOut")
    }

    /// What went wrong, for code to decide on.
    public let code: Code
    /// The mutation it is about; nil if it is about a load.
    public let mutation: IdempotencyKey?
    /// What the mutation is called, if it has a name, or the ID that was loaded.
    public let label: String?
    /// What went wrong and what to do about it, for people who read logs.
    public let message: String
    /// The error behind this one: what `send` or the intent threw.
    ///
    /// Unlike this error's own description, it may contain what was sent or received.
    public let cause: (any Error)?
}

extension FeatureError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What it is about, and the message.
    public var description: String {
        let name = label.map { "'\($0)'" } ?? mutation.map { "\($0)" } ?? ""
        return "\(mutation == nil ? "Load of" : "Mutation") \(name): \(message)"
    }

    /// The same as `description`: nothing more would be safe to log.
    public var debugDescription: String { "FeatureError(\(code)): \(description)" }
}

extension FeatureError {
    /// The error that an outcome is to those who wait for it; nil if it is none.
    init?(_ outcome: MutationOutcome, of mutation: IdempotencyKey, label: String?) {
        switch outcome {
        case .acknowledged: return nil
        case .rejected(let cause):
            self.init(
                .rejected,
                mutation,
                label,
                cause: cause,
                "The server has refused it, and it is undone. Tell the person why; `cause` is what the send threw."
            )
        case .targetMissing(let cause):
            self.init(
                .targetMissing,
                mutation,
                label,
                cause: cause,
                "What it changes is not there, or not any more, so it was not sent. Show the value as it is now."
            )
        case .dependencyFailed:
            self.init(
                .dependencyFailed,
                mutation,
                label,
                "One that it depends on failed, so it was not sent. Make both again if they are still wanted."
            )
        case .sessionEnded:
            self.init(
                .sessionEnded,
                mutation,
                label,
                "The session it was made in is over. The server may have carried it out; it is not sent again."
            )
        }
    }

    static func unconfirmed(_ mutation: IdempotencyKey, label: String?, cause: any Error) -> Self {
        Self(
            .unconfirmed,
            mutation,
            label,
            cause: cause,
            "No attempt brought an answer. It stays visible, and those made after it wait; `retryPending()` sends it again."
        )
    }

    static func notLoaded(_ mutation: IdempotencyKey, label: String?) -> Self {
        Self(.notLoaded, mutation, label, "The loader has no ID yet. Call `load(_:)` first.")
    }

    static func unknownItem(_ mutation: IdempotencyKey, label: String?) -> Self {
        Self(
            .notLoaded,
            mutation,
            label,
            "The list knows of no such item. Call `load()` first, and mutate its items."
        )
    }

    static func timedOut(_ id: some Hashable, after timeout: Duration) -> Self {
        Self(
            .timedOut,
            nil,
            "\(id)",
            "No value has come in \(timeout). Ask again: a load that others wait for is still under way, and is joined."
        )
    }

    private init(
        _ code: Code,
        _ mutation: IdempotencyKey?,
        _ label: String?,
        cause: (any Error)? = nil,
        _ message: String
    ) {
        self.code = code
        self.mutation = mutation
        self.label = label
        self.cause = cause
        self.message = message
    }
}
