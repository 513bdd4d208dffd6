import HTTPTypes
import Hummingbird

/// The loading of pages.
extension Site {
    private enum Arrival {
        case visit(Visit)
        /// The cookie is being replaced.
        case replaced
        /// There are too many sessions.
        case refused
    }

    /// Responds with the page of a link.
    func page(_ request: Request, _ target: String, from client: String?) async -> Response {
        let (link, wanted, page) = Address.removingWindow(from: target)
        var visit: Visit
        switch await arrival(of: request, window: wanted, page: page, from: client) {
        case .visit(let found): visit = found
        case .replaced: return oneMoment
        case .refused: return tooManyVisitors
        }
        let isScripted = request.cookies[SiteCookies.script]?.value == "1"

        // A request for the header fields must not change the page of a window.
        let isLook = request.method == .head
        if !isLook, let wanted, let window = await sessions.window(wanted, in: visit.session) {
            let opening = await window.resume(at: link)
            guard opening == .shown else {
                let refusal = await refusal(opening, of: link, in: window, from: client, session: visit.session)
                return response(refusal, setting: visit.newCookie)
            }
            return await document(of: window, visit: visit, isScripted: isScripted)
        }
        switch await sessions.makeWindow(in: visit.session, isScripted: isScripted) {
        case .sessionEnded:
            return oneMoment
        case .limitReached:
            return response(tooManyWindows, setting: visit.newCookie)
        case .made(let window):
            let opening = await window.open(link)
            guard opening == .shown else {
                let refusal = await refusal(opening, of: link, in: window, from: client, session: visit.session)
                await leave(window, of: visit)
                return response(refusal, setting: visit.newCookie)
            }
            if visit.isNew, !isLook { visit.newCookie = visit.cookie }
            let page = await document(of: window, visit: visit, isScripted: isScripted)
            if isLook { await leave(window, of: visit) }
            return page
        }
    }

    /// Responds with the page that a window shows.
    private func document(of window: Window, visit: Visit, isScripted: Bool) async -> Response {
        if !isScripted { await window.settle(within: configuration.settleLimit, on: configuration.clock) }
        let state = await window.pageState(for: visit.page)
        // The session may have been renewed for another page, and this one would show its data.
        var visit = visit
        guard await update(&visit, for: window.id) else { return oneMoment }
        let document = renderer.document(
            state,
            window: Renderer.WindowData(
                id: window.id.secret.digits,
                csrf: window.csrf.digits,
                version: state.version,
                path: state.path
            )
        )
        let page = Response(page: document, status: state.isMissing ? .notFound : .ok)
        return response(page, setting: visit.newCookie)
    }

    /// Ends a window that no page shows, together with a session that has begun for it.
    private func leave(_ window: Window, of visit: Visit) async {
        if visit.isNew {
            await sessions.discard(visit.session)
        } else {
            await sessions.end(window.id, in: visit.session)
        }
    }

    /// Finds the session of a page's request, or begins one.
    private func arrival(
        of request: Request,
        window: WindowID?,
        page: Secret?,
        from client: String?
    ) async -> Arrival {
        let cookie = cookies.session(of: request)
        switch (await sessions.admit(cookie, window: window, page: page, from: client), cookie) {
        case (.session(let key, let newCookie), let cookie?):
            return .visit(Visit(session: key, cookie: cookie, page: page, newCookie: newCookie))
        case (.replaced, _):
            return .replaced
        default:
            guard let (key, cookie) = await sessions.begin(client: request.headers[.userAgent], from: client) else {
                return .refused
            }
            return .visit(Visit(session: key, cookie: cookie, isNew: true))
        }
    }

    /// Updates the visit if the session was renewed while the request was running.
    ///
    /// - Returns: `false` if the browser may not see the session any more.
    func update(_ visit: inout Visit, for window: WindowID) async -> Bool {
        var updated = visit
        let isAdmitted = await sessions.update(&updated, for: window)
        visit = updated
        return isAdmitted
    }
}
