import BackplaneNetworking

nonisolated struct Announcement: Decodable, Sendable {
    var title: String
}

nonisolated extension AuthenticatedEndpoint<[Announcement]> {
    static var announcements: Self { Self(.get("announcements")) }
}
