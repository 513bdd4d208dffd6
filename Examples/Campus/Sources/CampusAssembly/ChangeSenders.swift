import BackplaneFeatures
import BackplaneNetworking
import BackplaneStorage
import CampusAccounts
import CampusModels
import CampusNetworking
import CourseModels
import ProductInterface
import ProductModels

/// The senders of a user's changes, which decide whether a change outlives the process.
///
/// The features make the same calls in both cases.
struct ChangeSenders {
    let todos: ChangeSender<Course.ID, [Todo]>
    let messages: ChangeSender<Message.ID, Message>
    let favorites: ChangeSender<NoID, Set<Product.ID>>

    /// Creates senders for changes that exist only in memory.
    init(inMemoryOf account: any Account) {
        todos = ChangeSender<Course.ID, [Todo]> { (tick: TickTodo, course: Course.ID, key: IdempotencyKey) in
            try await account.change(tick.todo, of: course, to: TodoChange(isDone: tick.isDone), key: key)
        } merging: { (changed: Todo, todos: inout [Todo]) in
            todos.put(changed)
        }
        messages = ChangeSender<Message.ID, Message> { (message: OutgoingMessage, _: Message.ID, key: IdempotencyKey) in
            try await account.send(message.draft.message, key: key)
        } confirming: { (sent: Message) in
            sent
        }
        favorites = ChangeSender<NoID, Set<Product.ID>> { (change: FavoriteChange, _: NoID, _: IdempotencyKey) in
            // No key is needed, because a repeated request has the same effect.
            try await account.setFavorite(change.product, to: change.isFavorite)
        }
    }

    /// Creates senders for changes that are in the file of an outbox until the server has confirmed
    /// them.
    ///
    /// - Parameters:
    ///   - outbox: the user's part of the outbox.
    ///   - account: the account of the user.
    init(through outbox: AccountOutbox, of account: NetworkAccount) {
        todos = ChangeSender<Course.ID, [Todo]>(
            as: .todos,
            through: outbox,
            entity: { (tick: TickTodo, course: Course.ID) in "todos/\(course)/\(tick.todo)" },
            // A page repeats an event whose response was lost, also after a crash.
            key: { (_: TickTodo, _: Course.ID) in .ofEvent },
            merging: { (changed: Todo, todos: inout [Todo]) in todos.put(changed) },
            endpoint: { (tick: TickTodo, course: Course.ID) in
                .change(tick.todo, of: course, to: TodoChange(isDone: tick.isDone))
            }
        )
        .onConfirmation { course in account.forgetTodos(of: course) }
        messages = ChangeSender<Message.ID, Message>(
            as: .messages,
            through: outbox,
            // One name for all messages keeps the user's order.
            entity: { (_: OutgoingMessage, _: Message.ID) in "messages" },
            label: { (message: OutgoingMessage, _: Message.ID) in message.draft.text },
            key: { (_: OutgoingMessage, _: Message.ID) in .ofEvent },
            confirming: { (sent: Message) in sent },
            endpoint: { (message: OutgoingMessage, _: Message.ID) in .send(message.draft.message) }
        )
        favorites = ChangeSender<NoID, Set<Product.ID>>(
            as: .favorites,
            through: outbox,
            entity: { (change: FavoriteChange, _: NoID) in "favorites/\(change.product)" },
            endpoint: { (change: FavoriteChange, _: NoID) in
                // The API needs no key, because a repeated request has the same effect.
                AuthenticatedIdempotentEndpoint<Void>(
                    needingKey: change.isFavorite ? .addFavorite(change.product) : .removeFavorite(change.product)
                )
            }
        )
    }
}

extension [Todo] {
    /// Replaces the to-do with the same ID, if there is one.
    fileprivate mutating func put(_ changed: Todo) {
        if let index = firstIndex(where: { $0.id == changed.id }) { self[index] = changed }
    }
}
