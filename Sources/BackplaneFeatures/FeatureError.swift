internal import BackplaneConcurrency

/// An error of a mutation or a load.
///
/// Its description says which mutation or load failed, what happened and what to do. It never
/// contains a value.
public struct FeatureError: Error, Sendable {
    /// The kind of a failure.
    ///
    /// Later versions may add codes, so switch over them with a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The server refused the mutation; its change is no longer visible.
        public static let rejected = Code(description: "rejected")
        /// The change could not be written to the disk, was not sent, and is no longer visible.
        public static let notSaved = Code(description: "notSaved")
        /// The change found no value to change, and was not sent.
        public static let targetMissing = Code(description: "targetMissing")
        /// This mutation was not sent, because it needs another mutation that failed.
        public static let dependencyFailed = Code(description: "dependencyFailed")
        /// The outcome of this mutation or an earlier one is unknown; its change stays visible and
        /// pending.
        public static let unconfirmed = Code(description: "unconfirmed")
        /// The session in which the mutation was made has ended.
        public static let sessionEnded = Code(description: "sessionEnded")
        /// The loader or list has no value to change, because nothing was loaded.
        public static let notLoaded = Code(description: "notLoaded")
        /// The store cannot send changes of this type, so the change was not made.
        public static let noSender = Code(description: "noSender")
        /// The load did not finish within the caller's time limit.
        public static let timedOut = Code(description: "timedOut")
    }

    /// The kind of the failure, for decisions in code.
    public let code: Code
    /// The ID of the mutation, or `nil` if a load failed.
    public let mutation: IdempotencyKey?
    /// The label of the mutation, if it has one, or the ID that was loaded.
    public let label: String?
    /// A text that says what went wrong and what to do about it, for readers of logs.
    public let message: String
    /// The underlying error: the error that `send` or the intent threw.
    ///
    /// The underlying error may contain data that was sent or received; the description of this
    /// error does not.
    public let cause: (any Error)?
}

extension FeatureError {
    /// The status of the server's response, or `nil` if there was none.
    ///
    /// It is known if ``cause`` is an error of `BackplaneNetworking`.
    public var status: Int? { serverFailure?.statusCode }

    /// The text of the server about the failure, for the user; `nil` if there is none.
    ///
    /// It is known if ``cause`` is an error of `BackplaneNetworking`. The description of this error
    /// does not contain the text, because it may contain private data.
    public var reason: String? { serverFailure?.reason }

    private var serverFailure: (any ServerFailure)? { cause as? any ServerFailure }
}

extension FeatureError: CustomStringConvertible {
    /// A text that names the mutation or load, followed by the message.
    public var description: String {
        let name = label.map { "'\($0)'" } ?? mutation.map { "\($0)" } ?? ""
        let isLoad = mutation == nil && code == .timedOut
        return "\(isLoad ? "Load of" : "Mutation") \(name): \(message)"
    }
}

extension FeatureError {
    /// Creates the error of an outcome for the callers that wait, or returns `nil` if the outcome
    /// is a success.
    init?(_ outcome: MutationOutcome, of mutation: IdempotencyKey, label: String?) {
        let (code, cause, message): (Code, (any Error)?, String)
        switch outcome {
        case .acknowledged: return nil
        case .rejected(let error):
            (code, cause) = (.rejected, error)
            message = """
                The server refused it\(Self.status(of: error)), and it is undone. Tell the user why: see `reason`, and \
                `cause` for the error that `send` threw.
                """
        case .notSaved(let error):
            (code, cause) = (.notSaved, error)
            message = "It could not be saved, so it was not sent, and it is undone. See `cause` for the reason."
        case .targetMissing(let error):
            (code, cause) = (.targetMissing, error)
            message = "The change does not apply to the current value, so it was not sent. Show the current value."
        case .dependencyFailed(let needed):
            (code, cause) = (.dependencyFailed, nil)
            message = """
                It depends on \(needed), which failed, so it was not sent. Make both again if they are still wanted; an \
                outbox sends it after the other one if that is retried there.
                """
        case .sessionEnded:
            (code, cause) = (.sessionEnded, nil)
            message = """
                Its session has ended. It is not resent, but the server may have carried it out: load the value again.
                """
        }
        self.init(code, mutation, label, cause: cause, message)
    }

    static func unconfirmed(_ mutation: IdempotencyKey, label: String?, cause: any Error) -> Self {
        Self(
            .unconfirmed,
            mutation,
            label,
            cause: cause,
            """
            The outcome is unknown\(status(of: cause)). It stays visible, and later mutations wait. Call \
            `retryPending()` to resend it, or decide about it in its outbox if it needs a review there.
            """
        )
    }

    static func notLoaded(_ mutation: IdempotencyKey?, label: String?) -> Self {
        Self(.notLoaded, mutation, label, "The loader has no ID. Call `load(_:)` first.")
    }

    static func noSender(of change: any RecordChange.Type, label: String?) -> Self {
        Self(
            .noSender,
            nil,
            label ?? "\(change)",
            "The store cannot send this type of change. Give a `ChangeSender` for it to `RecordStore(sending:)`."
        )
    }

    static func unknownItem(_ mutation: IdempotencyKey, label: String?) -> Self {
        Self(
            .notLoaded,
            mutation,
            label,
            "The list is not loaded, or its store has no such item. Call `load()` first, then change a loaded item."
        )
    }

    static func timedOut(_ id: some Hashable, after timeout: Duration) -> Self {
        Self(
            .timedOut,
            nil,
            "\(id)",
            "No value arrived within \(timeout). Call again: you join the load if it still runs, or start a new one."
        )
    }

    private static func status(of cause: any Error) -> String {
        (cause as? any ServerFailure)?.statusCode.map { " (status \($0))" } ?? ""
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
