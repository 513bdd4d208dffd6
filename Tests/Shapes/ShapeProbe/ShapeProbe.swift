// Uses each declaration of the shapes with its full type. On Linux it is compiled against the
// shapes, and on Apple's systems against the SDK. So the first run there finds a wrong shape.

import Foundation
import Observation
import SwiftUI

#if canImport(UIKit)
    import UIKit
#endif

@Observable @MainActor private final class Model {
    var text = ""
    var isOn = false
    var item: Item?
    var path: [Item] = []
}

private struct Item: Hashable, Identifiable {
    let id: Int
}

private struct NameKey: EnvironmentKey {
    static var defaultValue: String { "" }
}

extension EnvironmentValues {
    fileprivate var name: String {
        get { self[NameKey.self] }
        set { self[NameKey.self] = newValue }
    }
}

private struct OwnProperty: DynamicProperty {
    @State private var count = 0
    var value: Int { count }
}

private struct OwnModifier: ViewModifier {
    let flag: Bool
    func body(content: Content) -> some View { content.disabled(flag) }
}

// MARK: - Values

@MainActor private func properties(_ model: Model, _ state: State<Int>) {
    let _: Int = state.wrappedValue
    let binding: Binding<Int> = state.projectedValue
    let _: Int = binding.wrappedValue
    binding.wrappedValue = 1
    let _: Binding<Bool> = .constant(true)
    let bindable: Bindable<Model> = Bindable(wrappedValue: model)
    let _: Bindable<Model> = Bindable(model)
    let _: Binding<String> = bindable.text
    let _: Binding<Item?> = bindable.item
    let _: State<Int> = State(initialValue: 0)
    let _: Environment<Bool> = Environment(\EnvironmentValues.isEnabled)
    let _: Environment<Model> = Environment(Model.self)
    let _: LocalizedStringKey = "text \(1) \("a")"
    let _: [ButtonRole] = [.cancel, .destructive]
    let _: [ScenePhase] = [.background, .inactive, .active]
    let _: [Visibility] = [.automatic, .visible, .hidden]
    let _: [Edge.Set] = [.all, .horizontal, .vertical, .top, .bottom, .leading, .trailing]
    let _: [Font] = [.title, .headline, .subheadline, .body, .callout, .footnote, .caption]
    let _: [Color] = [.clear, .primary, .secondary, .accentColor, .red, .green, .orange]
}

// MARK: - Views

private struct ProbeView: View {
    @State private var count = 0
    @State private var name: String?
    @State private var column: NavigationSplitViewColumn = NavigationSplitViewColumn.sidebar
    @SceneStorage("data") private var data: Data?
    @Bindable var model: Model
    @Environment(\.dismiss) private var dismiss: DismissAction
    @Environment(\.name) private var environmentName: String
    private var own = OwnProperty()

    init(model: Model) {
        self.model = model
    }

    var body: some View {
        NavigationSplitView(preferredCompactColumn: $column) {
            Text("Sidebar")
        } detail: {
            detail
        }
    }

