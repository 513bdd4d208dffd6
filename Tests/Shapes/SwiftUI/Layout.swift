// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// developer.apple.com/documentation/swiftui/vstack
@MainActor @preconcurrency
public struct VStack<Content: View>: View {
    public typealias Body = Never
    private let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {
        self.content = content()
    }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

// developer.apple.com/documentation/swiftui/hstack
@MainActor @preconcurrency
public struct HStack<Content: View>: View {
    public typealias Body = Never
    private let content: Content

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

// developer.apple.com/documentation/swiftui/zstack
@MainActor @preconcurrency
public struct ZStack<Content: View>: View {
    public typealias Body = Never
    private let content: Content

    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

// developer.apple.com/documentation/swiftui/horizontalalignment
public struct HorizontalAlignment: Equatable, Sendable {
    private let name: String
    public static let leading = HorizontalAlignment(name: "leading")
    public static let center = HorizontalAlignment(name: "center")
    public static let trailing = HorizontalAlignment(name: "trailing")
}

// developer.apple.com/documentation/swiftui/verticalalignment
public struct VerticalAlignment: Equatable, Sendable {
    private let name: String
    public static let top = VerticalAlignment(name: "top")
    public static let center = VerticalAlignment(name: "center")
    public static let bottom = VerticalAlignment(name: "bottom")
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
}

// developer.apple.com/documentation/swiftui/alignment
public struct Alignment: Equatable, Sendable {
    private let name: String
    public static let center = Alignment(name: "center")
    public static let leading = Alignment(name: "leading")
    public static let trailing = Alignment(name: "trailing")
    public static let top = Alignment(name: "top")
    public static let bottom = Alignment(name: "bottom")
    public static let topTrailing = Alignment(name: "topTrailing")
}

// developer.apple.com/documentation/swiftui/scrollview
@MainActor @preconcurrency
public struct ScrollView<Content: View>: View {
    public typealias Body = Never
    private let content: Content

    // The page has further parameters with defaults.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

// developer.apple.com/documentation/swiftui/list
@MainActor @preconcurrency
public struct List<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never
    private let content: Content

    fileprivate init(drawing content: Content) {
        self.content = content
    }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) {
        self.init(drawing: content())
    }
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init(drawing: ForEach(data, content: rowContent))
    }
}

// developer.apple.com/documentation/swiftui/form
@MainActor @preconcurrency
public struct Form<Content: View>: View {
    public typealias Body = Never
    private let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

// developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    fileprivate let id: (Data.Element) -> ID
}

extension ForEach: View where Content: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {
        for element in data { node.draw(content(element), key: AnyHashable(id(element))) }
    }
}

extension ForEach where Content: View, ID == Data.Element.ID, Data.Element: Identifiable {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data: data, content: content, id: \.id)
    }
}

extension ForEach where Content: View {
    public nonisolated init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, content: content, id: { $0[keyPath: id] })
    }
}

// developer.apple.com/documentation/swiftui/section
public struct Section<Parent, Content, Footer> {
    fileprivate let header: Parent
    fileprivate let content: Content
    fileprivate let footer: Footer
}

extension Section: View where Parent: View, Content: View, Footer: View {
    public typealias Body = Never
    public nonisolated init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) {
        self.init(header: header(), content: content(), footer: footer())
    }
    public func _draw(in node: ShapeNode) {
        node.draw(header, key: "header")
        node.draw(content, key: "content")
        node.draw(footer, key: "footer")
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public nonisolated init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    public nonisolated init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
}

// developer.apple.com/documentation/swiftui/spacer
public struct Spacer {
    public nonisolated init(minLength: CGFloat? = nil) {}
}

extension Spacer: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {}
}

// developer.apple.com/documentation/swiftui/divider
public struct Divider {
    public nonisolated init() {}
}

extension Divider: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {}
}
