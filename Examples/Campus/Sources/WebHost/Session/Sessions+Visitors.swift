import CoreMetrics
import ServerLimits

/// The beginning of sessions, and the limits on visitors.
///
/// A *visitor* is a session that was not renewed, so no user has signed in. A client that keeps no
/// cookies becomes a new visitor with each page, and so does an attacker. Therefore the visitors of
/// one network are limited, and a visitor who has done nothing and has no open page is soon
/// forgotten.
extension Sessions {
    /// Makes a session for a new visitor.
    ///
    /// - Parameters:
    ///   - client: the `User-Agent` of the client.
    ///   - address: the IP address of the client.
    /// - Returns: the session and its cookie; `nil` if there are too many sessions.
    func begin(client: String? = nil, from address: String? = nil) -> (key: Key, cookie: Secret)? {
        let networks = ClientNetworks(of: address ?? "")
        guard visitors.fullNetwork(of: networks) == nil else {
            security.note(.visitorLimit, from: address)
            return nil
        }
        guard sessions.count < configuration.sessionLimit || dismissIdleVisitor() else {
            security.note(.sessionLimit, from: address)
            return nil
        }
        let key = SessionID.random()
        let cookie = Secret.random()
        // A browser's own text is shorter; a session must not hold a long one.
        let client = client.map { String(decoding: $0.utf8.prefix(256), as: UTF8.self) }
        sessions[key] = Session(cookie: cookie.fingerprint, client: client, address: address, visitor: networks)
        keys[cookie.fingerprint] = key
        visitors.add(networks)
        metrics.sessions.record(sessions.count)
        noteUse(of: key)
        return (key, cookie)
    }

    /// Notes that the user has done something, so that the session lasts as long as a user's.
    func noteEvent(in key: Key) {
        guard let session = sessions[key], !session.isUsed else { return }
        sessions[key]?.isUsed = true
        noteUse(of: key)
    }

    /// Notes that a session is not a visitor's any more, because a user has signed in or because
    /// the session has ended.
    func forgetVisitor(of session: Session) {
        if let networks = session.visitor { visitors.remove(networks) }
    }

    /// Ends the session of a visitor without an open page, so that somebody else can come.
    ///
    /// It is one of those who have done nothing, if there are any, and of the network with the most
    /// visitors, and among them the one who came first. So whoever fills the host makes room.
    ///
    /// - Returns: whether there was one.
    private func dismissIdleVisitor() -> Bool {
        var best: (key: Key, rank: (Int, Int, Duration), address: String?)?
        for (key, session) in sessions {
            guard let networks = session.visitor, !session.windows.values.contains(where: \.isOpen) else { continue }
            let rank = (session.isUsed ? 1 : 0, -visitors.count(around: networks), session.lastUse)
            if let best, best.rank <= rank { continue }
            best = (key: key, rank: rank, address: session.address)
        }
        guard let best, let session = remove(best.key) else { return false }
        security.note(.sessionLimit, .replaced, from: best.address, session: best.key)
        Task { await finish(session, best.key) }
        return true
    }

    /// Ends a session whose cookie was never sent, so the app has nothing to forget.
    func discard(_ key: Key) async {
        guard let session = remove(key) else { return }
        await remove(session, key)
        for tenancy in session.windows.values { await tenancy.window.end() }
    }

    /// Ends a window after its grace period, and a visitor who has done nothing with the last one.
    ///
    /// If a page has connected again in the meantime, nothing ends.
    func endAbandoned(_ place: Place) async {
        guard sessions[place.session]?.windows[place.window]?.isAbandoned ?? false else { return }
        await end(place.window, in: place.session)
        guard let session = sessions[place.session], !session.isUsed, session.windowCount == 0 else { return }
        await end(place.session)
    }
}
