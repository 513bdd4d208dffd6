import BackplaneNetworking

#if AsyncHTTPClient
    import BackplaneAsyncHTTPClient
#endif

/// The transports that the package ships.
enum TransportKind: String, CaseIterable, Sendable {
    case urlSession
    #if AsyncHTTPClient
        case asyncHTTPClient
    #endif

    /// Whether the transport reads no faster than its data is consumed, which `URLSession` on Linux
    /// does not guarantee.
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
