import BackplaneNetworking

#if AsyncHTTPClient
    import BackplaneAsyncHTTPClient
#endif

/// The transports that ship.
enum TransportKind: String, CaseIterable, Sendable {
    case urlSession
    #if AsyncHTTPClient
        case asyncHTTPClient
    #endif

    /// Whether it reads no faster than what it reads is taken up; on Linux, `URLSession` at times does.
    var isBounded: Bool {
        #if canImport(FoundationNetworking)
            self != .urlSession
        #else
            true
        #endif
    }

    func make() -> any NetworkTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        #if AsyncHTTPClient
            case .asyncHTTPClient: AsyncHTTPClientTransport()
        #endif
        }
    }
}
