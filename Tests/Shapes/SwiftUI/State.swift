// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import Observation

// developer.apple.com/documentation/swiftui/dynamicproperty
public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

/// A property that a node connects with what it keeps for its view.
@MainActor protocol Installable {
    func install(in node: ShapeNode, slot: Int)
}

// developer.apple.com/documentation/swiftui/state
//
// SwiftUI's `State` is `Sendable` if its value is; this shape is not.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    final class Box {
        var value: Value
        init(_ value: Value) {
            self.value = value
        }
    }
    final class Link {
        var box: Box
        init(_ box: Box) {
            self.box = box
        }
    }

    private let link: Link

    public init(wrappedValue value: Value) {
        link = Link(Box(value))
    }
    public init(initialValue value: Value) {
        link = Link(Box(value))
    }
    public var wrappedValue: Value {
        get { link.box.value }
        nonmutating set { link.box.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        let link = link
        return Binding(read: { link.box.value }, write: { link.box.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

extension State: Installable {
    func install(in node: ShapeNode, slot: Int) { link.box = node.keep(link.box, in: slot) }
}

// developer.apple.com/documentation/swiftui/binding
//
// `init(get:set:)` is left out: adapters and faces bind by key paths only.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    let read: () -> Value
    let write: (Value) -> Void

    init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.read = read
        self.write = write
    }
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }
    public var projectedValue: Binding<Value> { self }
    public init(projectedValue: Binding<Value>) { self = projectedValue }
    public static func constant(_ value: Value) -> Binding<Value> { Binding(read: { value }, write: { _ in }) }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        let (read, write) = (read, write)
        return Binding<Subject>(
            read: { read()[keyPath: keyPath] },
            write: { value in
                var whole = read()
                whole[keyPath: keyPath] = value
                write(whole)
            }
        )
    }
}

// developer.apple.com/documentation/swiftui/bindable
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    private var object: Value

    fileprivate init(object: Value) {
        self.object = object
    }
    // unconfirmed: without it, the initializer of a view takes a `Bindable`, not its object.
    @available(*, unavailable, message: "The wrapped value must be an object that conforms to Observable.")
    public init(wrappedValue: Value) {
        object = wrappedValue
    }
    public var wrappedValue: Value {
        get { object }
        set { object = newValue }
    }
    public var projectedValue: Bindable<Value> { self }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension Bindable where Value: AnyObject {
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        let object = wrappedValue
        return Binding(read: { object[keyPath: keyPath] }, write: { object[keyPath: keyPath] = $0 })
    }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
extension Bindable where Value: AnyObject, Value: Observable {
    public init(wrappedValue: Value) {
        self.init(object: wrappedValue)
    }
    public init(_ wrappedValue: Value) {
        self.init(object: wrappedValue)
    }
    public init(projectedValue: Bindable<Value>) { self = projectedValue }
}

// developer.apple.com/documentation/swiftui/scenestorage
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty {
    private final class Link {
        weak var host: ShapeHost?
    }

    private let link = Link()
    private let read: @MainActor (ShapeHost?) -> Value
    private let write: @MainActor (ShapeHost?, Value) -> Void

    // In SwiftUI, not on the main actor.
    @MainActor public var wrappedValue: Value {
        get { read(link.host) }
        nonmutating set { write(link.host, newValue) }
    }
}

extension SceneStorage where Value: ExpressibleByNilLiteral {
    // developer.apple.com/documentation/swiftui/scenestorage/init(_:)
    public init(_ key: String) where Value == Data? {
        read = { $0?.sceneStorage[key] }
        write = { $0?.sceneStorage[key] = $1 }
    }
}

extension SceneStorage: Installable {
    func install(in node: ShapeNode, slot: Int) { link.host = node.host }
}
