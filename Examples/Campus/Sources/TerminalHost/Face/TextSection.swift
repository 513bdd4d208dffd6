public import BackplaneFeatures
import Screens

/// A part of a screen as text.
public struct TextSection: Sendable {
    /// The ID of the part, which is shown above its lines.
    public let id: String
    /// The lines; a part without lines is not shown.
    ///
    /// The terminal replaces control characters.
    public let lines: [String]

    /// Creates a part with these lines.
    public init(_ id: String, _ lines: [String]) {
        self.id = id
        self.lines = lines
    }

    /// Creates a part that shows a loader's state: the value, `Loading`, or the problem.
    ///
    /// - Parameters:
    ///   - id: the ID of the part.
    ///   - loader: the loader that the part shows.
    ///   - lines: converts a loaded value to lines.
    public init<ID, Value>(_ id: String, _ loader: Loader<ID, Value>, _ lines: (Value) -> [String]) {
        self.init(id, loader.state, lines)
    }

    /// Creates a part that shows a state: the value, `Loading`, or the problem.
    ///
    /// - Parameters:
    ///   - id: the ID of the part.
    ///   - state: the state of a loader or a list.
    ///   - lines: converts a loaded value to lines.
    public init<Value>(_ id: String, _ state: LoadState<Value>, _ lines: (Value) -> [String]) {
        var text = state.value.map(lines) ?? []
        if state.isLoading { text.append("Loading") }
        if let problem = state.problem { text.append("Problem: \(problem)") }
        self.init(id, text)
    }
}

extension TextSection {
    /// Returns a line for each element, or `None`.
    public static func list<Element>(_ elements: [Element], _ line: (Element) -> String) -> [String] {
        elements.isEmpty ? ["None"] : elements.map { "- " + line($0) }
    }

    /// Returns a line with a name and a value: `price: €4.95`.
    public static func line(_ name: String, _ value: String) -> String {
        value.isEmpty ? "\(name):" : "\(name): \(value)"
    }

    /// Returns a line with the values that are not empty: `Punched Cards · €4.95`.
    public static func row(_ values: [String]) -> String {
        values.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// Returns the lines of the changes that the server has rejected, or that wait; no lines if
    /// there are none.
    public static func changes(_ pending: [PendingMutation]) -> [String] {
        guard let changes = ChangeModel(pending) else { return [] }
        let refusals = changes.refusals.map { "    - " + row([$0.id, $0.reason]) }
        let heading = refusals.isEmpty ? "  refusals: none" : "  refusals:"
        return ["changes:", heading] + refusals + (changes.delay.map { ["  waiting: \($0.text)"] } ?? [])
    }
}
