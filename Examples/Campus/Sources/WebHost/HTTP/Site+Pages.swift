import HTTPTypes
import Hummingbird

/// The loading of pages.
extension Site {
    /// Responds with the page of a link.
    func page(_ request: Request, _ target: String, from client: String?) async -> Response {
        let (link, wanted) = Address.removingWindow(from: target)
        guard var visit = await visit(request, window: wanted, from: client) else { return oneMoment }
        let isScripted = request.cookies[SiteCookies.script]?.value == "1"

        let window: Window
        let opening: Window.Opening
        if let wanted, let found = await sessions.window(wanted, in: visit.session) {
            window = found
            opening = await found.resume(at: link)
        } else {
            guard let made = await sessions.makeWindow(in: visit.session, isScripted: isScripted) else {
                return oneMoment
            }
            window = made
            opening = await made.open(link)
            if opening != .shown { await sessions.end(made.id, in: visit.session) }
        }

        guard opening == .shown else {
            let refusal = refusal(opening, of: link, from: client, session: visit.session)
            return response(refusal, setting: visit.newCookie)
        }
        if !isScripted { await window.settle(within: configuration.settleLimit, on: configuration.clock) }
        let snapshot = await window.snapshot()
        await renewCookie(of: &visit, window: window.id, from: client)
        let document = renderer.document(
            snapshot,
            window: Renderer.WindowData(
                id: window.id.secret.digits,
                csrf: window.csrf.digits,
                version: snapshot.version,
                path: snapshot.path
            )
        )
        return response(
            Response(page: document, status: snapshot.isMissing ? .notFound : .ok),
            setting: visit.newCookie
        )
    }

    /// Finds the session of a page's request or begins one; `nil` while its cookie is being
    /// replaced.
    private func visit(_ request: Request, window: WindowID?, from client: String?) async -> Visit? {
        let cookie = cookies.session(of: request)
        switch (await sessions.admit(cookie, window: window, from: client), cookie) {
        case (.session(let key, let newCookie), let cookie?):
            return Visit(session: key, cookie: cookie, newCookie: newCookie)
        case (.replaced, _):
            return nil
        default:
            let (key, cookie) = await sessions.begin(client: request.headers[.userAgent], from: client)
            return Visit(session: key, cookie: cookie, newCookie: cookie)
        }
    }

    /// Updates the visit if the session was renewed while the request was running.
    func renewCookie(of visit: inout Visit, window: WindowID, from client: String?) async {
        guard case .session(_, let newCookie?) = await sessions.admit(visit.cookie, window: window, from: client)
        else { return }
        visit.newCookie = newCookie
    }
}
