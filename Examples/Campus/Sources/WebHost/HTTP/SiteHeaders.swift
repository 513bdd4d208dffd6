import HTTPTypes
import Hummingbird

/// The header fields of the host's responses.
enum SiteHeaders {
    /// The header of an event that the script sent; its response needs no page.
    static let script = name("X-Backplane-Script")
    static let lastEventID = name("Last-Event-ID")
    static let host = name("Host")
    static let refresh = name("Refresh")
    static let forwardedFor = name("X-Forwarded-For")

    /// The header fields of every response, unless the response has its own.
    ///
    /// They forbid storing the response, framing it, guessing its type, and leaking its address.
    /// They also forbid scripts from other sites, references to the page's window from other
    /// windows, and asking the user for access to devices. With TLS, they forbid requests without
    /// it.
    static func protection(isSecure: Bool) -> [HTTPField] {
        isSecure ? always + [HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")] : always
    }

    private static let always: [HTTPField] = [
        HTTPField(name: .cacheControl, value: "no-store"),
        HTTPField(name: .contentSecurityPolicy, value: policy),
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: name("Referrer-Policy"), value: "same-origin"),
        HTTPField(name: name("X-Frame-Options"), value: "DENY"),
        HTTPField(name: name("Cross-Origin-Opener-Policy"), value: "same-origin"),
        HTTPField(name: name("Cross-Origin-Resource-Policy"), value: "same-origin"),
        HTTPField(name: name("Permissions-Policy"), value: permissions),
    ]

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The page needs none of the features that a script could ask the user for.
    private static let permissions = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"]
        .map { "\($0)=()" }.joined(separator: ", ")

    private static func name(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("'\(name)' is a constant and must be a valid header field name.")
        }
        return name
    }
}

/// The cookies that the host reads and sets.
struct SiteCookies {
    /// A cookie that the script sets, so that pages do not wait for loading sections.
    static let script = "script"

    let isSecure: Bool

    /// The name of the session's cookie.
    ///
    /// A browser accepts a cookie with the prefix `__Host-` only over TLS and from this very host,
    /// so neither a network nor a neighboring domain can plant one.
    private var session: String { isSecure ? "__Host-session" : "session" }

    func session(of request: Request) -> Secret? {
        request.cookies[session].map { Secret(digits: $0.value) }
    }

    /// Returns the field that sets a session's cookie.
    ///
    /// Scripts cannot read the cookie, and posts from other sites do not carry it.
    func field(_ session: Secret) -> HTTPField {
        let attributes = "Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
        return HTTPField(name: .setCookie, value: "\(self.session)=\(session.digits); \(attributes)")
    }
}

extension Response {
    init(page: String, status: HTTPResponse.Status = .ok) {
        self.init(text: page, type: "text/html; charset=utf-8", status: status)
    }

    init(plain text: String, status: HTTPResponse.Status = .ok) {
        self.init(text: text, type: "text/plain; charset=utf-8", status: status)
    }

    /// Creates a stream response; its connection carries nothing else and closes with the stream.
    init(eventStream body: ResponseBody) {
        self.init(status: .ok, headers: [.contentType: "text/event-stream", .connection: "close"], body: body)
    }

    /// Creates a response that sends the browser to another page with a GET (RFC 9110, 15.4.4).
    init(seeOther path: String) {
        self.init(status: .seeOther, headers: [.location: path])
    }

    private init(text: String, type: String, status: HTTPResponse.Status) {
        self.init(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
