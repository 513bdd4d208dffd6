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

    func make() -> any NetworkTransport {
        switch self {
        case .urlSession: URLSessionTransport()
        #if AsyncHTTPClient
            case .asyncHTTPClient: AsyncHTTPClientTransport()
        #endif
        }
    }
}
