#if AsyncHTTPClient
    import BackplaneAsyncHTTPClient
    import BackplaneNetworking
    import Foundation
    import HTTPTypes
    import NIOHTTP1

    /// Faults of a transport, each with the clauses of the contract that it violates.
    enum BrokenTransport: String, CaseIterable, Sendable {
        case followsRedirects
        case takesWhatThereIs
        case ignoresTheLimit
        case ignoresCancellation
        case addsACookie
        case throwsOn404
        case answersFromACache
        case sendsNoQuery
        case losesRepeatedFields
        case outlivesItsOwner

        var brokenClauses: Set<String> {
            switch self {
            case .followsRedirects:
                [
                    "a redirect is a response and is not followed, so that no credential goes elsewhere",
                    "a redirect within the same server is not followed either",
                ]
            case .takesWhatThereIs:
                [
                    "a response that breaks off before its body is an error",
                    "a body that breaks off is an error, not a short response",
                ]
            case .ignoresTheLimit:
                [
                    "a body as large as the limit is returned, and one byte more is too large",
                    "an endless body fails at the limit, and the connection is closed",
                ]
            case .ignoresCancellation:
                [
                    "a call that is cancelled before it begins throws CancellationError",
                    "cancelling a call that waits for its response ends it and closes the connection",
                    "cancelling a call in the middle of a slow body ends it and closes the connection",
                    "cancelling one call leaves another alone",
                ]
            case .addsACookie: ["cookies are neither stored nor sent"]
            case .throwsOn404: ["any status is a response"]
            case .answersFromACache: ["nothing is cached"]
            case .sendsNoQuery: ["a request arrives with its method, path and query"]
            case .losesRepeatedFields: ["a response has all its header fields, repeated ones too"]
            case .outlivesItsOwner: ["connections are closed when the transport is released"]
            }
        }

        /// Whether the fault keeps a call or a connection from ending.
        var hangs: Bool { self == .ignoresCancellation || self == .outlivesItsOwner }

        func transport() -> any NetworkTransport { Transport(kind: self) }

        /// A correct transport with one fault added.
        private struct Transport: NetworkTransport {
            private static let keptForEver = AsyncHTTPClientTransport()

            let kind: BrokenTransport
            private let good = AsyncHTTPClientTransport()

            init(kind: BrokenTransport) {
                self.kind = kind
            }

            func send(_ request: HTTPRequest, body: Data?, responseLimit: Int) async throws -> (HTTPResponse, Data) {
                var request = request
                switch kind {
                case .takesWhatThereIs:
                    do {
                        return try await good.send(request, body: body, responseLimit: responseLimit)
                    } catch HTTPParserError.invalidEOFState {
                        return (HTTPResponse(status: .ok), Data("123".utf8))
                    }
                case .ignoresTheLimit:
                    return try await good.send(request, body: body, responseLimit: .max)
                case .ignoresCancellation:
                    return try await Task { [request] in
                        try await good.send(request, body: body, responseLimit: responseLimit)
                    }.value
                case .outlivesItsOwner:
                    return try await Self.keptForEver.send(request, body: body, responseLimit: responseLimit)
                case .addsACookie:
                    request.headerFields[.cookie] = "id=1"
                case .sendsNoQuery:
                    request.path = request.path?.split(separator: "?").first.map(String.init)
                case .answersFromACache:
                    request.headerFields[.ifNoneMatch] = "\"1\""
                case .followsRedirects, .throwsOn404, .losesRepeatedFields:
                    break
                }
                var (response, data) = try await good.send(request, body: body, responseLimit: responseLimit)
                switch kind {
                case .followsRedirects:
                    guard response.status.kind == .redirection,
                        let location = response.headerFields[.location].flatMap({ URL(string: $0) }),
                        location.path != ""
                    else { break }
                    if let host = location.host(), let port = location.port { request.authority = "\(host):\(port)" }
                    request.path = location.path
                    return try await good.send(request, body: body, responseLimit: responseLimit)
                case .throwsOn404:
                    if response.status.code == 404 { throw URLError(.fileDoesNotExist) }
                case .losesRepeatedFields:
                    response.headerFields[.vary] = response.headerFields[fields: .vary].first?.value
                default:
                    break
                }
                return (response, data)
            }
        }
    }
#endif
