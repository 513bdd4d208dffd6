internal import Foundation

extension NetworkError {
    /// The largest number of characters of ``reason``.
    private static let reasonLimit = 500

    /// The text of the server about the failure, or `nil` if there is none.
    ///
    /// It is the description of ``cause`` if that is a decoded error body with a description
    /// (`LocalizedError`). Otherwise it is a text of a JSON body: `detail` or `title` as in problem
    /// details (RFC 9457), `error_description` as in OAuth 2.0 (RFC 6749), `message`, or `error`.
    ///
    /// The text is for the user, not for logs. Line ends and other control characters are spaces,
    /// and a text of more than 500 characters is cut.
    public var reason: String? {
        guard status != nil, let text = textOfCause ?? textOfBody else { return nil }
        let words = text.split { character in
            character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
        }
        let reason = words.joined(separator: " ")
        if reason.isEmpty { return nil }
        return reason.count > Self.reasonLimit ? reason.prefix(Self.reasonLimit) + "…" : reason
    }

    private var textOfCause: String? { (cause as? any LocalizedError)?.errorDescription }

    private var textOfBody: String? {
        guard let body, let fields = try? JSONDecoder().decode([String: ReasonField].self, from: body) else {
            return nil
        }
        let names = ["detail", "title", "error_description", "message", "error"]
        return names.lazy.compactMap { fields[$0]?.text }.first
    }
}

/// A field of an error body, which may have a value of any kind.
private struct ReasonField: Decodable {
    /// The value, if it is a text, or the message in it.
    let text: String?

    private struct Message: Decodable {
        let message: String
    }

    init(from decoder: any Decoder) throws {
        text = (try? String(from: decoder)) ?? (try? Message(from: decoder))?.message
    }
}
