// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import UIKit

// developer.apple.com/documentation/swiftui/app
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension App {
    @MainActor @preconcurrency
    public static func main() { _ = Self().body }
}

// developer.apple.com/documentation/swiftui/scene
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// Draws the scene for tests; not a part of SwiftUI.
    func _draw(in node: ShapeNode)
}

extension Scene {
    public func _draw(in node: ShapeNode) { node.draw(SceneView(scene: body)) }
}

extension Never: Scene {}

/// A scene, drawn as the view in its window.
struct SceneView<S: Scene> {
    let scene: S
}

extension SceneView: View {
    typealias Body = Never
    func _draw(in node: ShapeNode) { scene._draw(in: node) }
}

/// An app, drawn as the view in its only window.
struct AppView<A: App>: View {
    typealias Body = Never
    let app: A

    func _draw(in node: ShapeNode) {
        node.install(app)
        node.draw(SceneView(scene: app.body))
    }
}

private struct ViewScene<Content: View> {
    let content: Content
}

extension ViewScene: Scene {
    typealias Body = Never
    var body: Never { fatalError("A primitive scene has no body.") }
    func _draw(in node: ShapeNode) { node.draw(content) }
}

extension Scene {
    // developer.apple.com/documentation/swiftui/scene/onchange(of:initial:_:)
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public nonisolated func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene {
        ViewScene(content: SceneView(scene: self).onChange(of: value, initial: initial, action))
    }
}

// developer.apple.com/documentation/swiftui/scenephase
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}

// developer.apple.com/documentation/swiftui/scenebuilder
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@resultBuilder
public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

// developer.apple.com/documentation/swiftui/windowgroup
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency
public struct WindowGroup<Content: View>: Scene {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
    public var body: Never { fatalError("A primitive scene has no body.") }
    public func _draw(in node: ShapeNode) { node.draw(content) }
}

// developer.apple.com/documentation/swiftui/uihostingcontroller
@available(macOS, unavailable)
open class UIHostingController<Content: View>: UIViewController {
    public var rootView: Content

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }
    public required init?(coder: NSCoder) { nil }
}

// developer.apple.com/documentation/swiftui/uiviewcontrollerrepresentable
//
// unconfirmed: the types of the context are simplified; the probe does not use it.
@available(macOS, unavailable)
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    @MainActor @preconcurrency func makeUIViewController(context: Context) -> UIViewControllerType
    @MainActor @preconcurrency func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}

@available(macOS, unavailable)
@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public let environment: EnvironmentValues
}

@available(macOS, unavailable)
extension UIViewControllerRepresentable {
    public func _draw(in node: ShapeNode) {
        let context = UIViewControllerRepresentableContext<Self>(environment: node.environment)
        let controller = node.memory as? UIViewControllerType ?? makeUIViewController(context: context)
        node.memory = controller
        updateUIViewController(controller, context: context)
    }
}
