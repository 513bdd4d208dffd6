import Mustache

/// A part of a model for a template, whose properties were read by reflection once.
///
/// Mustache would reflect again for each name in a template, in each value around it.
struct TemplateValue: MustacheParent, CustomStringConvertible {
    private let value: Any
    private let properties: [String: Any]

    /// Returns a value for a template: itself, without optionals, or its properties.
    ///
    /// - Parameter value: a struct, a string, a number, a boolean, an array or an optional.
    /// - Returns: the value; `nil` for an empty optional.
    static func of(_ value: Any) -> Any? {
        if value is String || value is Bool || value is Int { return value }
        if let value = value as? any TemplateModel {
            return TemplateValue(value: value, properties: value.properties.compactMapValues { $0.flatMap(of) })
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.flatMap { of($0.value) }
        case .struct:
            var properties: [String: Any] = [:]
            for (name, child) in mirror.children {
                if let name, let child = of(child) { properties[name] = child }
            }
            return TemplateValue(value: value, properties: properties)
        case .collection:
            return mirror.children.map { of($0.value) ?? $0.value }
        default:
            return value
        }
    }

    /// Returns a property.
    func child(named name: String) -> Any? { properties[name] }

    /// The description of the value itself.
    var description: String { String(describing: value) }
}

/// A model that names its properties, because it is drawn so often that reflection counts.
protocol TemplateModel {
    var properties: [String: Any?] { get }
}
