// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore-file: DontRepeatTypeInStaticProperties

public import Foundation

// developer.apple.com/documentation/swiftui/shapestyle
public protocol ShapeStyle: Sendable {}

// developer.apple.com/documentation/swiftui/color
public struct Color: Hashable, Sendable, ShapeStyle {
    private let name: String
    public static let clear = Color(name: "clear")
    public static let primary = Color(name: "primary")
    public static let secondary = Color(name: "secondary")
    public static let accentColor = Color(name: "accentColor")
    public static let red = Color(name: "red")
    public static let green = Color(name: "green")
    public static let orange = Color(name: "orange")
}

extension Color: View {
    public typealias Body = Never
    public func _draw(in node: ShapeNode) {}
}

extension ShapeStyle where Self == Color {
    public static var red: Color { Color.red }
    public static var green: Color { Color.green }
    public static var orange: Color { Color.orange }
}

// developer.apple.com/documentation/swiftui/hierarchicalshapestyle
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct HierarchicalShapeStyle: ShapeStyle {
    private let name: String
    public static let primary = HierarchicalShapeStyle(name: "primary")
    public static let secondary = HierarchicalShapeStyle(name: "secondary")
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle.primary }
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle.secondary }
}

// developer.apple.com/documentation/swiftui/material
@available(iOS 15, macOS 12, tvOS 15, watchOS 10, *)
public struct Material: ShapeStyle {
    public static let regular = Material()
}

extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { Material.regular }
}

// developer.apple.com/documentation/swiftui/font
public struct Font: Hashable, Sendable {
    private let name: String
    public static let title = Font(name: "title")
    public static let headline = Font(name: "headline")
    public static let subheadline = Font(name: "subheadline")
    public static let body = Font(name: "body")
    public static let callout = Font(name: "callout")
    public static let footnote = Font(name: "footnote")
    public static let caption = Font(name: "caption")
}

// developer.apple.com/documentation/swiftui/edge/set
public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }
        public static let top = Set(rawValue: 1)
        public static let leading = Set(rawValue: 2)
        public static let bottom = Set(rawValue: 4)
        public static let trailing = Set(rawValue: 8)
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        public static let horizontal: Set = [.leading, .trailing]
        public static let vertical: Set = [.top, .bottom]
    }
}

// developer.apple.com/documentation/swiftui/verticaledge
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public enum VerticalEdge: Int8, CaseIterable, Sendable {
    case top, bottom
}

// developer.apple.com/documentation/swiftui/primitivebuttonstyle
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle {}

public struct BorderedButtonStyle: PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    @available(iOS 15, macOS 12, tvOS 13, watchOS 7, *)
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

private struct SetKey: Change {
    let id: AnyHashable

    func apply(to node: ShapeNode, then draw: () -> Void) {
        node.redrawKeyed(id, draw)
        for case .stack in node.children.compactMap(\.element) {
            node.host.problems.append("A NavigationStack has an `id`, which makes iOS 26 crash.")
        }
    }
}

private struct DisableDismiss: Change {
    let isDisabled: Bool

    func apply(to node: ShapeNode, then draw: () -> Void) {
        if isDisabled { node.presentation?.isDismissDisabled = true }
        draw()
    }
}

private struct Draw<Content: View>: Change {
    let content: Content

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        node.draw(content, key: "beside")
    }
}

extension View {
    // developer.apple.com/documentation/swiftui/view/id(_:)
    public nonisolated func id<ID: Hashable>(_ id: ID) -> some View { changed(SetKey(id: AnyHashable(id))) }
    // developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func overlay<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> V
    ) -> some View {
        changed(Draw(content: content()))
    }
    // developer.apple.com/documentation/swiftui/view/safeareainset(edge:alignment:spacing:content:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func safeAreaInset<V: View>(
        edge: VerticalEdge,
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View {
        changed(Draw(content: content()))
    }
    // developer.apple.com/documentation/swiftui/view/toolbar(content:)
    //
    // The form with a view builder; `ToolbarContent` is left out.
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    public nonisolated func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        changed(Draw(content: content()))
    }
    // developer.apple.com/documentation/swiftui/view/padding(_:_:)
    public nonisolated func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/padding(_:)
    public nonisolated func padding(_ length: CGFloat) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/frame(minwidth:…:alignment:)
    public nonisolated func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/font(_:)
    public nonisolated func font(_ font: Font?) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/foregroundstyle(_:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/background(_:ignoressafeareaedges:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func background<S: ShapeStyle>(
        _ style: S,
        ignoresSafeAreaEdges edges: Edge.Set = .all
    ) -> some View {
        looked
    }
    // developer.apple.com/documentation/swiftui/view/buttonstyle(_:)
    @MainActor @preconcurrency
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/strikethrough(_:color:)
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    public nonisolated func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/labelshidden()
    public nonisolated func labelsHidden() -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/accessibilitylabel(_:)
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    public nonisolated func accessibilityLabel(_ key: LocalizedStringKey) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/interactivedismissdisabled(_:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        changed(DisableDismiss(isDisabled: isDisabled))
    }
}