    private var detail: some View {
        NavigationStack(path: $model.path) {
            Group {
                if model.isOn { content } else { EmptyView() }
                // Newer than every deployment target, so the check is needed.
                if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) { Color.clear }
            }
            .navigationDestination(for: Item.self) { (item: Item) in Text(verbatim: "\(item.id)") }
            .navigationTitle("Title")
            .navigationBarBackButtonHidden(true)
        }
        .environment(\.name, "probe")
        .environment(model)
        .modifier(OwnModifier(flag: false))
        .onAppear { count += own.value }
        .onDisappear {
            data = data ?? Data()
            dismiss()
        }
        .task { await Task.yield() }
        .task(id: count) { await Task.yield() }
        .onChange(of: count) { (old: Int, new: Int) in count = max(old, new) }
        .onOpenURL { (url: URL) in name = url.absoluteString }
        .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { (activity: NSUserActivity) in
            name = activity.webpageURL?.absoluteString ?? activity.activityType
        }
        .id(count)
    }

    private func reset() { count = 0 }

    @ViewBuilder private var content: some View {
        let title: Text = Text("title")
        List {
            Section("Title") {
                ForEach([Item(id: 1)]) { (item: Item) in Text(verbatim: "\(item.id)").tag(item.id) }
                ForEach([1], id: \.self) { Text(verbatim: "\($0)") }
            }
            Section {
                title
            } header: {
                Text("Header")
            } footer: {
                Text("Footer")
            }
        }
        .refreshable { await Task.yield() }
        .toolbar { Button("Add") { count += 1 } }
        .sheet(item: $model.item, onDismiss: reset) { (item: Item) in Text(verbatim: "\(item.id)") }
        .alert(title, isPresented: $model.isOn, presenting: model.item) { (item: Item) in
            Button("Yes", role: .destructive) { count = item.id }
        } message: { (_: Item) in
            Text("Message")
        }
        .confirmationDialog(title, isPresented: $model.isOn, titleVisibility: .visible, presenting: model.item) { _ in
            Button("No", role: .cancel) {}
        } message: { _ in
            Text("Message")
        }
        form
        cover
        popover
    }

    @ViewBuilder private var popover: some View {
        let detents: Set<PresentationDetent> = [.medium, .large, .fraction(0.5), .height(200)]
        Text("Text").presentationDetents(detents)
        #if !os(tvOS) && !os(watchOS)
            Text("Text")
                .popover(
                    item: $model.item,
                    attachmentAnchor: PopoverAttachmentAnchor.point(UnitPoint(x: 0.5, y: 1))
                ) { (item: Item) in
                    Text(verbatim: "\(item.id)")
                }
        #endif
    }

    @ViewBuilder private var form: some View {
        Form {
            TextField("Text", text: $model.text)
            TextField("Text", text: $model.text, axis: .vertical)
                .onSubmit { count += 1 }
            SecureField("Text", text: $model.text)
            Toggle("Toggle", isOn: $model.isOn)
            Toggle(isOn: $model.isOn) { Text("Toggle") }
            #if !os(tvOS) && !os(watchOS)
                TextEditor(text: $model.text)
            #endif
        }
        ScrollView {
            VStack(alignment: .leading, spacing: 8) {
                HStack(alignment: .top, spacing: nil) { Spacer(minLength: nil) }
                ZStack(alignment: .center) { Divider() }
            }
            .padding(.horizontal, 8)
            .padding(8)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .overlay(alignment: .top) { ProgressView() }
        .safeAreaInset(edge: .bottom) { ProgressView("Loading") }
        .interactiveDismissDisabled(true)
        Button {
            count += 1
        } label: {
            Label("Label", systemImage: "star")
        }
        .buttonStyle(.borderedProminent)
        .disabled(true)
        .accessibilityLabel("Label")
        Button(role: nil as ButtonRole?) {
            count += 1
        } label: {
            Label {
                Text("Title")
            } icon: {
                Image(systemName: "star")
            }
            .labelsHidden()
        }
        .buttonStyle(.bordered)
        ContentUnavailableView {
            Text("Label")
        } description: {
            Text("Description")
        } actions: {
            Button("Action") {}.buttonStyle(.plain)
        }
        Text("Text").font(.caption).foregroundStyle(.secondary).strikethrough(true).background(.regularMaterial)
        AnyView(Text("Text").foregroundStyle(Color.red))
        List([Item(id: 1)]) { Text(verbatim: "\($0.id)") }
    }

    @ViewBuilder private var cover: some View {
        #if !os(macOS)
            tabs.fullScreenCover(item: $model.item, onDismiss: reset) { (item: Item) in
                Text(verbatim: "\(item.id)")
            }
        #else
            tabs
        #endif
    }

    private var tabs: some View {
        TabView(selection: $count) {
            Text("Tab").tabItem { Label("Tab", systemImage: "star") }.tag(0)
        }
    }
}

