internal import Foundation
internal import HTTPTypes

/// What a server sent back, not yet decoded.
struct NetworkAnswer: Sendable {
    let head: HTTPResponse
    let body: Data
}
