public import BackplaneFeatures
public import BackplaneNetworking

extension Loader where Value: Sendable {
    /// Creates a loader that performs an endpoint for each ID.
    ///
    /// ```swift
    /// let course = Loader(for: { id in .course(id) }, from: account)
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store for its records; by default the loader has a private store.
    ///   - initialValue: Returns the value to show during the first load of an ID; `nil` if none is
    ///     known.
    ///   - endpoint: Returns the endpoint of an ID.
    ///   - controller: The controller that performs the endpoints.
    public convenience init<Controller: NetworkController>(
        store: RecordStore<ID, Value>? = nil,
        initially initialValue: ((ID) -> Value?)? = nil,
        for endpoint: @escaping (ID) -> Endpoint<Controller.Access, Value>,
        from controller: Controller
    ) {
        self.init(store: store, initially: initialValue) { id in try await controller.request(endpoint(id)) }
    }
}

extension Loader where ID == NoID, Value: Sendable {
    /// Creates a loader of a value that exists only once.
    ///
    /// ```swift
    /// let profile = Loader(for: .profile, from: account)
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store for its record; by default the loader has a private store.
    ///   - initialValue: The value to show during the first load; `nil` if none is known.
    ///   - endpoint: The endpoint of the value.
    ///   - controller: The controller that performs the endpoint.
    public convenience init<Controller: NetworkController>(
        store: RecordStore<NoID, Value>? = nil,
        initially initialValue: Value? = nil,
        for endpoint: Endpoint<Controller.Access, Value>,
        from controller: Controller
    ) {
        self.init(store: store, initially: initialValue) { try await controller.request(endpoint) }
    }
}

extension PagedLoader where Cursor: Sendable, Item: Sendable {
    /// Creates a list whose pages come from endpoints.
    ///
    /// An endpoint turns the server's format into a page with `map`:
    ///
    /// ```swift
    /// extension AuthenticatedEndpoint<Page<String, Message>> {
    ///     static func messages(after cursor: String?) -> Self {
    ///         AuthenticatedEndpoint<MessageList>(.get("messages", query: ["after": cursor]))
    ///             .map { Page($0.messages, next: $0.next) }
    ///     }
    /// }
    /// let messages = PagedLoader(for: { .messages(after: $0) }, from: account)
    /// ```
    ///
    /// - Parameters:
    ///   - store: The store for its items; by default the list has a private store.
    ///   - insertsInOrder: Whether an insertion is sent only after the earlier insertions of the
    ///     list are settled.
    ///   - endpoint: Returns the endpoint of the page at a cursor, or of the first page for `nil`.
    ///   - controller: The controller that performs the endpoints.
    public convenience init<Controller: NetworkController>(
        store: RecordStore<Item.ID, Item>? = nil,
        insertsInOrder: Bool = false,
        for endpoint: @escaping (Cursor?) -> Endpoint<Controller.Access, Page<Cursor, Item>>,
        from controller: Controller
    ) {
        self.init(store: store, insertsInOrder: insertsInOrder) { cursor in
            try await controller.request(endpoint(cursor))
        }
    }
}

extension SharedLoads {
    /// Creates shared loads that perform an endpoint for each key.
    ///
    /// ```swift
    /// let todos = SharedLoads(for: { course in .todos(of: course) }, from: account)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: Returns the endpoint of a key.
    ///   - controller: The controller that performs the endpoints.
    public convenience init<Controller: NetworkController>(
        for endpoint: @escaping @Sendable (Key) -> Endpoint<Controller.Access, Value>,
        from controller: Controller
    ) {
        self.init { key in try await controller.request(endpoint(key)) }
    }
}
