#if AsyncHTTPClient
    import BackplaneAsyncHTTPClient
    import BackplaneNetworking
    import Foundation

    func makeService(at url: URL) throws -> NonAuthenticatedNetworkController {
        try NonAuthenticatedNetworkController(baseURL: url, transport: AsyncHTTPClientTransport())
    }
#endif
