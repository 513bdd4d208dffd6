// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// UIKit exports CoreFoundation by way of Foundation. There these functions belong to no actor.

// developer.apple.com/documentation/corefoundation/cfrunloop
@MainActor public final class CFRunLoop {
    fileprivate static let main = CFRunLoop()
    fileprivate var observers: [CFRunLoopObserver] = []
    private var willTurn = false

    /// Plays one turn of the loop, after what happens now.
    static func wake() {
        guard !main.willTurn else { return }
        main.willTurn = true
        Task {
            main.willTurn = false
            for observer in main.observers { observer.block?(observer, .beforeWaiting) }
        }
    }
}

// developer.apple.com/documentation/corefoundation/cfrunloopobserver
@MainActor public final class CFRunLoopObserver {
    fileprivate let block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)?

    fileprivate init(_ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)?) {
        self.block = block
    }
}

// developer.apple.com/documentation/corefoundation/cfrunloopactivity
public struct CFRunLoopActivity: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }
    public static var beforeWaiting: CFRunLoopActivity { CFRunLoopActivity(rawValue: 1 << 5) }
}

// developer.apple.com/documentation/corefoundation/cfrunloopmode
public struct CFRunLoopMode: Hashable, Sendable {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public static var commonModes: CFRunLoopMode! { CFRunLoopMode() }
}

// developer.apple.com/documentation/corefoundation/cfallocator
public final class CFAllocator {}

// developer.apple.com/documentation/corefoundation/cfrunloopgetmain()
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
@MainActor public func CFRunLoopGetMain() -> CFRunLoop! { .main }

// developer.apple.com/documentation/corefoundation/cfrunloopobservercreatewithhandler(_:_:_:_:_:)
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
@MainActor public func CFRunLoopObserverCreateWithHandler(
    _ allocator: CFAllocator!,
    _ activities: UInt,
    _ repeats: Bool,
    _ order: Int,
    _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! {
    CFRunLoopObserver(block)
}

// developer.apple.com/documentation/corefoundation/cfrunloopaddobserver(_:_:_:)
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
@MainActor public func CFRunLoopAddObserver(
    _ rl: CFRunLoop!,
    _ observer: CFRunLoopObserver!,
    _ mode: CFRunLoopMode!
) {
    rl.observers.append(observer)
}
