import HTTPTypes
import Hummingbird
import NIOCore
import Screens

/// The events that pages send, and the streams that they listen on.
extension Site {
    /// Passes an event to its window.
    ///
    /// - Throws: the error of the connection if the body cannot be read.
    func receive(_ request: Request, _ id: WindowID, from client: String?) async throws -> Response {
        let isScripted = request.headers[SiteHeaders.script] != nil
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") ?? false else {
            return Response(status: .unsupportedMediaType)
        }
        var body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: configuration.bodyLimit)
        } catch is NIOTooManyBytesError {
            sessions.security.note(.longForm, from: client)
            return message("Too long", "The form is too long.", status: .contentTooLarge)
        }
        guard let text = try? body.readUTF8ValidatedString(length: body.readableBytes), var form = Form(text) else {
            return malformed(from: client)
        }

        // A page without the script learns its key from the response to this event alone.
        let page = PageKey.read(form.take("_page")) ?? (isScripted ? nil : .random())
        guard let cookie = cookies.session(of: request),
            case .session(let key, let newCookie) = await sessions.admit(cookie, window: id, page: page, from: client),
            let window = await sessions.window(id, in: key)
        else { return gone(request, isScripted: isScripted) }
        guard let csrf = form.take("_csrf"), window.csrf.matches(csrf) else {
            sessions.security.note(.forgedForm, from: client, session: key)
            let text = "This form was not sent from your own page. Go back, reload the page, and try again."
            return message("Not allowed", text, status: .forbidden)
        }

        let screen = form.take("_screen").flatMap(Int.init) ?? 0
        let name = form.take("_event") ?? ""
        // A window keeps the last IDs, so it must not get long ones.
        let eventID = form.take("_id").flatMap { $0.utf8.count <= 64 ? $0 : nil }
        let identity = form.take("_once").map { "\(key) \($0)" } ?? eventID.map { "\(id.secret.digits) \($0)" }
        if let signal = PageSignal(rawValue: name) {
            await take(signal, id, in: key)
            return response(Response(status: .noContent), setting: newCookie)
        }
        await sessions.noteEvent(in: key)
        if name == "_navigate" {
            let path = Address.removingWindow(from: Address.local(form.fields["path"] ?? "/")).link
            guard path.utf8.count <= Address.limit else { return malformed(from: client, session: key) }
            let opening = await window.navigate(to: path)
            guard opening == .shown else {
                return await refusal(opening, of: path, in: window, from: client, session: key)
            }
        } else if name == "_dismiss" {
            await window.dismissSheet(screen: screen)
        } else if name == "_answer" {
            let dialog = form.fields["dialog"].flatMap(Int.init) ?? 0
            await window.answer(form.fields["button"].flatMap(Int.init), dialog: dialog)
        } else {
            let event = ScreenEvent(name: name, fields: form.fields)
            await finish(await window.handle(event, id: eventID, identity: identity, screen: screen, from: page))
        }

        // The page repeats an event without a response, so a response means that all is stored.
        await sessions.finishStoring(of: key)
        await window.store(event: eventID)

        guard await sessions.isStored() else { return unsaved }

        var visit = Visit(session: key, cookie: cookie, page: page, newCookie: newCookie)
        if isScripted {
            _ = await update(&visit, for: id)
            return response(Response(status: .noContent), setting: visit.newCookie)
        }
        await window.settle(within: configuration.settleLimit, on: configuration.clock)
        guard await sessions.window(id, in: key) != nil, await update(&visit, for: id) else {
            return gone(request, isScripted: false)
        }
        return response(Response(seeOther: await window.resumeAddress(for: page)), setting: visit.newCookie)
    }

    /// Returns when the changes are saved that an event makes in tasks, or when it takes too long.
    private func finish(_ effects: EventEffects?) async {
        guard let effects else { return }
        let count = await effects.unsavedCount()
        guard count > 0 else { return }
        let (clock, limit) = (configuration.clock, configuration.settleLimit)
        await withTaskGroup { group in
            group.addTask { await effects.saved(count) }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func take(_ signal: PageSignal, _ window: WindowID, in key: SessionID) async {
        switch signal {
        case .hide: await sessions.setHidden(true, window, in: key)
        case .leave: await sessions.setHidden(false, window, in: key)
        case .active: await sessions.noteEvent(in: key)
        }
    }

    /// The response after the window or its whole session has ended: the page starts again.
    private func gone(_ request: Request, isScripted: Bool) -> Response {
        if isScripted { return Response(status: .gone) }
        return Response(seeOther: request.headers[.referer].map(Address.path(ofReferer:)) ?? "/")
    }

    // MARK: Streams

    /// Responds with the stream of a window's changes.
    func stream(_ request: Request, _ id: WindowID, from client: String?) async -> Response {
        guard await sessions.hasRoomForStream(from: client) else {
            return Response(status: .tooManyRequests, headers: [.retryAfter: "10"])
        }
        let query = (request.head.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let fields = Form(String(query))?.fields
        let known = request.headers[SiteHeaders.lastEventID] ?? fields?["version"]
        let page = PageKey.read(fields?["page"])
        let cookie = cookies.session(of: request)
        var visit: Visit?
        let admission = await sessions.admit(cookie, window: id, page: page, from: client, isConnection: true)
        if let cookie, case .session(let key, let newCookie) = admission {
            visit = Visit(session: key, cookie: cookie, page: page, newCookie: newCookie)
        }
        let version = known.flatMap { Int($0) } ?? 0
        let stream = EventStream(sessions: sessions, visit: visit, window: id, version: version, client: client)
        let body = ResponseBody { writer in
            // A handler is not cancelled when its client disconnects.
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await stream.write(to: &writer)
            } onInboundClosed: {
                stream.end()
            }
        }
        return response(Response(eventStream: body), setting: visit?.newCookie)
    }
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
