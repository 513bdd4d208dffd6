// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// developer.apple.com/documentation/swiftui/button
@MainActor @preconcurrency
public struct Button<Label: View>: View {
    public typealias Body = Never

    private let role: ButtonRole?
    private let action: @MainActor () -> Void
    private let label: Label

    // developer.apple.com/documentation/swiftui/button/init(action:label:)
    //
    // SwiftUI's initializers are `nonisolated`; here they are on the main actor.
    @preconcurrency
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }
    // developer.apple.com/documentation/swiftui/button/init(role:action:label:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    @preconcurrency
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public func _draw(in node: ShapeNode) {
        node.element = .button(role, action)
        node.draw(label)
    }
}

extension Button where Label == Text {
    @preconcurrency
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }
    @preconcurrency @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }
    // developer.apple.com/documentation/swiftui/button/init(_:role:action:)
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    @preconcurrency
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    @available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
    @preconcurrency @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

// developer.apple.com/documentation/swiftui/buttonrole
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, *)
public struct ButtonRole: Equatable, Sendable {
    private let name: String

    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

// developer.apple.com/documentation/swiftui/textfield
@MainActor @preconcurrency
public struct TextField<Label: View>: View {
    public typealias Body = Never

    fileprivate let title: String
    fileprivate let text: Binding<String>

    public func _draw(in node: ShapeNode) { node.element = .field(title, text) }
}

extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(title: titleKey.string, text: text)
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        self.init(title: String(title), text: text)
    }
    // developer.apple.com/documentation/swiftui/textfield/init(_:text:axis:)
    @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {
        self.init(title: titleKey.string, text: text)
    }
}

// developer.apple.com/documentation/swiftui/axis
public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal, vertical
}

// developer.apple.com/documentation/swiftui/securefield
@MainActor @preconcurrency
public struct SecureField<Label: View>: View {
    public typealias Body = Never

    fileprivate let title: String
    fileprivate let text: Binding<String>

    public func _draw(in node: ShapeNode) { node.element = .field(title, text) }
}

extension SecureField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {
        self.init(title: titleKey.string, text: text)
    }
}

// developer.apple.com/documentation/swiftui/texteditor
@available(iOS 14, macOS 11, visionOS 1, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@MainActor @preconcurrency
public struct TextEditor: View {
    public typealias Body = Never

    private let text: Binding<String>

    public init(text: Binding<String>) {
        self.text = text
    }

    public func _draw(in node: ShapeNode) { node.element = .field("", text) }
}

// developer.apple.com/documentation/swiftui/toggle
@MainActor @preconcurrency
public struct Toggle<Label: View>: View {
    public typealias Body = Never

    private let isOn: Binding<Bool>
    private let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public func _draw(in node: ShapeNode) {
        node.element = .toggle(isOn)
        node.draw(label)
    }
}

extension Toggle where Label == Text {
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

// developer.apple.com/documentation/swiftui/progressview
@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
@MainActor @preconcurrency
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    public typealias Body = Never

    private let label: Label

    fileprivate init(label: Label) {
        self.label = label
    }

    public func _draw(in node: ShapeNode) {
        node.element = .progress
        node.draw(label)
    }
}

@available(iOS 14, macOS 11, tvOS 14, watchOS 7, *)
extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView { self.init(label: EmptyView()) }
    public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init(label: Text(titleKey)) }
}
