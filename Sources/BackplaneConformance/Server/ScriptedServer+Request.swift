package import Foundation
package import HTTPTypes

extension ScriptedServer {
    /// A request as it arrived.
    package struct Request: Sendable {
        package let method: String
        package let target: String
        package let fields: HTTPFields
        package let body: Data

        /// The header fields by lower-case name.
        package var headers: [String: String] {
            Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
        }

        package var bearer: String? { headers["authorization"].map { String($0.dropFirst("Bearer ".count)) } }
    }
}
