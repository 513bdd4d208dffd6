import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Screens

/// The HTTP side of the host, which responds to requests for pages, events and streams.
struct Site<Scope: Sendable>: Sendable {
    let sessions: Sessions<Scope>
    let renderer: Renderer
    let styleSheet: String
    let configuration: WebHostConfiguration

    /// Responds to any request.
    func respond(to request: Request) async -> Response {
        var response = await route(request)
        for field in SiteHeaders.protection where response.headers[field.name] == nil { response.headers.append(field) }
        return response
    }

    private func route(_ request: Request) async -> Response {
        let target = request.head.path ?? ""
        let path = target.prefix { $0 != "?" }
        switch (request.method, path) {
        case (.get, "/_host/app.js"):
            return Response(script: String(decoding: PackageResources.app_js, as: UTF8.self))
        case (.get, "/_host/icon.svg"):
            return Response(icon: String(decoding: PackageResources.icon_svg, as: UTF8.self))
        case (.get, "/_host/style.css"):
            return Response(styleSheet: styleSheet)
        case (.get, _) where path.hasPrefix("/_host/"):
            guard let window = Address.window(inEventsPath: path) else { return notFound }
            return await stream(request, window)
        case (.post, _):
            guard let window = Address.window(inEventsPath: path) else { return notFound }
            return await receive(request, window)
        case (.get, _) where path.hasPrefix("/"):
            return await page(request, target)
        case (.get, _):
            return malformed
        default:
            return Response(status: .methodNotAllowed, headers: [.allow: "GET, POST"])
        }
    }

    // MARK: Pages

    private func page(_ request: Request, _ target: String) async -> Response {
        let (link, wanted) = Address.removingWindow(from: target)
        guard var visit = await visit(request, window: wanted) else { return oneMoment }
        let isScripted = request.cookies[SiteCookies.script]?.value == "1"

        let window: Window
        let opening: Window.Opening
        if let wanted, let found = await sessions.window(wanted, in: visit.key) {
            window = found
            opening = await found.resume(at: link)
        } else {
            guard let made = await sessions.makeWindow(in: visit.key, isScripted: isScripted) else { return oneMoment }
            window = made
            opening = await made.open(link)
            if opening != .shown { await sessions.end(made.id, in: visit.key) }
        }

        guard opening == .shown else {
            return refusal(opening).setting(visit.newCookie)
        }
        if !isScripted { await window.settle(within: configuration.settleLimit, on: configuration.clock) }
        let snapshot = await window.snapshot()
        await renewCookie(of: &visit, window: window.id)
        let document = renderer.document(
            snapshot,
            window: Renderer.WindowData(
                id: window.id.secret.digits,
                csrf: window.csrf.digits,
                version: snapshot.version,
                path: snapshot.path
            )
        )
        return Response(page: document, status: snapshot.isMissing ? .notFound : .ok).setting(visit.newCookie)
    }

    private func refusal(_ opening: Window.Opening) -> Response {
        switch opening {
        case .shown, .unknown: notFound
        case .malformed: malformed
        case .denied: Response(page: renderer.message("Not allowed", "You cannot open this page."), status: .forbidden)
        }
    }

    private var notFound: Response {
        Response(page: renderer.message("Page not found", "There is no page at this address."), status: .notFound)
    }

    private var malformed: Response {
        Response(page: renderer.message("Malformed address", "This address cannot be read."), status: .badRequest)
    }

    /// The response during the short time in which a session has two cookies; the page reloads
    /// itself.
    private var oneMoment: Response {
        var response = Response(
            page: renderer.message("One moment", "Your session is being renewed."),
            status: .serviceUnavailable
        )
        response.headers[.retryAfter] = "1"
        response.headers[SiteHeaders.refresh] = "1"
        return response
    }

    // MARK: Visits

    /// A request's session and cookie.
    private struct Visit {
        let key: Sessions<Scope>.Key
        /// The cookie that the browser has or is about to receive.
        let cookie: Secret
        /// The cookie to send with the response.
        var newCookie: Secret?
    }

    /// Finds the session of a page's request or begins one; `nil` while its cookie is being
    /// replaced.
    private func visit(_ request: Request, window: WindowID?) async -> Visit? {
        let cookie = SiteCookies.session(of: request)
        switch (await sessions.admit(cookie, window: window), cookie) {
        case (.session(let key, let newCookie), let cookie?):
            return Visit(key: key, cookie: cookie, newCookie: newCookie)
        case (.replaced, _):
            return nil
        default:
            let (key, cookie) = await sessions.begin(client: request.headers[.userAgent])
            return Visit(key: key, cookie: cookie, newCookie: cookie)
        }
    }

