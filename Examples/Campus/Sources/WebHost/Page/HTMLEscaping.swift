import Mustache

/// A content type that escapes inserted values, scalar by scalar.
///
/// Mustache's own HTML escaping compares whole characters. It does not escape a quotation mark that
/// is followed by a combining accent, so such a text could end an attribute early. Every template
/// therefore uses this content type instead.
struct HTMLEscaping: MustacheContentType {
    static let name = "ESCAPED-HTML"

    /// The first line of every template.
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
