// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@_exported public import class UIKit.NSUserActivity
@_exported public import let UIKit.NSUserActivityTypeBrowsingWeb

extension View {
    // developer.apple.com/documentation/swiftui/view/onappear(perform:)
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View {
        changed(OnAppear(action: action))
    }
    // developer.apple.com/documentation/swiftui/view/ondisappear(perform:)
    public nonisolated func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        changed(OnDisappear(action: action))
    }
    // developer.apple.com/documentation/swiftui/view/task(priority:_:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        changed(RunTask(id: true, priority: priority, action: action))
    }
    // developer.apple.com/documentation/swiftui/view/task(id:priority:_:)
    //
    // The SDK of iOS 27 has `sending` and `@isolated(any)` in place of `@Sendable`, which refuses
    // more. So what compiles here compiles with both.
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func task<T: Equatable>(
        id value: T,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        changed(RunTask(id: value, priority: priority, action: action))
    }
    // developer.apple.com/documentation/swiftui/view/refreshable(action:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public nonisolated func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        changed(OnChange(value: value, isInitial: initial, action: action))
    }
    // developer.apple.com/documentation/swiftui/view/onsubmit(of:_:), without its first parameter
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public nonisolated func onSubmit(_ action: @escaping () -> Void) -> some View { looked }
    // developer.apple.com/documentation/swiftui/view/onopenurl(perform:)
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    public nonisolated func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        changed(OnLink(onURL: action))
    }
    // developer.apple.com/documentation/swiftui/view/oncontinueuseractivity(_:perform:)
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    public nonisolated func onContinueUserActivity(
        _ activityType: String,
        perform action: @escaping (NSUserActivity) -> Void
    ) -> some View {
        changed(OnLink(onActivity: { if $0.activityType == activityType { action($0) } }))
    }
}

private struct OnAppear: Change {
    let action: (() -> Void)?

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        if node.isNew, let action { node.host.report(action) }
    }
}

private struct OnDisappear: Change {
    let action: (() -> Void)?

    func apply(to node: ShapeNode, then draw: () -> Void) {
        node.onEnd = action
        draw()
    }
}

private struct RunTask<T: Equatable>: Change {
    let id: T
    let priority: TaskPriority
    let action: @Sendable () async -> Void

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        guard node.isNew || node.memory as? T != id else { return }
        node.memory = id
        node.task?.cancel()
        let (action, priority) = (action, priority)
        node.host.later { node.task = Task(priority: priority) { await action() } }
    }
}

private struct OnChange<V: Equatable>: Change {
    let value: V
    let isInitial: Bool
    let action: (V, V) -> Void

    func apply(to node: ShapeNode, then draw: () -> Void) {
        draw()
        let old = node.memory as? V
        node.memory = value
        let (value, action) = (value, action)
        if let old, old != value { node.host.later { action(old, value) } }
        if old == nil, isInitial { node.host.later { action(value, value) } }
    }
}

private struct OnLink: Change {
    var onURL: ((URL) -> Void)?
    var onActivity: ((NSUserActivity) -> Void)?

    func apply(to node: ShapeNode, then draw: () -> Void) {
        onURL.map { node.host.onURL.append($0) }
        onActivity.map { node.host.onActivity.append($0) }
        draw()
    }
}
