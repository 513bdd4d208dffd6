/// The text of a value in failure messages: Swift source, as far as possible.
///
/// If a type has its own description, that is used. So a type that hides its content (a token, a
/// password) hides it here too. An object is shown by its type. A value that is too long for one
/// line gets one line for each of its parts.
struct ValueText {
    private static let lineLength = 80

    let text: String

    init(_ value: Any) {
        text = Self.text(of: value, indentation: 0)
    }

    /// Creates the text of a value whose type the context does not give, for example an action.
    ///
    /// An enumeration case is written with its type.
    init(qualified value: Any) {
        let plain = ValueText(value).text
        text = plain.hasPrefix(".") ? "\(type(of: value))\(plain)" : plain
    }

    private static func text(of value: Any, indentation: Int) -> String {
        let parts = Parts(value)
        guard case .compound(let opening, let children, let closing) = parts else { return parts.text }
        let line = parts.text
        if indentation + line.count <= lineLength { return line }
        let margin = String(repeating: " ", count: indentation + 4)
        let lines = children.map { child in
            margin + child.label + text(of: child.value, indentation: indentation + 4) + ",\n"
        }
        return "\(opening)\n\(lines.joined())\(margin.dropLast(4))\(closing)"
    }
}

/// The parts of a value, for display.
private enum Parts {
    case simple(String)
    case compound(String, [(label: String, value: Any)], String)

    init(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            self = mirror.children.first.map { Parts($0.value) } ?? .simple("nil")
        case .collection, .set:
            self = .compound("[", mirror.children.map { ("", $0.value) }, "]")
        case .dictionary where mirror.children.isEmpty:
            self = .simple("[:]")
        case .dictionary:
            let pairs = mirror.children.map { Array(Mirror(reflecting: $0.value).children.map(\.value)) }
            self = .compound("[", pairs.map { ("\(Parts($0[0]).text): ", $0[1]) }.sorted { $0.0 < $1.0 }, "]")
        case _ where value is any StringProtocol || value is Character:
            self = .simple(String(reflecting: value))
        case _ where value is any CustomStringConvertible || value is any CustomDebugStringConvertible:
            self = .simple(String(describing: value))
        case .tuple:
            self = .compound("(", Self.labelled(mirror.children), ")")
        case .enum:
            self = Self.enumeration(value, mirror)
        case .struct:
            self = .compound("\(type(of: value))(", Self.labelled(mirror.children), ")")
        default:
            self = .simple(mirror.displayStyle == .class ? "\(type(of: value))" : String(describing: value))
        }
    }

    /// The value on one line.
    var text: String {
        switch self {
        case .simple(let text): text
        case .compound(let opening, let children, let closing):
            opening + children.map { $0.label + Parts($0.value).text }.joined(separator: ", ") + closing
        }
    }

    private static func enumeration(_ value: Any, _ mirror: Mirror) -> Parts {
        guard let payload = mirror.children.first, let name = payload.label else { return .simple(".\(value)") }
        let inner = Mirror(reflecting: payload.value)
        let children = inner.displayStyle == .tuple ? labelled(inner.children) : [("", payload.value)]
        return .compound(".\(name)(", children, ")")
    }

    private static func labelled(_ children: Mirror.Children) -> [(label: String, value: Any)] {
        children.map { child in
            // The unnamed parts of a tuple have the labels ".0", ".1" and so on.
            (child.label.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? "", child.value)
        }
    }
}
