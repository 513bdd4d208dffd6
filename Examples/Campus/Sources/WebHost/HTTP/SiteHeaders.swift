import HTTPTypes
import Hummingbird

/// The header fields of the host's answers.
enum SiteHeaders {
    /// Says that the script sent an event: it needs no page for an answer.
    static let script = name("X-Backplane-Script")
    static let lastEventID = name("Last-Event-ID")
    static let refresh = name("Refresh")

    /// On every answer: nothing of it is kept, framed, guessed at, told to others, or run that did not come from here.
    static let protection: [HTTPField] = [
        HTTPField(name: .cacheControl, value: "no-store"),
        HTTPField(name: .contentSecurityPolicy, value: policy),
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: name("Referrer-Policy"), value: "same-origin"),
    ]

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static func name(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("'\(name)' is a constant and must be a valid header field name.")
        }
        return name
    }
}

/// The cookies the host reads and sets.
enum SiteCookies {
    static let session = "session"
    /// Set by the script, to say that it runs: pages need then not wait for what is loading.
    static let script = "script"

    static func session(of request: Request) -> Secret? {
        request.cookies[session].map { Secret(digits: $0.value) }
    }
}

extension Response {
    init(page: String, status: HTTPResponse.Status = .ok) {
        self.init(text: page, type: "text/html; charset=utf-8", status: status)
    }

    init(script: String) {
        self.init(text: script, type: "text/javascript; charset=utf-8")
        headers[.cacheControl] = "no-cache"
    }

    init(styleSheet: String) {
        self.init(text: styleSheet, type: "text/css; charset=utf-8")
        headers[.cacheControl] = "no-cache"
    }

    /// A stream ends with its connection, which nothing else is to be sent over.
    init(eventStream body: ResponseBody) {
        self.init(status: .ok, headers: [.contentType: "text/event-stream", .connection: "close"], body: body)
    }

    /// Sends the browser to another page with a GET (RFC 9110, 15.4.4).
    init(seeOther path: String) {
        self.init(status: .seeOther, headers: [.location: path])
    }

    private init(text: String, type: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Gives the browser a session's cookie, if there is one to give: out of reach of scripts, and not sent along with
    /// other sites' posts.
    func setting(_ session: Secret?) -> Response {
        guard let session else { return self }
        var response = self
        response.headers.append(
            HTTPField(
                name: .setCookie,
                value: "\(SiteCookies.session)=\(session.digits); Path=/; HttpOnly; SameSite=Lax"
            )
        )
        return response
    }
}
