// The samples of Documentation/Map.md about Boardy and deep links, with tests.

import Backplane
import BackplaneNavigation
import BackplaneTesting
import Foundation
import Testing

typealias LaunchOptions = [String: String]

enum CheckedRoot {
    @MainActor protocol AuthChecking {
        func checkUserAuthenticated() -> Bool
    }

    enum Root: BoardContract { typealias Input = LaunchOptions }

    @MainActor struct RootBoard: Board {
        let slot: Slot<Root>
        let authChecker: any AuthChecking

        func activate(with options: LaunchOptions) {
            if authChecker.checkUserAuthenticated() {
                inner.activate(Dashboard.id)
            } else {
                inner.activate(Login.id)
            }
        }
    }
}

enum ReleasedFeature {
    @MainActor protocol FeatureDelegate: AnyObject {
        func featureDidFinish()
    }

    @MainActor protocol FeatureController: AnyObject {
        func start(_ options: LaunchOptions)
    }

    enum Root: BoardContract { typealias Input = LaunchOptions }

    @MainActor final class RootBoard: Board, FeatureDelegate {
        let slot: Slot<Root>
        private let build: (any FeatureDelegate) -> any FeatureController
        private var feature: (any FeatureController)?

        init(slot: Slot<Root>, build: @escaping (any FeatureDelegate) -> any FeatureController) {
            self.slot = slot
            self.build = build
        }

        func activate(with options: LaunchOptions) {
            feature = build(self)
            feature?.start(options)
        }

        func featureDidFinish() { feature = nil }
    }
}

enum PairedFeature {
    @MainActor final class Window: LifetimeOwner {
        let lifetime = Lifetime()
    }

    /// A struct can conform, because the protocol is not limited to classes.
    @MainActor protocol FeatureDelegate {
        func featureDidFinish()
    }

    @MainActor protocol FeatureController: AnyObject {
        func start(_ input: String)
    }

    enum Some: BoardContract { typealias Input = String }

    @MainActor struct SomeBoard: Board {
        let slot: Slot<Some>
        unowned let window: Window
        let build: (any FeatureDelegate) -> any FeatureController

        func activate(with input: String) {
            let feature = build(self)
            keep(feature, for: window)
            feature.start(input)
        }
    }
}

extension PairedFeature.SomeBoard: PairedFeature.FeatureDelegate {
    func featureDidFinish() { complete() }
}

enum CompletedFeature {
    @MainActor protocol FeatureDelegate: AnyObject {
        func missionCompleted()
    }

    typealias FeatureController = PairedFeature.FeatureController

    enum Some: BoardContract { typealias Input = String }

    @MainActor final class SomeBoard: Board, FeatureDelegate {
        let slot: Slot<Some>
        private let build: (any FeatureDelegate) -> any FeatureController
        private lazy var feature = build(self)

        init(slot: Slot<Some>, build: @escaping (any FeatureDelegate) -> any FeatureController) {
            self.slot = slot
            self.build = build
        }

        func activate(with input: String) { feature.start(input) }

        func missionCompleted() { complete() }
    }
}

enum LinkedCourse {
    enum CourseScreen: BoardContract { typealias Input = String }

    @MainActor struct CourseBoard: Board {
        let slot: Slot<CourseScreen>
        let navigator: Navigator<AppScreen>

        func activate(with id: String) { pair(with: navigator.push(.course(id))) }
    }
}

@MainActor private final class Feature: ReleasedFeature.FeatureController, PairedFeature.FeatureController {
    private(set) var starts = 0
    /// Tells the delegate that the feature has ended.
    var finish: () -> Void = {}

    func start(_ options: LaunchOptions) { starts += 1 }
    func start(_ input: String) { starts += 1 }
}

private struct AuthChecker: CheckedRoot.AuthChecking {
    let isAuthenticated: Bool

    func checkUserAuthenticated() -> Bool { isAuthenticated }
}

@MainActor struct MapSampleBoards {
    private typealias CourseScreen = LinkedCourse.CourseScreen
    private typealias CourseBoard = LinkedCourse.CourseBoard

    private let motherboard = Motherboard.onMain()

    @Test(arguments: [true, false])
    func `the root board opens the dashboard or the sign-in`(isAuthenticated: Bool) {
        let dashboard = TestBoard(Dashboard.id, on: motherboard)
        let login = TestBoard(Login.id, on: motherboard)
        motherboard.register { slot in
            CheckedRoot.RootBoard(slot: slot, authChecker: AuthChecker(isAuthenticated: isAuthenticated))
        }
        motherboard.activate(CheckedRoot.Root.id, with: [:])
        #expect((dashboard.slot != nil) == isAuthenticated)
        #expect((login.slot == nil) == isAuthenticated)
    }

    @Test func `a board releases its feature when the feature has finished`() {
        weak var made: Feature?
        motherboard.register { slot in
            ReleasedFeature.RootBoard(slot: slot) { delegate in
                let feature = Feature()
                feature.finish = { [weak delegate] in delegate?.featureDidFinish() }
                made = feature
                return feature
            }
        }
        let root = motherboard.activate(ReleasedFeature.Root.id, with: [:])
        #expect(made?.starts == 1)
        finishMade(made)
        #expect(made == nil)
        #expect(root.state == .active)
    }

    @Test(arguments: [true, false])
    func `a kept feature is released with the window, or when it finishes`(finishes: Bool) {
        let window = PairedFeature.Window()
        weak var made: Feature?
        motherboard.register { slot in
            PairedFeature.SomeBoard(slot: slot, window: window) { delegate in
                let feature = Feature()
                feature.finish = { delegate.featureDidFinish() }
                made = feature
                return feature
            }
        }
        let some = motherboard.activate(PairedFeature.Some.id, with: "one")
        #expect(made?.starts == 1)
        if finishes { finishMade(made) } else { window.lifetime.end(isolation: MainActor.shared) }
        #expect(made == nil)
        #expect((some.state == .completed) == finishes)
    }

    @Test func `a board ends when its mission is completed`() {
        weak var made: Feature?
        motherboard.register { slot in
            CompletedFeature.SomeBoard(slot: slot) { delegate in
                let feature = Feature()
                feature.finish = { [weak delegate] in delegate?.missionCompleted() }
                made = feature
                return feature
            }
        }
        let some = motherboard.activate(CompletedFeature.Some.id, with: "one")
        #expect(made?.starts == 1)
        finishMade(made)
        #expect(some.state == .completed)
        #expect(made == nil)
    }

    /// Finishes a feature in a scope of its own, so that the test does not keep the feature.
    private func finishMade(_ feature: Feature?) {
        feature?.finish()
    }

    @Test func `a link to a course needs only its ID`() throws {
        let navigator = Navigator<AppScreen>.onMain(hasTransitions: false)
        navigator.setRoot(.courses)
        let url = try #require(URL(string: "myapp://course/abc123"))
        motherboard.register { slot in CourseBoard(slot: slot, navigator: navigator) }
        motherboard.allowLinks(schemes: ["myapp"])
        motherboard.registerLink("course/{id}", to: CourseScreen.id)
        motherboard.open(url)
        #expect(navigator.top?.screen == .course("abc123"))
    }
}
