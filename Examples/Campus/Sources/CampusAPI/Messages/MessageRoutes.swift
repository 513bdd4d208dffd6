import CampusModels
import Hummingbird

/// The routes for contacts, sending messages and listing sent messages.
struct MessageRoutes {
    let contacts: ContactStore
    let messages: MessageStore
    let writer: IdempotentWriter

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("contacts") { _, context in
            JSON(try await contacts.contacts(of: context.user.id))
        }
        group.get("messages") { _, context in
            JSON(try await messages.messages(of: context.user.id))
        }
        group.post("messages") { request, context in
            let request = try await WriteRequest<NewMessage>(request, context)
            try Self.validate(request.body)
            return try await writer.perform(request) { db in
                try WriteResponse(messages.insert(request.body, of: request.user, in: db), status: .created)
            }
        }
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
