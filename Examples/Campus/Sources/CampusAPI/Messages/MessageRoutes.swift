import CampusModels
import Hummingbird

/// The routes for contacts, sending messages and listing sent messages.
///
/// `GET /messages?limit=20&before=ID` returns a ``MessagePage`` with the newest messages, or with
/// the newest ones before the message `before`. A message that is sent between two pages changes
/// neither the second page nor a later one.
struct MessageRoutes {
    let contacts: ContactStore
    let messages: MessageStore
    let writer: IdempotentWriter

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("contacts") { _, context in
            JSON(try await contacts.contacts(of: context.user.id))
        }
        group.get("messages") { request, context in
            let query = request.uri.queryParameters
            return JSON(
                try await messages.page(
                    of: context.user.id,
                    before: query.get("before", as: Message.ID.self),
                    limit: try Self.limit(query.get("limit"))
                )
            )
        }
        group.post("messages") { request, context in
            let request = try await WriteRequest<NewMessage>(request, context)
            try Self.validate(request.body)
            return try await writer.perform(request) { db in
                try WriteResponse(messages.insert(request.body, of: request.user, in: db), status: .created)
            }
        }
    }

    private static func limit(_ text: String?) throws -> Int {
        guard let text else { return MessagePage.standardLimit }
        let limits = MessagePage.limits
        guard let limit = Int(text), limits.contains(limit) else {
            throw APIFailure.badRequest("'limit' must be a number from \(limits.lowerBound) to \(limits.upperBound).")
        }
        return limit
    }

    private static func validate(_ message: NewMessage) throws {
        if message.recipients.isEmpty {
            throw APIFailure.invalidContent("'recipients' is empty; name at least one contact.")
        }
        if message.text.allSatisfy(\.isWhitespace) {
            throw APIFailure.invalidContent("'text' is empty; write something.")
        }
        if message.text.count > NewMessage.textLimit {
            throw APIFailure.invalidContent("'text' is longer than \(NewMessage.textLimit) characters; shorten it.")
        }
    }
}