@MainActor private struct ProbeApp: App {
    @State private var model = Model()
    @Environment(\.scenePhase) private var phase: ScenePhase

    var body: some Scene {
        WindowGroup { ProbeView(model: model) }
            .onChange(of: phase, initial: true) { (_: ScenePhase, new: ScenePhase) in model.isOn = new == .active }
    }
}

// MARK: - UIKit

#if canImport(UIKit) && !os(watchOS)
    @MainActor private func controllers(_ controller: UIViewController, _ window: UIWindow) {
        let _: UIView = controller.view
        let _: UIView? = controller.viewIfLoaded
        let _: UIWindow? = controller.view.window
        let _: UIViewController? = controller.parent
        let _: [UIViewController] = controller.children
        let _: UIViewController? = controller.presentedViewController ?? controller.presentingViewController
        let _: UINavigationController? = controller.navigationController
        let _: UITabBarController? = controller.tabBarController
        let _: UISplitViewController? = controller.splitViewController
        let _: UITabBarItem = controller.tabBarItem
        let _: String? = controller.title ?? controller.tabBarItem.title
        let _: Bool = controller.isBeingDismissed || controller.isViewLoaded
        controller.loadViewIfNeeded()
        controller.modalPresentationStyle = .fullScreen
        #if !os(tvOS)
            controller.modalPresentationStyle = .pageSheet
        #endif
        let _: Bool = controller.isModalInPresentation
        controller.isModalInPresentation = true
        controller.addChild(UIHostingController<Text>(rootView: Text("Text")))
        controller.willMove(toParent: nil)
        controller.didMove(toParent: controller)
        controller.removeFromParent()
        controller.present(controller, animated: true, completion: { () -> Void in })
        controller.dismiss(animated: true) { () -> Void in }
        let coordinator: (any UIViewControllerTransitionCoordinator)? = controller.transitionCoordinator
        let _: Bool? = coordinator?.isInteractive
        let _: Bool? = coordinator?.animate(alongsideTransition: nil) {
            (_: any UIViewControllerTransitionCoordinatorContext) in
        }
        let view: UIView = UIView()
        view.isHidden = true
        view.isUserInteractionEnabled = false
        view.frame = controller.view.bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        controller.view.addSubview(view)
        view.removeFromSuperview()
        let _: [UIView] = controller.view.subviews + [view.superview].compactMap(\.self)
        window.rootViewController = controller
        window.makeKeyAndVisible()
    }

    @MainActor private func background() {
        let application: UIApplication = .shared
        let task: UIBackgroundTaskIdentifier = application.beginBackgroundTask { () -> Void in }
        application.endBackgroundTask(task)
    }

    #if !os(tvOS)
        @MainActor private func sheets(_ controller: UIViewController) {
            controller.modalPresentationStyle = .popover
            let popover: UIPopoverPresentationController? = controller.popoverPresentationController
            popover?.sourceView = controller.view
            popover?.sourceRect = CGRect(x: 0, y: 0, width: 1, height: 1)
            let direction: UIUserInterfaceLayoutDirection = controller.view.effectiveUserInterfaceLayoutDirection
            let _: Bool = direction == .rightToLeft
            let _: [UIAlertController.Style] = [.actionSheet, .alert]
            #if !os(visionOS)
                let _: UIViewController? = controller.childForStatusBarStyle ?? controller.childForStatusBarHidden
                let _: UIStatusBarStyle = controller.preferredStatusBarStyle
                let _: UIInterfaceOrientationMask = controller.supportedInterfaceOrientations
                let _: UIInterfaceOrientationMask = [.portrait, .landscape, .all]
                controller.setNeedsStatusBarAppearanceUpdate()
                controller.setNeedsUpdateOfSupportedInterfaceOrientations()
                let sheet: UISheetPresentationController? = controller.sheetPresentationController
                sheet?.detents = [
                    .medium(), .large(),
                    .custom { (context: any UISheetPresentationControllerDetentResolutionContext) in
                        context.maximumDetentValue * 0.5
                    },
                    .custom { context in
                        let value: CGFloat? = UISheetPresentationController.Detent.medium().resolvedValue(in: context)
                        return value
                    },
                ]
            #endif
        }
    #endif

    @MainActor private func runLoop() {
        let observer: CFRunLoopObserver? = CFRunLoopObserverCreateWithHandler(
            nil,
            CFRunLoopActivity.beforeWaiting.rawValue,
            true,
            Int.max
        ) { (_: CFRunLoopObserver?, _: CFRunLoopActivity) in }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, CFRunLoopMode.commonModes)
    }

    @MainActor private func containers(_ controller: UIViewController) {
        let navigation: UINavigationController = UINavigationController(rootViewController: controller)
        let _: [UIViewController] = navigation.viewControllers
        let _: UIViewController? = navigation.topViewController
        navigation.setViewControllers([controller], animated: true)
        navigation.pushViewController(controller, animated: true)
        let _: UIViewController? = navigation.popViewController(animated: true)
        let _: [UIViewController]? = navigation.popToRootViewController(animated: true)
        let tabs: UITabBarController = UITabBarController()
        tabs.setViewControllers([navigation], animated: false)
        tabs.selectedIndex = 0
        tabs.selectedViewController = navigation
        let _: [UIViewController]? = tabs.viewControllers
        let split: UISplitViewController = UISplitViewController(style: .doubleColumn)
        split.setViewController(controller, for: .primary)
        let columns: [UISplitViewController.Column] = [.primary, .supplementary, .secondary, .compact]
        let _: [UIViewController] = columns.compactMap { split.viewController(for: $0) }
        let _: Bool = split.isCollapsed && split.style != .unspecified
        let pages: UIPageViewController = UIPageViewController(
            transitionStyle: .scroll,
            navigationOrientation: .horizontal
        )
        pages.setViewControllers([controller], direction: .forward, animated: false) { (_: Bool) in }
        let _: [UIViewController]? = pages.viewControllers
        let alert: UIAlertController = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
        let styles: [UIAlertAction.Style] = [.default, .cancel, .destructive]
        for style in styles { alert.addAction(UIAlertAction(title: "", style: style) { (_: UIAlertAction) in }) }
        let _: [UIAlertAction] = alert.actions
        let _: String? = alert.message
        let _: UIAlertController.Style = alert.preferredStyle
    }

    private final class ProbeController: UIViewController {
        init() { super.init(nibName: nil, bundle: nil) }
        @available(*, unavailable) required init?(coder: NSCoder) { nil }
        override func loadView() { view = UIView() }
        override func viewDidLoad() { super.viewDidLoad() }
        override func viewWillAppear(_ animated: Bool) { super.viewWillAppear(animated) }
        override func viewDidAppear(_ animated: Bool) { super.viewDidAppear(animated) }
        override func viewWillDisappear(_ animated: Bool) { super.viewWillDisappear(animated) }
        override func viewDidDisappear(_ animated: Bool) { super.viewDidDisappear(animated) }
        override func willMove(toParent parent: UIViewController?) { super.willMove(toParent: parent) }
        override func didMove(toParent parent: UIViewController?) { super.didMove(toParent: parent) }
    }

    #if !os(tvOS)
        private final class ProbeDelegate: UIResponder, UIWindowSceneDelegate {
            var window: UIWindow?

            func scene(
                _ scene: UIScene,
                willConnectTo session: UISceneSession,
                options connectionOptions: UIScene.ConnectionOptions
            ) {
                let windowScene: UIWindowScene? = scene as? UIWindowScene
                window = windowScene.map { UIWindow(windowScene: $0) }
                let contexts: Set<UIOpenURLContext> = connectionOptions.urlContexts
                let _: [URL] = contexts.map(\.url)
                let _: Set<NSUserActivity> = connectionOptions.userActivities
            }
            func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {}
            func scene(_ scene: UIScene, continue activity: NSUserActivity) {}
        }
    #endif
#endif
