import BackplaneFeatures

/// A change of the app, with what the server has decided about it.
struct LivenessChange: Sendable {
    enum Kind: String, Codable, Sendable {
        case mark, set, delete, insert

        func apply(_ number: Int, to message: inout Message) {
            if self == .mark { message.marks.append(number) }
            if self == .set { message.text = "set \(number)" }
        }
    }

    let number: Int
    let kind: Kind
    /// The ID of the message in the app.
    let message: String
    let store: Int
    let dependencies: Set<Int>
    /// Whether the message was known not to exist when the user changed it.
    let isOfRefusedItem: Bool
    var isCarriedOut = false
    var isRefused = false
    /// Whether the app has received the server's decision.
    var isAnswered = false
    /// Whether a section has shown the change as failed.
    var isSeenAsFailed = false
    var isDismissed = false
    /// Whether the app has given up the store in which it made the change.
    var isForgotten = false
    var response: Message?

    var isDecided: Bool { isCarriedOut || isRefused }
    var hasFailed: Bool { isRefused && isAnswered }
}

/// A change as the app describes it.
struct MessageChange: RecordChange {
    let number: Int
    let kind: LivenessChange.Kind
    /// The new message of an insertion.
    var message: Message?

    var intent: Intent<Message> {
        if let message { return .replace(message) }
        if kind == .delete { return .delete }
        return .edit { kind.apply(number, to: &$0) }
    }
}
