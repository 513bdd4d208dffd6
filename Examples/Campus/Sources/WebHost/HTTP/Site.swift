import HTTPTypes
import Hummingbird
import ServerLimits

/// The HTTP side of the host, which responds to requests for pages, events and streams.
struct Site<Scope: Sendable>: Sendable {
    let sessions: Sessions<Scope>
    let renderer: Renderer
    let configuration: WebHostConfiguration
    let cookies: SiteCookies
    private let readiness: Readiness
    private let protection: [HTTPField]
    /// The files of the pages, by their paths.
    private let assets: [Substring: Asset]

    init(sessions: Sessions<Scope>, renderer: Renderer, styleSheet: String, configuration: WebHostConfiguration) {
        self.sessions = sessions
        self.renderer = renderer
        self.configuration = configuration
        cookies = SiteCookies(isSecure: configuration.isSecure)
        readiness = Readiness(Stopwatch(configuration.clock)) {
            guard await sessions.checkStore() else { return "sessions cannot be stored" }
            return await sessions.checkApp() ? nil : "the app cannot store changes"
        }
        protection = SiteHeaders.protection(isSecure: configuration.isSecure)
        let (script, icon) = (PackageResources.app_js, PackageResources.icon_svg)
        assets = [
            "/_host/app.js": Asset(String(decoding: script, as: UTF8.self), type: "text/javascript; charset=utf-8"),
            "/_host/icon.svg": Asset(String(decoding: icon, as: UTF8.self), type: "image/svg+xml"),
            "/_host/style.css": Asset(styleSheet, type: "text/css; charset=utf-8"),
        ]
    }

    /// Responds to any request.
    ///
    /// - Throws: the error of the connection if the body of the request cannot be read.
    func respond(to request: Request, in context: HostContext) async throws -> Response {
        let client = ClientAddress.client(
            peer: context.peer,
            forwarded: request.headers[values: SiteHeaders.forwardedFor],
            trusting: configuration.trustedProxies
        )
        // In a child task: a task keeps the memory of its deepest call until it ends, and this one
        // lasts as long as its connection.
        async let routed = route(request, from: client)
        var response = try await routed
        for field in protection where response.headers[field.name] == nil { response.headers.append(field) }
        // RFC 9110, 9.3.2: the same header fields, without the content.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func route(_ request: Request, from client: String?) async throws -> Response {
        let target = request.head.path ?? ""
        let path = target.prefix { $0 != "?" }
        // RFC 9112, 3.2: a request has one field `Host`.
        guard target.utf8.count <= Address.limit, request.head.authority != nil,
            request.headers[values: SiteHeaders.host].isEmpty
        else { return malformed(from: client) }
        switch (request.method == .head ? .get : request.method, path) {
        case (.get, "/health/live"):
            return Response(plain: "alive")
        case (.get, "/health/ready"):
            return await readinessResponse
        case (.get, _) where path.hasPrefix("/_host/"):
            if let asset = assets[path] { return asset.response(to: request) }
            guard let window = Address.window(inEventsPath: path) else { return notFound() }
            return await stream(request, window, from: client)
        case (.post, _):
            guard let window = Address.window(inEventsPath: path) else { return notFound() }
            return try await receive(request, window, from: client)
        case (.get, _) where path.hasPrefix("/"):
            return await page(request, target, from: client)
        case (.get, _):
            return malformed(from: client)
        default:
            return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD, POST"])
        }
    }

    /// The response to a load balancer that asks whether to send users here.
    ///
    /// A host that starts or shuts down accepts no connections, so no load balancer gets here.
    private var readinessResponse: Response {
        get async {
            guard let problem = await readiness.problem else { return Response(plain: "ready") }
            return Response(plain: problem, status: .serviceUnavailable)
        }
    }

    // MARK: Refusals

    /// Returns the response to a link that a window does not show, and logs it.
    func refusal(
        _ opening: Window.Opening,
        of link: String,
        in window: Window,
        from client: String?,
        session: SessionID
    ) async -> Response {
        switch opening {
        case .shown, .unknown:
            sessions.security.note(.unknownLink, from: client, session: session, link: link)
            return notFound(bar: await window.bar())
        case .malformed:
            return malformed(from: client, session: session)
        case .denied:
            sessions.security.note(.deniedLink, from: client, session: session, link: link)
            let text = "You cannot open this page."
            return message("Not allowed", text, bar: await window.bar(), status: .forbidden)
        }
    }

    private func notFound(bar: String = "") -> Response {
        message("Page not found", "There is no page at this address.", bar: bar, status: .notFound)
    }

    /// Returns the response to a request that cannot be read, and logs it.
    func malformed(from client: String?, session: SessionID? = nil) -> Response {
        sessions.security.note(.malformedRequest, from: client, session: session)
        return message("Malformed address", "This address cannot be read.", status: .badRequest)
    }

    /// The response during the short time in which a session has two cookies; the page reloads
    /// itself.
    var oneMoment: Response {
        var response = message("One moment", "Your session is being renewed.", status: .serviceUnavailable)
        response.headers[.retryAfter] = "1"
        response.headers[SiteHeaders.refresh] = "1"
        return response
    }

    /// The response to an event that was handled and cannot be stored; the script repeats it.
    var unsaved: Response {
        busy("Not saved", "What you did last cannot be saved at the moment, and may be lost.", retryAfter: 1)
    }

    /// The response to a visitor for whom there is no session.
    var tooManyVisitors: Response {
        busy("Too many visitors", "There are too many visitors at the moment. Try again in a minute.")
    }

    /// The response to a page for which there is no window.
    var tooManyWindows: Response {
        busy("Too many tabs", "You have too many tabs of this app. Close some of them, then reload this page.")
    }

    private func busy(_ title: String, _ text: String, retryAfter seconds: Int = 60) -> Response {
        var response = message(title, text, status: .serviceUnavailable)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }

    /// Returns a page with only a message.
    func message(_ title: String, _ text: String, bar: String = "", status: HTTPResponse.Status) -> Response {
        Response(page: renderer.message(title, text, bar: bar), status: status)
    }

    /// Returns a response with a session's new cookie, or unchanged for `nil`.
    func response(_ response: Response, setting cookie: Secret?) -> Response {
        guard let cookie else { return response }
        var response = response
        response.headers.append(cookies.field(cookie))
        return response
    }
}

/// A request's session and cookie.
struct Visit {
    let session: SessionID
    /// The cookie that the browser has, or receives if its page is shown.
    let cookie: Secret
    /// The key of the page that sends the request, if it has one.
    var page: Secret?
    /// The cookie to send with the response.
    var newCookie: Secret?
    /// Whether the session began with this request.
    var isNew = false
}
