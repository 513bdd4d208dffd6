public import Backplane
import BackplaneConcurrency
public import Observation

/// The screens of one window: its places, its layers and its open dialogs.
///
/// Boards push and present screens and ask questions. A host draws the state of the navigator, and
/// reports each action of the user: going back, closing a sheet, selecting a tab, or hiding a
/// dialog. A host is SwiftUI, UIKit, a web page or a terminal. `Screen` is the app's choice, for
/// example an `enum`.
///
/// ```swift
/// final class CourseBoard: Board {
///     let slot: Slot<CourseContract>
///     private let navigator: Navigator<AppScreen>
///
///     func activate(with id: Course.ID) {
///         pair(with: navigator.push(.course(id)))
///     }
/// }
/// ```
///
/// **Lifetimes.** Each call returns a ``Place``, whose lifetime ends when the place leaves the
/// navigator. A place is alive while it is in the navigator, even if its view is not on the screen.
///
/// **Order.** An order changes the navigator before it returns. The places that leave are removed
/// first. Then their lifetimes end, the highest place first, once each. An order that is given
/// while lifetimes end runs afterwards, in the order in which it was given. There is one exception:
/// if a board ends meanwhile, its place leaves at once, so the place is gone when `didEnd` is
/// called.
///
/// **Layers.** ``layers`` changes at once, but the host shows sheets and covers step by step,
/// because frameworks lose presentations that change in one update. ``Layer/above`` says which
/// layer to show. It changes when ``base`` has appeared, and then one step at a time: either
/// everything above one layer leaves, or one layer is raised. The next step follows when the host
/// calls ``Layer/appeared()`` or ``Layer/uncovered``, or after 3 s. A dialog is also a
/// presentation: it waits for the steps before it. Until it has gone, no layer is raised. For a
/// host that draws the final state at once, such as a web page, create the navigator with
/// `hasTransitions: false`.
///
/// **Isolation.** A navigator belongs to the actor that creates it, and is not `Sendable`. It is
/// observable.
public final class Navigator<Screen>: LifetimeOwner {
    /// The lifetime that ends when the window closes: see ``close()``.
    public let lifetime = Lifetime()

    private let changes = Changes()
    /// The layers, read without observation.
    private(set) var asked: [Layer<Screen>] = []

    /// Whether the window has closed: see ``close()``.
    package internal(set) var isClosed = false

    var presentation: PresentationStateMachine
    /// The layers that the host shows, the base first.
    var shownLayers: [Layer<Screen>] = []
    // Unowned: the owner holds the navigator, so the navigator must not hold the owner.
    unowned let owner: any Actor
    let clock: any Clock<Duration>
    private var isBusy = false
    private var orders: [() -> Void] = []
    /// The lifetimes of places that have left, which end in this order.
    private var endings: [Lifetime] = []
    /// Whether lifetimes are ending, so that the order that ends them has made all its changes.
    private(set) var isEnding = false
    /// Whether a place is leaving at once, although lifetimes are ending.
    var isLeaving = false

    /// Creates a navigator that belongs to the current actor and shows nothing.
    ///
    /// - Parameters:
    ///   - hasTransitions: whether the host reports the end of each step. SwiftUI needs this.
    ///   - clock: the clock that limits the wait for a report of the host.
    ///   - isolation: the actor; keep the default.
    public convenience init(
        hasTransitions: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(),
        isolation: isolated any Actor = #isolation
    ) {
        self.init(owner: isolation, hasTransitions: hasTransitions, clock: clock)
    }

    /// Creates a navigator that belongs to `owner`, where the compiler cannot know the actor.
    ///
    /// ```swift
    /// actor Window {
    ///     private lazy var navigator = Navigator<AppScreen>(owner: self)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: the actor that will use the navigator. The navigator does not keep it alive.
    ///   - hasTransitions: whether the host reports the end of each step. SwiftUI needs this.
    ///   - clock: the clock that limits the wait for a report of the host.
    public init(
        owner: any Actor,
        hasTransitions: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.owner = owner
        self.clock = clock
        // Replaced below: the base needs the navigator.
        presentation = PresentationStateMachine(base: 0, isStepwise: true)
        let base = Layer(root: nil, style: nil, isPinned: false, in: self)
        asked = [base]
        shownLayers = [base]
        presentation = PresentationStateMachine(base: base.id, isStepwise: hasTransitions)
    }

    /// Returns a new navigator that belongs to the main actor, for the initial values of stored
    /// properties.
    ///
    /// - Parameters:
    ///   - hasTransitions: whether the host reports the end of each step. SwiftUI needs this.
    ///   - clock: the clock that limits the wait for a report of the host.
    /// - Returns: the navigator.
    @MainActor public static func onMain(
        hasTransitions: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Navigator {
        Navigator(hasTransitions: hasTransitions, clock: clock, isolation: MainActor.shared)
    }

    // MARK: Contents

    /// The layers of the window, the base first.
    public internal(set) var layers: [Layer<Screen>] {
        get {
            changes.access()
            return asked
        }
        set { changes.notify { asked = newValue } }
    }

    /// The lowest layer, which is always there.
    public var base: Layer<Screen> { layers[0] }

    /// The highest layer.
    public var topLayer: Layer<Screen> { layers[layers.count - 1] }

    /// The place that the user sees: the highest one of the highest layer; `nil` if there is none.
    public var top: Place<Screen>? { topLayer.stack.top }

    /// All places of all layers and tabs, the lowest layer first.
    public var places: [Place<Screen>] { layers.flatMap(\.places) }

    // MARK: Orders

    /// Runs an order now, or after the running one if lifetimes are ending.
    func perform(_ order: @escaping () -> Void) {
        guard !isBusy else { return orders.append(order) }
        isBusy = true
        order()
        while !orders.isEmpty { orders.removeFirst()() }
        isBusy = false
    }

    /// Ends the lifetimes of places that are no longer in the navigator, in this order.
    func end(_ places: [Place<Screen>], _ dismissal: DismissalReason) {
        for place in places { place.dismissal = dismissal }
        cancelDialogs(at: places)
        end(places.map(\.lifetime))
    }

    /// Ends lifetimes on the owner, before this returns or after the lifetimes that are ending.
    func end(_ lifetimes: [Lifetime]) {
        endings += lifetimes
        guard !isEnding else { return }
        isEnding = true
        while !endings.isEmpty {
            let next = endings.removeFirst()
            owner.assumeIsolated { next.end(isolation: $0) }
        }
        isEnding = false
    }
}

extension Navigator: Observable {}
