#if AsyncHTTPClient
    import AsyncHTTPClient
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
        case resends
        case noticesCancellationLate
        case addsAMediaType
        case losesTheBodyOfA401
        case callsLostRequestsUnsent

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
                    "a call that is cancelled before it begins throws CancellationError and sends nothing",
                    "cancelling a call that waits for its response ends it and closes the connection",
                    "cancelling a call in the middle of a slow body ends it and closes the connection",
                    "cancelling one call leaves another alone",
                ]
            case .addsACookie:
                ["cookies are neither stored nor sent", "no fields are added that say something about the request"]
            case .throwsOn404: ["any status is a response"]
            case .answersFromACache:
                ["nothing is cached", "no fields are added that say something about the request"]
            case .sendsNoQuery: ["a request arrives with its method, path and query"]
            case .losesRepeatedFields: ["a response has all its header fields, repeated ones too"]
            case .outlivesItsOwner: ["connections are closed when the transport is released"]
            case .resends:
                [
                    "a request that changes something is sent once, even if a kept connection closes instead of a response"
                ]
            case .noticesCancellationLate:
                ["a call that is cancelled before it begins throws CancellationError and sends nothing"]
            case .addsAMediaType: ["no fields are added that say something about the request"]
            case .losesTheBodyOfA401: ["a 401 with a challenge is a response, with its body"]
            case .callsLostRequestsUnsent:
                [
                    "a request that changes something is sent once, even if a kept connection closes instead of a response",
                    "a request that has arrived is not reported as one without a connection",
                ]
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
                case .resends:
                    do {
                        return try await good.send(request, body: body, responseLimit: responseLimit)
                    } catch let error as HTTPClientError where error == .remoteConnectionClosed {
                        return try await good.send(request, body: body, responseLimit: responseLimit)
                    }
                case .noticesCancellationLate where Task.isCancelled:
                    _ = await Task { [request] in try await good.send(request, body: body, responseLimit: 1000) }.result
                    throw CancellationError()
                case .callsLostRequestsUnsent:
                    do {
                        return try await good.send(request, body: body, responseLimit: responseLimit)
                    } catch let error as HTTPClientError where error == .remoteConnectionClosed {
                        throw URLError(.cannotConnectToHost)
                    }
                case .addsAMediaType:
                    if body != nil { request.headerFields[.contentType] = "application/x-www-form-urlencoded" }
                case .outlivesItsOwner:
                    return try await Self.keptForEver.send(request, body: body, responseLimit: responseLimit)
                case .addsACookie:
                    request.headerFields[.cookie] = "id=1"
                case .sendsNoQuery:
                    request.path = request.path?.split(separator: "?").first.map(String.init)
                case .answersFromACache:
                    request.headerFields[.ifNoneMatch] = "\"1\""
                case .followsRedirects, .throwsOn404, .losesRepeatedFields, .losesTheBodyOfA401,
                    .noticesCancellationLate:
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
                case .losesTheBodyOfA401:
                    if response.status == .unauthorized { data = Data() }
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
