// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

enum PresentationKind: String {
    case sheet, cover, popover
}

enum DialogKind: String {
    case alert, confirmationDialog
}

extension View {
    // developer.apple.com/documentation/swiftui/view/sheet(item:ondismiss:content:)
    public nonisolated func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        changed(Present(kind: .sheet, item: item, onDismiss: onDismiss, content: content))
    }
    // developer.apple.com/documentation/swiftui/view/fullscreencover(item:ondismiss:content:)
    @available(iOS 14, tvOS 14, watchOS 7, *)
    @available(macOS, unavailable)
    public nonisolated func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        changed(Present(kind: .cover, item: item, onDismiss: onDismiss, content: content))
    }
    // developer.apple.com/documentation/swiftui/view/popover(item:attachmentanchor:…)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public nonisolated func popover<Item: Identifiable, Content: View>(
        item: Binding<Item?>,
        attachmentAnchor: PopoverAttachmentAnchor = .point(.center),
        arrowEdge: Edge? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        changed(
            Present(kind: .popover, item: item, onDismiss: nil, content: content, anchor: attachmentAnchor)
        )
    }
    // developer.apple.com/documentation/swiftui/view/presentationdetents(_:)
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    public nonisolated func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        changed(SetDetents(detents: detents))
    }
    // developer.apple.com/documentation/swiftui/view/alert(_:ispresented:presenting:…)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func alert<A: View, M: View, T>(
        _ title: Text,
        isPresented: Binding<Bool>,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View {
        changed(
            Ask(
                kind: .alert,
                title: title,
                isPresented: isPresented,
                actions: data.map(actions),
                message: data.map(message)
            )
        )
    }
    // developer.apple.com/documentation/swiftui/view/confirmationdialog(_:…:presenting:…)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func confirmationDialog<A: View, M: View, T>(
        _ title: Text,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        presenting data: T?,
        @ViewBuilder actions: (T) -> A,
        @ViewBuilder message: (T) -> M
    ) -> some View {
        changed(
            Ask(
                kind: .confirmationDialog,
                title: title,
                isPresented: isPresented,
                actions: data.map(actions),
                message: data.map(message)
            )
        )
    }
}

// developer.apple.com/documentation/swiftui/visibility
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public enum Visibility: Hashable, CaseIterable, Sendable {
    case automatic, visible, hidden
}

private struct Present<Item: Identifiable, Content: View>: Change {
    let kind: PresentationKind
    let item: Binding<Item?>
    let onDismiss: (() -> Void)?
    let content: (Item) -> Content
    var anchor: PopoverAttachmentAnchor?

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        let shown = node.memory as? Item.ID
        let item = item.wrappedValue
        node.memory = item?.id
        if (shown == nil) != (item == nil) { node.host.beginTransition(kind.rawValue) }
        if shown != nil, item == nil { node.host.report(onDismiss ?? {}) }
        guard let item else { return }
        if shown == nil { node.host.presentationsRaised += 1 }
        if let shown, shown != item.id { node.host.problems.append("The item of a \(kind.rawValue) was swapped.") }
        let child = node.draw(
            Presented(kind: kind, content: content(item), item: self.item),
            key: AnyHashable(item.id)
        )
        if case .point(let point) = anchor { child.anchor = point }
    }
}

private struct SetDetents: Change {
    let detents: Set<PresentationDetent>

    func apply(to node: ShapeNode, then draw: () -> Void) {
        node.presentation?.detents = detents
        draw()
    }
}

// developer.apple.com/documentation/swiftui/presentationdetent
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
public struct PresentationDetent: Hashable, Sendable {
    private let name: String
    private var number: CGFloat = 0

    public static let medium = PresentationDetent(name: "medium")
    public static let large = PresentationDetent(name: "large")
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "fraction", number: fraction)
    }
    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "height", number: height)
    }
}

// developer.apple.com/documentation/swiftui/popoverattachmentanchor, without its rectangles
public enum PopoverAttachmentAnchor {
    case point(UnitPoint)
}

// developer.apple.com/documentation/swiftui/unitpoint
public struct UnitPoint: Hashable, Sendable {
    public var x: CGFloat
    public var y: CGFloat

    public init(x: CGFloat, y: CGFloat) {
        (self.x, self.y) = (x, y)
    }
    public static let center = UnitPoint(x: 0.5, y: 0.5)
}

private struct Presented<Content: View, Item>: View {
    typealias Body = Never
    let kind: PresentationKind
    let content: Content
    let item: Binding<Item?>

    func _draw(in node: ShapeNode) {
        let item = item
        let hide = { item.wrappedValue = nil }
        node.element = .presentation(kind, hide: hide)
        node.environment.dismiss = DismissAction(hide)
        node.draw(content)
    }
}

private struct Ask<Actions: View, Message: View>: Change {
    let kind: DialogKind
    let title: Text
    let isPresented: Binding<Bool>
    let actions: Actions?
    let message: Message?

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        let wasShown = node.memory as? Bool ?? false
        node.memory = isPresented.wrappedValue
        if wasShown || isPresented.wrappedValue { node.host.isAsking = true }
        if !wasShown, isPresented.wrappedValue, node.host.isMoving {
            node.host.problems.append("A \(kind.rawValue) was shown during a transition.")
        }
        guard isPresented.wrappedValue, let actions, let message else { return }
        node.draw(
            Asked(kind: kind, title: title, isPresented: isPresented, actions: actions, message: message),
            key: "dialog"
        )
    }
}

private struct Asked<Actions: View, Message: View>: View {
    typealias Body = Never
    let kind: DialogKind
    let title: Text
    let isPresented: Binding<Bool>
    let actions: Actions
    let message: Message

    func _draw(in node: ShapeNode) {
        let isPresented = isPresented
        node.element = .dialog(kind, title: title.string) { isPresented.wrappedValue = false }
        node.draw(title, key: "title")
        node.draw(message, key: "message")
        let actions = node.draw(actions, key: "actions")
        // SwiftUI adds a way out, unless a button has the role of cancelling.
        if kind == .confirmationDialog, !actions.hasCancelButton {
            node.draw(Button("Cancel", role: .cancel) {}, key: "way out")
        }
    }
}
