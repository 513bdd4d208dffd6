// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Observation

// developer.apple.com/documentation/swiftui/environmentkey
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

// developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
    /// The value that ``View/environment(_:)`` sets, by its type.
    subscript<T: AnyObject & Observable>(object type: T.Type) -> T? {
        get { values[ObjectIdentifier(type)] as? T }
        set { values[ObjectIdentifier(type)] = newValue }
    }
    public var isEnabled: Bool {
        get { self[IsEnabled.self] }
        set { self[IsEnabled.self] = newValue }
    }
    // developer.apple.com/documentation/swiftui/environmentvalues/scenephase
    @available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    public internal(set) var dismiss: DismissAction {
        get { self[DismissKey.self] }
        set { self[DismissKey.self] = newValue }
    }
}

private struct IsEnabled: EnvironmentKey {
    static var defaultValue: Bool { true }
}

private struct ScenePhaseKey: EnvironmentKey {
    static var defaultValue: ScenePhase { .active }
}

private struct DismissKey: EnvironmentKey {
    static var defaultValue: DismissAction { DismissAction {} }
}

// developer.apple.com/documentation/swiftui/dismissaction
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct DismissAction {
    let dismiss: () -> Void

    init(_ dismiss: @escaping () -> Void) {
        self.dismiss = dismiss
    }
    @MainActor @preconcurrency public func callAsFunction() { dismiss() }
}

// developer.apple.com/documentation/swiftui/environment
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private final class Link {
        var values = EnvironmentValues()
    }

    private let link = Link()
    private let value: (EnvironmentValues) -> Value

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        value = { $0[keyPath: keyPath] }
    }
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        value = { values in
            guard let object = values[object: objectType] else {
                fatalError("No \(objectType) is in the environment. Set it with `environment(_:)`.")
            }
            return object
        }
    }
    public var wrappedValue: Value { value(link.values) }
}

extension Environment: Installable {
    func install(in node: ShapeNode, slot: Int) { link.values = node.environment }
}

private struct SetEnvironment: Change {
    let change: (inout EnvironmentValues) -> Void

    func apply(to node: ShapeNode, then draw: () -> Void) {
        change(&node.environment)
        draw()
    }
}

extension View {
    // developer.apple.com/documentation/swiftui/view/environment(_:_:)
    public nonisolated func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>,
        _ value: V
    ) -> some View {
        changed(SetEnvironment { $0[keyPath: keyPath] = value })
    }
    // developer.apple.com/documentation/swiftui/view/environment(_:)
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public nonisolated func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        changed(SetEnvironment { $0[object: T.self] = object })
    }
    // developer.apple.com/documentation/swiftui/view/disabled(_:)
    public nonisolated func disabled(_ disabled: Bool) -> some View {
        changed(SetEnvironment { $0.isEnabled = $0.isEnabled && !disabled })
    }
}
