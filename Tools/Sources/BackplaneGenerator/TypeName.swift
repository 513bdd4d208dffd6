/// The name of an app or of a feature, which becomes the name of a type, such as `MeetingPage`.
package struct TypeName: Equatable, Sendable, CustomStringConvertible {
    /// The names that generated code uses, and those of the modules that it imports.
    private static let taken = words(
        """
        Any App Board BoardContract Bool Button Double Foundation Int Kept Lifetime LifetimeOwner LinkReceiver LoadState
        LoadView Loader Main Motherboard Navigator NavigatorView Never NoID Observable Observation Page Place Protocol
        Scene Self Slot String Suite Swift SwiftUI Task Terminal TerminalPage Test TestMotherboard Testing Text Type
        VStack View Void WindowGroup XCTest
        """
    )
    private static let keywords = words(
        """
        as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false
        fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private public
        repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while
        """
    )

    package let description: String

    private static func words(_ text: String) -> Set<Substring> { Set(text.split(whereSeparator: \.isWhitespace)) }

    /// Throws an error if Swift or the generated code cannot use the name.
    package init(_ text: String) throws {
        guard text.wholeMatch(of: /[A-Z][A-Za-z0-9]{0,63}/) != nil else {
            throw GeneratorError(
                "The name \(text.debugDescription) is no name of a type: use letters and digits, and begin with a capital."
            )
        }
        description = text
        guard Self.taken.isDisjoint(with: [text[...], stem[...]]), !text.hasPrefix("Backplane") else {
            throw GeneratorError("The name \(text) is taken: Swift, Backplane or the generated code uses it.")
        }
    }

    /// The name without "Page", from which the other types get theirs: `MeetingModel`.
    var stem: String {
        description.hasSuffix("Page") && description != "Page" ? String(description.dropLast(4)) : description
    }

    /// The stem as the name of a case: `meeting`, `urlList` for `URLList`.
    var caseName: String {
        let capitals = stem.prefix { $0.isUppercase }.count
        let count = capitals == stem.count || capitals == 1 ? capitals : capitals - 1
        let name = stem.prefix(count).lowercased() + stem.dropFirst(count)
        return Self.keywords.contains(name[...]) ? "`\(name)`" : name
    }

    /// The stem in words: `meeting list`.
    var words: String { stem.replacing(/([a-z0-9])([A-Z])/) { "\($0.1) \($0.2)" }.lowercased() }

    /// The stem as a part of an address: `meeting-list`.
    var path: String { words.replacing(" ", with: "-") }
}
