// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The destinations of one stack, by the type of their values.
@MainActor final class Destinations {
    var views: [ObjectIdentifier: (Any) -> (any View)?] = [:]
}

// developer.apple.com/documentation/swiftui/navigationpath
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
public struct NavigationPath {
    public init() {}
}

// developer.apple.com/documentation/swiftui/navigationstack
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
@MainActor @preconcurrency
public struct NavigationStack<Data, Root: View>: View {
    public typealias Body = Never

    private let root: Root
    private let path: Path

    // Collected without isolation, so that a nonisolated initializer can set it.
    private struct Path {
        var values: () -> [AnyHashable] = { [] }
        var cut: (Int) -> Void = { _ in }
    }

    // developer.apple.com/documentation/swiftui/navigationstack/init(path:root:)
    //
    // unconfirmed: whether the initializers are `nonisolated`; here they are on the main actor.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
        self.root = root()
        self.path = Path(
            values: { path.wrappedValue.map { AnyHashable($0) } },
            cut: { path.wrappedValue = Data(path.wrappedValue.prefix($0)) }
        )
    }

    public func _draw(in node: ShapeNode) {
        let values = path.values()
        let destinations = Destinations()
        node.element = .stack(count: values.count, cut: path.cut, destinations: destinations)
        let replacements = node.host.replacements
        node.draw(root, key: "root", hidden: !values.isEmpty)
        if node.host.replacements > replacements, !values.isEmpty, !node.host.forgives {
            node.host.problems.append("A root and a path changed in one update, which loses the path.")
        }
        for (index, value) in values.enumerated() {
            guard let view = destinations.views[ObjectIdentifier(Swift.type(of: value.base))]?(value.base) else {
                node.host.problems.append("No destination is on the stack's root for \(Swift.type(of: value.base)).")
                continue
            }
            node.draw(view, key: value, hidden: index + 1 < values.count)
        }
    }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension NavigationStack where Data == NavigationPath {
    public init(@ViewBuilder root: () -> Root) {
        self.root = root()
        path = Path()
    }
}

// developer.apple.com/documentation/swiftui/navigationsplitviewcolumn
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
public struct NavigationSplitViewColumn: Hashable, Sendable {
    private let name: String

    public static var sidebar: NavigationSplitViewColumn { NavigationSplitViewColumn(name: "sidebar") }
    public static var detail: NavigationSplitViewColumn { NavigationSplitViewColumn(name: "detail") }
}

// developer.apple.com/documentation/swiftui/navigationsplitview
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
@MainActor @preconcurrency
public struct NavigationSplitView<Sidebar: View, Content: View, Detail: View>: View {
    public typealias Body = Never

    private let column: Binding<NavigationSplitViewColumn>
    private let sidebar: Sidebar
    private let detail: Detail

    // developer.apple.com/documentation/swiftui/navigationsplitview/init(preferredcompact…
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public init(
        preferredCompactColumn: Binding<NavigationSplitViewColumn>,
        @ViewBuilder sidebar: () -> Sidebar,
        @ViewBuilder detail: () -> Detail
    ) where Content == EmptyView {
        column = preferredCompactColumn
        self.sidebar = sidebar()
        self.detail = detail()
    }

    public func _draw(in node: ShapeNode) {
        let isDetail = column.wrappedValue == .detail
        node.draw(sidebar, key: "sidebar", hidden: node.host.isNarrow && isDetail)
        node.draw(detail, key: "detail", hidden: node.host.isNarrow && !isDetail)
    }
}

private struct AddDestination<D, C: View>: Change {
    let destination: (D) -> C

    func apply(to node: ShapeNode, then draw: () -> Void) {
        let destination = destination
        let type = ObjectIdentifier(D.self)
        if let destinations = node.destinations {
            if destinations.views[type] != nil {
                node.host.problems.append("Two destinations are there for \(D.self).")
            }
            destinations.views[type] = { value in (value as? D).map { destination($0) } }
        } else {
            node.host.problems.append("The destination for \(D.self) is in no NavigationStack.")
        }
        draw()
    }
}

extension View {
    // developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:)
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    public nonisolated func navigationDestination<D: Hashable, C: View>(
        for data: D.Type,
        @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        changed(AddDestination(destination: destination))
    }
    // developer.apple.com/documentation/swiftui/view/navigationtitle(_:)
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { looked }
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    @_disfavoredOverload
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/navigationbarbackbuttonhidden(_:)
    public nonisolated func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/tabitem(_:)
    public nonisolated func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        changed(TabItem(label: label()))
    }
    // developer.apple.com/documentation/swiftui/view/tag(_:includeoptional:)
    public nonisolated func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View {
        changed(SetTag(tag: AnyHashable(tag)))
    }
}

private struct TabItem<Label: View>: Change {
    let label: Label

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        node.draw(label, key: "tab item")
    }
}

private struct SetTag: Change {
    let tag: AnyHashable

    func apply(to node: ShapeNode, then draw: () -> Void) {
        node.tag = tag
        draw()
    }
}

// developer.apple.com/documentation/swiftui/tabview
@MainActor @preconcurrency
public struct TabView<SelectionValue: Hashable, Content: View>: View {
    public typealias Body = Never

    private let selection: Binding<SelectionValue>?
    private let content: Content

    // developer.apple.com/documentation/swiftui/tabview/init(selection:content:)
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    public func _draw(in node: ShapeNode) {
        let content = node.draw(content)
        let tabs = Self.tabs(in: content)
        guard let selection else { return }
        for tab in tabs {
            // The item of a tab is visible also if its content is not.
            for child in tab.content { child.isHidden = tab.tag != AnyHashable(selection.wrappedValue) }
        }
        node.element = .tabs(tabs.map(\.tag)) { tag in
            if let value = tag.base as? SelectionValue { selection.wrappedValue = value }
        }
    }

    private static func tabs(in node: ShapeNode) -> [(tag: AnyHashable, content: [ShapeNode])] {
        guard let tag = node.tag else { return node.children.flatMap { tabs(in: $0) } }
        return [(tag, node.children.flatMap { $0.type is any IsTabItem.Type ? Array($0.children.prefix(1)) : [$0] })]
    }
}

private protocol IsTabItem {}
extension Changed: IsTabItem where Modification: IsTabItem {}
extension TabItem: IsTabItem {}
