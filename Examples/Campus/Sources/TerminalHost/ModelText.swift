import Screens

/// The text form of a section's model, which needs no template: the names and values of the model.
///
/// Each element of a list is one line. A value that is `nil` or `false` is not shown, and a value
/// that is `true` shows only its name. The result reads like a page, not like a dump.
enum ModelText {
    /// Returns the lines for a model of any type.
    static func lines(of model: Any) -> [String] {
        if let load = model as? any LoadText { return load.lines }
        return switch Shape(model) {
        case .nothing, .flag: []
        case .scalar(let text): [text]
        case .list(let elements): elements.isEmpty ? ["None"] : elements.map { "- " + row(of: $0) }
        case .fields(let fields): fields.flatMap { lines(of: $0.value, named: name($0.label)) }
        }
    }

    /// Returns the text without control characters.
    ///
    /// The text may come from any user, and a terminal would execute control characters.
    static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        )
    }

    private static func lines(of value: Any, named name: String) -> [String] {
        switch Shape(value) {
        case .nothing: []
        case .flag: [name]
        case .scalar(let text): [text.isEmpty ? "\(name):" : "\(name): \(text)"]
        case .list(let elements) where elements.isEmpty: ["\(name): none"]
        case .list, .fields: ["\(name):"] + lines(of: value).map { "  \($0)" }
        }
    }

    /// Returns one line for an element of a list, without the names of its values.
    private static func row(of element: Any, named name: String = "") -> String {
        switch Shape(element) {
        case .nothing: ""
        case .flag: name
        case .scalar(let text): text
        case .list(let elements): elements.map { row(of: $0) }.joined(separator: ", ")
        case .fields(let fields):
            fields.map { row(of: $0.value, named: Self.name($0.label)) }.filter { !$0.isEmpty }.joined(separator: " · ")
        }
    }

    /// Returns a label as words: `officeHours` as "office hours", `isDone` as "done".
    private static func name(_ label: String) -> String {
        var words = ""
        for character in label {
            if character.isUppercase { words += " " }
            words += character.lowercased()
        }
        return words.hasPrefix("is ") ? String(words.dropFirst(3)) : words
    }
}

/// The shape of a value in a model.
private enum Shape {
    /// The value is `nil` or `false`.
    case nothing
    /// The value is `true`.
    case flag
    case scalar(String)
    case list([Any])
    case fields([(label: String, value: Any)])

    init(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        switch (mirror.displayStyle, value) {
        case (.optional, _): self = mirror.children.first.map { Shape($0.value) } ?? .nothing
        case (.collection, _), (.set, _): self = .list(mirror.children.map(\.value))
        case (_, let flag as Bool): self = flag ? .flag : .nothing
        case (.struct, _) where !(value is any CustomStringConvertible):
            self = .fields(mirror.children.map { ($0.label ?? "", $0.value) })
        default: self = .scalar(ModelText.line("\(value)"))
        }
    }
}

/// A ``LoadModel`` with a value of any type.
private protocol LoadText {
    var lines: [String] { get }
}

extension LoadModel: LoadText {
    fileprivate var lines: [String] {
        var lines = value.map { ModelText.lines(of: $0) } ?? []
        if isLoading { lines.append("Loading") }
        if let problem { lines.append("Problem: \(ModelText.line(problem))") }
        return lines
    }
}
