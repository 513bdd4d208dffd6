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
                    before: try Self.before(query.get("before")),
                    limit: try Self.limit(query.get("limit"))
                )
            )
        }
        group.post("messages") { request, context in
            let request = try await WriteRequest<NewMessage>(request, context)
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

    private static func before(_ text: String?) throws -> Message.ID? {
        guard let text else { return nil }
        try TextRule.id.check(text, named: "'before'", failingWith: .badRequest)
        return Message.ID(rawValue: text)
    }
}
