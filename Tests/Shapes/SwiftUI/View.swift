// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// Draws the view for tests; not a part of SwiftUI.
    func _draw(in node: ShapeNode)
}

extension View {
    public func _draw(in node: ShapeNode) { node.drawInside(body) }
}

extension View where Body == Never {
    public var body: Never { fatalError("A primitive view has no body.") }
}

// developer.apple.com/documentation/swift/never (conforms to View)
extension Never: View {
    public var body: Never { fatalError("`Never` has no body.") }
    public func _draw(in node: ShapeNode) {}
}

// developer.apple.com/documentation/swiftui/viewbuilder
//
// As in the SDK of iOS 27, where it is also called `ContentBuilder`. Earlier ones require views, by
// which the compiler can choose between overloads. So what compiles here compiles with both.
@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        var views: [any View] = []
        repeat views.append(each content as? any View ?? EmptyView())
        return TupleView((repeat each content), views: views)
    }
    public static func buildIf<Content>(_ content: Content?) -> Content? { content }
    public static func buildEither<First, Second>(
        first: First
    ) -> _ConditionalContent<First, Second> {
        _ConditionalContent(first: first, second: nil)
    }
    public static func buildEither<First, Second>(
        second: Second
    ) -> _ConditionalContent<First, Second> {
        _ConditionalContent(first: nil, second: second)
    }
    public static func buildLimitedAvailability(_ content: any View) -> AnyView { AnyView(erasing: content) }
}

// developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView {
    public nonisolated init() {}
}

extension EmptyView: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {}
}

// developer.apple.com/documentation/swiftui/tupleview
public struct TupleView<T> {
    public var value: T
    private let views: [any View]

    init(_ value: T, views: [any View]) {
        self.value = value
        self.views = views
    }
}

extension TupleView: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {
        for (index, view) in views.enumerated() { node.draw(view, key: index) }
    }
}

// developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)
public struct _ConditionalContent<TrueContent, FalseContent> {
    let first: TrueContent?
    let second: FalseContent?
}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {
        if let first { node.branches = [true] + node.draw(first, key: true).branches }
        if let second { node.branches = [false] + node.draw(second, key: false).branches }
    }
}

// developer.apple.com/documentation/swiftui/view (Optional conforms to it)
extension Optional: View where Wrapped: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {
        if let self { node.draw(self) }
    }
}

// developer.apple.com/documentation/swiftui/anyview
public struct AnyView {
    private let view: any View

    public nonisolated init<V: View>(_ view: V) {
        self.view = view
    }
    init(erasing view: any View) {
        self.view = view
    }
}

extension AnyView: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) { node.draw(view) }
}

// developer.apple.com/documentation/swiftui/group
public struct Group<Content> {
    let content: Content
}

extension Group: View where Content: View {
    public typealias Body = Never
    public nonisolated init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public func _draw(in node: ShapeNode) { node.drawInside(content) }
}

// developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

public struct _ViewModifier_Content<Modifier: ViewModifier> {
    let view: any View
}

extension _ViewModifier_Content: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) { node.drawInside(view) }
}

// developer.apple.com/documentation/swiftui/modifiedcontent
public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    public nonisolated init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {
        node.install(modifier)
        node.drawInside(modifier.body(content: _ViewModifier_Content(view: content)))
    }
}

extension View {
    // developer.apple.com/documentation/swiftui/view/modifier(_:)
    public nonisolated func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

// MARK: - The shape's own modifiers

/// A change that a modifier makes to the node of its view.
protocol Change {
    @MainActor func apply(to node: ShapeNode, then draw: () -> Void)
}

struct Changed<Content, Modification> {
    let content: Content
    let change: Modification
}

extension Changed: View where Content: View, Modification: Change {
    typealias Body = Never
    func _draw(in node: ShapeNode) {
        change.apply(to: node) { node.drawInside(content) }
    }
}

/// A modifier that only changes the look.
struct Look: Change {
    func apply(to node: ShapeNode, then draw: () -> Void) { draw() }
}

extension View {
    nonisolated func changed<C: Change>(_ change: C) -> some View { Changed(content: self, change: change) }
    nonisolated var looked: some View { changed(Look()) }
}
