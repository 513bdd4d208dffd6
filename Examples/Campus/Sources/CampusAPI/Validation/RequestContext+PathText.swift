import Foundation
import Hummingbird

extension RequestContext {
    /// Returns the variable part `name` of the path, percent-decoded once.
    ///
    /// - Throws: status 400 if the encoding is not valid UTF-8, or if the text is not allowed.
    func pathText(_ name: String) throws -> String {
        guard let text = try parameters.require(name).removingPercentEncoding else {
            throw APIFailure.badRequest("The percent-encoding of the path is not valid.")
        }
        try TextRule.id.check(text, named: "The path", failingWith: .badRequest)
        return text
    }
}
