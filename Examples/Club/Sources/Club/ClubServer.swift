import BackplaneNetworking

nonisolated extension NonAuthenticatedEndpoint<[Meeting]> {
    static var meetings: Self { Self(.get("meetings")) }
}

nonisolated extension NonAuthenticatedEndpoint<Meeting> {
    static func meeting(_ id: Meeting.ID) -> Self { Self(.get("meetings/\(id)")) }
}

nonisolated extension NonAuthenticatedEndpoint<NetworkTokens> {
    static func signIn(name: String, password: String) -> Self {
        Self(.post("tokens", body: .json(["name": name, "password": password])))
    }

    static func renewed(with token: RefreshToken) -> Self {
        Self(.post("tokens/renewal", body: .json(["refresh_token": token])))
    }
}

nonisolated extension AuthenticatedEndpoint<Member> {
    static var member: Self { Self(.get("me")) }
}

nonisolated extension AuthenticatedEndpoint<Seat> {
    static func seat(at meeting: Meeting.ID) -> Self { Self(.get("meetings/\(meeting)/seat")) }
}

nonisolated extension AuthenticatedIdempotentEndpoint<Seat> {
    static func take(_ change: TakeSeat, at meeting: Meeting.ID) -> Self {
        Self(.put("meetings/\(meeting)/seat", body: .json(["guests": change.guests])))
    }
}
