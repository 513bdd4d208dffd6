import Mustache

/// Escapes what a template inserts, scalar by scalar.
///
/// Mustache's own HTML escaping compares whole characters, so a quotation mark followed by a combining accent passes it
/// as it is, and an attribute ends where the text wants it to. Every template therefore names this content type instead.
struct HTMLEscaping: MustacheContentType {
    static let name = "ESCAPED-HTML"

    /// What every template begins with.
    static let pragma = "{{% CONTENT_TYPE:\(name)}}"

    static func register() {
        MustacheContentTypes.register(HTMLEscaping(), named: name)
    }

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
