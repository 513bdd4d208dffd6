// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// developer.apple.com/documentation/swiftui/localizedstringkey
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    // unconfirmed: SwiftUI interpolates more types, with formats.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var string = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { string += literal }
        public mutating func appendInterpolation(_ string: String) { self.string += string }
        public mutating func appendInterpolation(_ value: Int) { string += "\(value)" }
        public mutating func appendInterpolation(_ value: Double) { string += "\(value)" }
    }

    let string: String

    public init(_ value: String) {
        string = value
    }
    public init(stringLiteral value: String) {
        string = value
    }
    public init(stringInterpolation: StringInterpolation) {
        string = stringInterpolation.string
    }
}

// developer.apple.com/documentation/swiftui/text
public struct Text: Equatable, Sendable {
    let string: String

    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ content: S) {
        string = String(content)
    }
    public nonisolated init(verbatim content: String) {
        string = content
    }
    // The page has further parameters with defaults, for tables and bundles.
    public nonisolated init(_ key: LocalizedStringKey) {
        string = key.string
    }
}

extension Text: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) { node.element = .text(string) }
}

// developer.apple.com/documentation/swiftui/image
public struct Image: Equatable, Sendable {
    private let name: String

    @available(iOS 13, macOS 11, tvOS 13, watchOS 6, *)
    public nonisolated init(systemName: String) {
        name = systemName
    }
}

extension Image: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) { node.element = .image(name) }
}

// developer.apple.com/documentation/swiftui/label
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency
public struct Label<Title: View, Icon: View>: View {
    private let title: Title
    private let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }

    public var body: some View {
        title
        icon
    }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension Label where Title == Text, Icon == Image {
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init {
            Text(titleKey)
        } icon: {
            Image(systemName: name)
        }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        self.init {
            Text(title)
        } icon: {
            Image(systemName: name)
        }
    }
}

// developer.apple.com/documentation/swiftui/contentunavailableview
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@MainActor @preconcurrency
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    private let label: Label
    private let description: Description
    private let actions: Actions

    public init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }

    public var body: some View {
        label
        description
        actions
    }
}
