#if canImport(SwiftUI)
    public import BackplaneNavigation
    import Foundation
    public import SwiftUI

    /// A view that draws a `Navigator` and reports to it what the user did.
    ///
    /// Put it at the root of a window. It draws the stacks, tabs, sheets, covers and dialogs of the
    /// navigator. Boards change the navigator; views in it need no navigation state of their own.
    ///
    /// ```swift
    /// struct WindowView: View {
    ///     let navigator: Navigator<AppScreen>
    ///
    ///     var body: some View {
    ///         NavigatorView(navigator) { screen in
    ///             switch screen {
    ///             case .courses: CoursesView()
    ///             case .course(let id): CourseView(courseId: id)
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// **Isolation.** The navigator must belong to the main actor.
    ///
    /// **Order.** Sheets and covers follow the navigator one step at a time. On macOS,
    /// a cover is shown as a sheet; on tvOS and watchOS, a popover is. Dialogs are alerts and
    /// confirmation dialogs.
    ///
    /// **Lifetime.** The view keeps the navigator. A place of the navigator ends when it leaves the
    /// navigator, not when its view disappears.
    public struct NavigatorView<Screen, Content: View, TabLabel: View>: View {
        private let navigator: Navigator<Screen>
        fileprivate let content: (Screen) -> Content
        fileprivate let tab: (Screen) -> TabLabel

        /// Creates a view of a navigator with tabs.
        ///
        /// ```swift
        /// NavigatorView(navigator) { screen in
        ///     ScreenView(screen)
        /// } tab: { screen in
        ///     Label(screen.title, systemImage: screen.symbol)
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - navigator: the navigator to draw.
        ///   - content: returns the view of a screen.
        ///   - tab: returns the label of the tab whose root is a screen.
        public init(
            _ navigator: Navigator<Screen>,
            @ViewBuilder content: @escaping (Screen) -> Content,
            @ViewBuilder tab: @escaping (Screen) -> TabLabel
        ) {
            self.navigator = navigator
            self.content = content
            self.tab = tab
        }

        /// The view of the navigator's base, with all that is above.
        public var body: some View { LayerView(layer: navigator.base, window: self) }
    }

    extension NavigatorView where TabLabel == EmptyView {
        /// Creates a view of a navigator without tabs.
        ///
        /// - Parameters:
        ///   - navigator: the navigator to draw.
        ///   - content: returns the view of a screen.
        public init(_ navigator: Navigator<Screen>, @ViewBuilder content: @escaping (Screen) -> Content) {
            self.init(navigator, content: content) { _ in EmptyView() }
        }
    }

    private let roles: [DialogRole: ButtonRole] = [.cancel: .cancel, .destructive: .destructive]

    private struct LayerView<Screen, Content: View, TabLabel: View>: View {
        @Bindable var layer: Layer<Screen>
        let window: NavigatorView<Screen, Content, TabLabel>

        var body: some View {
            // In a container, so that the sheets stay when the branch changes.
            ZStack { tabs }
                #if os(macOS)
                    .sheet(item: $layer[above: shown, as: .cover], onDismiss: layer.uncovered, content: above)
                #else
                    .fullScreenCover(item: $layer[above: shown, as: .cover], onDismiss: layer.uncovered, content: above)
                #endif
                #if os(tvOS) || os(watchOS)
                    .sheet(item: $layer[above: shown, as: .sheet], onDismiss: layer.uncovered, content: resting)
                #else
                    .sheet(
                        item: $layer[above: shown, as: .sheet, isPopover: false],
                        onDismiss: layer.uncovered,
                        content: resting
                    )
                    .popover(
                        item: $layer[above: shown, as: .sheet, isPopover: true],
                        attachmentAnchor: .point(anchor)
                    ) { popover in
                        // A popover has no `onDismiss`.
                        above(popover).onDisappear(perform: layer.uncovered)
                    }
                #endif
                .alert(
                    title,
                    isPresented: $layer[isAsking: layer.dialog?.id, as: .alert],
                    presenting: layer.dialog,
                    actions: buttons(of:),
                    message: message(of:)
                )
                .confirmationDialog(
                    title,
                    isPresented: $layer[isAsking: layer.dialog?.id, as: .actionSheet],
                    titleVisibility: .visible,
                    presenting: layer.dialog,
                    actions: buttons(of:),
                    message: message(of:)
                )
                // The end of a dialog has no report, but this follows the update without it.
                .onChange(of: layer.leavingDialog) { _, _ in layer.uncovered() }
                .onAppear { layer.appeared() }
        }

        /// The layer that the reports of the sheets are about.
        private var shown: Layer<Screen>.ID? { layer.above?.id }

        private func above(_ layer: Layer<Screen>) -> LayerView { LayerView(layer: layer, window: window) }

        /// A sheet that rests at the heights of its form.
        private func resting(_ layer: Layer<Screen>) -> some View {
            above(layer).presentationDetents(Set(layer.form.heights.map(PresentationDetent.init)))
        }

        private var anchor: UnitPoint {
            let anchor = (layer.above?.form ?? .automatic).anchor
            return UnitPoint(x: anchor.x, y: anchor.y)
        }

        private var title: Text { Text(verbatim: layer.dialog?.title ?? "") }

        private func message(of dialog: PresentedDialog) -> Text { Text(verbatim: dialog.message) }

        private func buttons(of dialog: PresentedDialog) -> some View {
            ForEach(dialog.buttons) { button in
                Button(button.label, role: roles[button.role]) { dialog.choose(button.id) }
            }
        }

        @ViewBuilder private var tabs: some View {
            if layer.stacks.count > 1 {
                TabView(selection: $layer[selection: layer.selection]) {
                    ForEach(layer.stacks) { stack in
                        StackView(stack: stack, content: window.content)
                            .tabItem { if let root = stack.root { window.tab(root.screen) } }
                            .tag(stack.id)
                    }
                }
            } else {
                StackView(stack: layer.stack, content: window.content)
            }
        }
    }

    extension PresentationDetent {
        fileprivate init(_ height: SheetHeight) {
            switch height {
            case .medium: self = .medium
            case .large: self = .large
            case .fraction(let part): self = .fraction(part)
            case .points(let points): self = .height(points)
            }
        }
    }

    private struct StackView<Screen, Content: View>: View {
        @Bindable var stack: Stack<Screen>
        let content: (Screen) -> Content

        var body: some View {
            NavigationStack(path: $stack[path: stack.path.map(\.id)]) {
                // The place's ID is not on the stack, where it makes iOS 26 crash.
                stack.root.map(root(_:)).navigationDestination(for: Place<Screen>.self, destination: view(of:))
            }
            .onAppear { stack.appeared() }
        }

        /// Only a root reports, because a late report of a pushed view must not count for a root.
        private func root(_ place: Place<Screen>) -> some View {
            content(place.screen).onAppear { place.appeared() }.id(place.id)
        }

        private func view(of place: Place<Screen>) -> some View { content(place.screen).id(place.id) }
    }
#endif