    /// Updates the visit if the session was renewed while the request was running.
    private func renewCookie(of visit: inout Visit, window: WindowID) async {
        guard case .session(_, let newCookie?) = await sessions.admit(visit.cookie, window: window) else { return }
        visit.newCookie = newCookie
    }

    // MARK: Events

    private func receive(_ request: Request, _ id: WindowID) async -> Response {
        let isScripted = request.headers[SiteHeaders.script] != nil
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") ?? false else {
            return Response(status: .unsupportedMediaType)
        }
        guard let body = try? await request.body.collect(upTo: configuration.bodyLimit) else {
            return Response(page: renderer.message("Too long", "The form is too long."), status: .contentTooLarge)
        }
        guard var form = Form(String(buffer: body)) else { return malformed }

        guard let cookie = SiteCookies.session(of: request),
            case .session(let key, let newCookie) = await sessions.admit(cookie, window: id),
            let window = await sessions.window(id, in: key)
        else { return gone(request, isScripted: isScripted) }
        guard let csrf = form.take("_csrf"), window.csrf.matches(csrf) else {
            let message = "This form was not sent from your own page. Go back, reload the page, and try again."
            return Response(page: renderer.message("Not allowed", message), status: .forbidden)
        }

        let screen = form.take("_screen").flatMap(Int.init) ?? 0
        let name = form.take("_event") ?? ""
        let eventID = form.take("_id")
        if let signal = PageSignal(rawValue: name) {
            await take(signal, id, in: key)
            return Response(status: .noContent).setting(newCookie)
        }
        if name == "_navigate" {
            let path = Address.removingWindow(from: Address.local(form.fields["path"] ?? "/")).link
            let opening = await window.navigate(to: path)
            guard opening == .shown else { return refusal(opening) }
        } else if name == "_dismiss" {
            await window.dismissSheet(screen: screen)
        } else if name == "_answer" {
            let dialog = form.fields["dialog"].flatMap(Int.init) ?? 0
            await window.answer(form.fields["button"].flatMap(Int.init), dialog: dialog)
        } else {
            await window.handle(ScreenEvent(name: name, fields: form.fields), id: eventID, screen: screen)
        }

        var visit = Visit(key: key, cookie: cookie, newCookie: newCookie)
        if isScripted {
            await renewCookie(of: &visit, window: id)
            return Response(status: .noContent).setting(visit.newCookie)
        }
        await window.settle(within: configuration.settleLimit, on: configuration.clock)
        guard await sessions.window(id, in: key) != nil else { return gone(request, isScripted: false) }
        await renewCookie(of: &visit, window: id)
        return Response(seeOther: await window.resumeAddress()).setting(visit.newCookie)
    }

    /// A message of the script that needs no page.
    private enum PageSignal: String {
        /// The page is hidden, and closes its connection.
        case hide = "_hide"
        /// The page is closed.
        case leave = "_leave"
        /// The user is typing, so the session is in use.
        case active = "_active"
    }

    private func take(_ signal: PageSignal, _ window: WindowID, in key: Sessions<Scope>.Key) async {
        switch signal {
        case .hide: await sessions.setHidden(true, window, in: key)
        case .leave: await sessions.setHidden(false, window, in: key)
        case .active: break
        }
    }

    /// The response after the window or its whole session has ended: the page starts again.
    private func gone(_ request: Request, isScripted: Bool) -> Response {
        if isScripted { return Response(status: .gone) }
        return Response(seeOther: request.headers[.referer].map(Address.path(ofReferer:)) ?? "/")
    }

    // MARK: Streams

    private func stream(_ request: Request, _ id: WindowID) async -> Response {
        let query = (request.head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let known = request.headers[SiteHeaders.lastEventID] ?? Form(String(query))?.fields["version"]
        var key: Sessions<Scope>.Key?
        var newCookie: Secret?
        if case .session(let found, let cookie) = await sessions.admit(SiteCookies.session(of: request), window: id) {
            (key, newCookie) = (found, cookie)
        }
        let stream = EventStream(sessions: sessions, key: key, window: id, version: known.flatMap { Int($0) } ?? 0)
        let body = ResponseBody { writer in
            // A handler is not cancelled when its client disconnects, but this body is.
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await stream.write(to: &writer)
            }
        }
        return Response(eventStream: body).setting(newCookie)
    }
}
