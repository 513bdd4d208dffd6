import Backplane
import BackplaneNavigation
import BackplaneTesting
import BackplaneUIKit
import Foundation
import ShapesTestTools
import UIKit

/// A random trace: orders, the user's touches and the app's own presentations in one window, whose
/// transitions take up to two seconds.
@MainActor final class WindowTrace {
    private let traced: TracedWindow
    private let motherboard = Motherboard.onMain()
    private var random: SeededGenerator
    private var story: [String] = []
    private var failure: String?
    private let theme: Theme

    /// The part of the rules that a trace is mostly about.
    private enum Theme: CaseIterable {
        case all, tabs, layers
    }

    private var places: [Int: Place<Int>] = [:]
    private var activations: [Int: Activation<LifeContract>] = [:]
    private var ended: [Int: Int] = [:]
    private var gone: Set<Int> = []
    /// The screens that the user or the app's code has taken from the window.
    private var taken: Set<Int> = []
    /// The screens that were taken and are shown again.
    private var returned: Set<Int> = []
    /// The screens of each stack of each layer, before what happens now.
    private var before: [[[Int]]] = []
    private var lastScreen = 0

    private var answers: [Int: [Int?]] = [:]
    private var tapped: [Int: Int] = [:]
    /// The questions during which something happened that may end them.
    private var disturbed: Set<Int> = []
    private var questions: [Task<Void, Never>] = []

    private var navigator: Navigator<Int> { traced.navigator }

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let durations = Durations(seed: random.next())
        traced = TracedWindow { durations.next() }
        traced.transitions.refusesDuringPushes = random.chance(50)
        theme = Theme.allCases[random.below(3)]
        self.random = random
        motherboard.register("place" as BoardID<LifeContract>, reuse: .perActivation) { [weak self] slot in
            LifeBoard(slot: slot) { self?.ended[$0, default: 0] += 1 }
        }
    }

    /// Transitions take no time, half a second, or up to two.
    private final class Durations {
        private var random: SeededGenerator
        init(seed: UInt64) { random = SeededGenerator(seed: seed) }
        func next() -> Duration { .milliseconds([0, 500, random.below(2001)][random.below(3)]) }
    }

    /// Plays the trace; returns what is wrong.
    func play() async -> String? {
        // A cold start gives orders before the window is shown.
        if theme == .tabs {
            order("tabs") { navigator.setTabs([newScreen(), newScreen(), newScreen()]) }
        } else if random.chance(70) {
            order("root") { [navigator.setRoot(newScreen())] }
        }
        for _ in 0..<random.below(3) { playOrder() }
        traced.window.makeKeyAndVisible()
        for _ in 0..<(5 + random.below(25)) where failure == nil {
            await step()
            look(isOrder: false)
        }
        if failure == nil { await finish() }
        return failure.map { (story + [$0]).joined(separator: "\n") }
    }

    private func step() async {
        switch random.below(theme == .layers ? 24 : 20) {
        case 20...: playApp()
        case 0..<8: playOrder()
        case 8..<12: touch()
        case 12: playApp()
        case 13..<16: pass(.milliseconds(random.below(1200)))
        default: await turns(1 + random.below(12))
        }
    }

    private func turns(_ count: Int) async {
        for _ in 0..<count {
            await Task.yield()
            look(isOrder: false)
        }
    }

    private func pass(_ time: Duration) {
        traced.transitions.advance(by: time)
        traced.clock.advance(by: time)
    }

    private func fail(_ text: String) { if failure == nil { failure = text } }

    // MARK: Orders

    private func newScreen() -> Int {
        lastScreen += 1
        return lastScreen
    }

    private func anyPlace() -> Place<Int>? { places[1 + random.below(lastScreen + 1)] }

    private func order(_ name: String, _ order: () -> [Place<Int>]) {
        look(isOrder: false)
        story.append(name)
        disturbed.formUnion(answers.keys)
        for place in order() {
            places[place.screen] = place
            activations[place.screen] = motherboard.activate(
                "place" as BoardID<LifeContract>,
                with: .init(owner: .place(place), screen: place.screen)
            )
        }
        look(isOrder: true)
    }

    private func playOrder() {
        let navigator = navigator
        let kinds = [Theme.tabs: [3, 4, 5, 12, 14, 15, 16, 16, 17], .layers: [3, 9, 9, 10, 10, 11, 12, 18, 19]]
        switch kinds[theme].map({ $0[random.below($0.count)] }) ?? random.below(22) {
        case 0: order("setRoot \(lastScreen + 1)") { [navigator.setRoot(newScreen())] }
        case 1, 2:
            let screens = (0..<(1 + random.below(3))).map { _ in newScreen() }
            order("setTabs \(screens)") { navigator.setTabs(screens) }
        case 3..<9: order("push \(lastScreen + 1)") { [navigator.push(newScreen())] }
        case 9..<12:
            let style = random.chance(50) ? PresentationStyle.sheet : .cover
            let forms: [SheetForm] = [.automatic, .heights([]), .popover(x: 0.5, y: 1)]
            let form = forms[random.below(3)]
            order("present \(lastScreen + 1) as \(style), \(form)") {
                [navigator.present(newScreen(), as: style, form: form)]
            }
        case 12, 13: act("dismiss", on: anyPlace()) { $0.dismiss() }
        case 14: act("complete", on: anyPlace()) { self.activations[$0.screen]?.complete() }
        case 15: act("back to", on: anyPlace()) { navigator.back(to: $0) }
        case 16: act("select", on: anyPlace()) { navigator.select($0) }
        case 17: act("returnHome", on: anyPlace()) { _ in navigator.returnHome() }
        case 18: act("uncover", on: anyPlace()) { _ in navigator.uncover() }
        default: ask()
        }
    }

    private func act(_ name: String, on place: Place<Int>?, _ action: (Place<Int>) -> Void) {
        guard let place else { return }
        order("\(name) \(place.screen)") {
            action(place)
            return []
        }
    }

    private func ask() {
        let number = answers.count
        story.append("ask \(number)")
        answers[number] = []
        let navigator = navigator
        let choices = [Dialog<Int>.Choice("first", 0), .init("second", 1, role: .destructive)]
        let style = random.chance(50) ? DialogStyle.alert : .actionSheet
        let task = Task {
            let answer = try? await navigator.ask(Dialog("\(number)", choices: choices, style: style))
            self.answers[number]?.append(answer)
        }
        questions.append(task)
        if random.chance(15) {
            disturbed.insert(number)
            task.cancel()
        }
    }

    // MARK: The user and the app

    /// Whether a transition runs in what the user would touch.
    private func isMoving(_ controller: UIViewController?) -> Bool { controller?.transitionCoordinator != nil }

    private func touch() {
        let top = traced.top
        guard !isMoving(top) else { return }
        if let alert = top as? UIAlertController { return tap(alert) }
        guard let stack = traced.stack(of: top) else { return dismissForeign(top) }
        guard !isMoving(stack) else { return }
        let screens = traced.screens(stack)
        switch random.below(theme == .tabs ? 10 : 7) {
        case 7...: selectTab(of: top)
        case 0 where screens.count > 1, 1 where screens.count > 1:
            story.append("back from \(screens)")
            taken.formUnion(screens.suffix(1))
            stack.popViewController(animated: true)
        case 2 where screens.count > 1:
            let isCancelled = random.chance(50)
            story.append("swipe back from \(screens)\(isCancelled ? ", cancelled" : "")")
            if !isCancelled { taken.formUnion(screens.suffix(1)) }
            stack.swipeBack(isCancelled: isCancelled)
        case 3 where screens.count > 1:
            story.append("home from \(screens)")
            taken.formUnion(screens.dropFirst())
            stack.popToRootViewController(animated: true)
        case 4, 5: selectTab(of: top)
        default: pullDown(top)
        }
    }

    private func selectTab(of top: UIViewController) {
        guard let tabs = traced.tabs(of: top), let all = tabs.viewControllers else { return }
        let index = random.below(all.count)
        guard index != tabs.selectedIndex else { return }
        story.append("tab \(index)")
        tabs.selectedIndex = index
    }

    private func pullDown(_ top: UIViewController) {
        guard let presenter = top.presentingViewController, top.modalPresentationStyle != .fullScreen else { return }
        let isCancelled = random.chance(40)
        story.append("pull down\(isCancelled ? ", cancelled" : "")")
        if !isCancelled { take(from: top) }
        presenter.pullDown(isCancelled: isCancelled)
    }

    /// Notes that a presented controller leaves, with all above it.
    private func take(from controller: UIViewController) {
        disturbed.formUnion(answers.keys)
        let leaving = traced.chain.drop { $0 !== controller }
        for case let layer as NavigatorController<Int> in leaving {
            let first = (traced.tabs(of: layer)?.viewControllers?.first ?? layer.children.first)
            taken.formUnion(traced.screens(first).prefix(1))
        }
    }

    private func tap(_ alert: UIAlertController) {
        let button = alert.actions[random.below(alert.actions.count)].title ?? ""
        story.append("tap \(button) of \(alert.title ?? "")")
        if let number = alert.title.flatMap(Int.init) {
            tapped[number] = ["first": 0, "second": 1][button]
            // From here, only what follows can end the question without its answer.
            disturbed.remove(number)
            if button == "Cancel" { disturbed.insert(number) }
        }
        alert.tap(button)
    }

    private func dismissForeign(_ foreign: UIViewController) {
        story.append("the app dismisses its controller")
        foreign.presentingViewController?.dismiss(animated: true)
    }

    private func playApp() {
        let chain = traced.chain
        let controller = chain[random.below(chain.count)]
        if random.chance(60) {
            let isAlert = random.chance(60)
            let foreign =
                isAlert ? UIAlertController(title: "foreign", message: nil, preferredStyle: .alert) : UIViewController()
            (foreign as? UIAlertController)?.addAction(UIAlertAction(title: "OK", style: .default))
            if !isAlert { foreign.modalPresentationStyle = random.chance(50) ? .fullScreen : .pageSheet }
            story.append(
                "the app presents \(isAlert ? "an alert" : "a controller") on \(controller === traced.top ? "top" : "a covered one")"
            )
            controller.present(foreign, animated: random.chance(80))
        } else if let above = controller.presentedViewController, chain.allSatisfy({ !isMoving($0) }) {
            story.append("the app dismisses what is above")
            take(from: above)
            controller.dismiss(animated: random.chance(80))
        }
    }

    // MARK: The rules

    /// Notes the places that have left, and checks the reason.
    private func look(isOrder: Bool) {
        let now = navigator.layers.map { $0.stacks.map { $0.places.map(\.screen) } }
        defer { before = now }
        let there = Set(now.joined().joined())
        // A popped place stays if the root below it has left before the report: it is the root now.
        let spared = taken.intersection(now[0].compactMap(\.first))
        taken.subtract(spared)
        returned.formUnion(spared)
        let left = places.keys.filter { !there.contains($0) && !gone.contains($0) }
        gone.formUnion(left)
        for screen in left {
            guard let place = places[screen] else { continue }
            if place.isDismissedByUser == isOrder {
                fail("\(screen) left by \(isOrder ? "an order" : "the user"), and says otherwise")
            }
            if !isOrder, !isJustified(screen) { fail("\(screen) left without a reason") }
        }
        if !traced.transitions.problems.isEmpty { fail("UIKit: \(traced.transitions.problems)") }
    }

    /// Whether the user took the place, a place below it in its stack, or a layer below it.
    private func isJustified(_ screen: Int) -> Bool {
        if taken.contains(screen) { return true }
        guard let layer = before.firstIndex(where: { $0.contains { $0.contains(screen) } }) else { return false }
        let stack = before[layer].first { $0.contains(screen) } ?? []
        if stack.prefix(while: { $0 != screen }).dropFirst().contains(where: taken.contains) { return true }
        return before[1...].prefix(layer).contains { $0.first?.first.map(taken.contains) == true }
    }

    private func settle() async {
        for _ in 0..<400 where failure == nil {
            await turns(16)
            if traced.transitions.isRunning {
                traced.transitions.advanceToNextEnd()
            } else if let alert = traced.top as? UIAlertController {
                tap(alert)
            } else if traced.stack(of: traced.top) == nil {
                dismissForeign(traced.top)
            } else if traced.shown == traced.asked {
                return
            }
        }
        fail("the user sees  \(traced.shown)\nthe rules say  \(traced.asked)")
    }

    /// Waits for ends and answers, some of which take their way over another thread.
    private func wait(until isDone: () -> Bool) async {
        for _ in 0..<100_000 {
            if isDone() { return }
            await Task.yield()
        }
    }

    private func finish() async {
        await settle()
        await wait { Set(ended.keys) == gone }
        await turns(20)
        guard failure == nil else { return }
        for screen in taken.subtracting(gone) { fail("\(screen) was taken away and is still there") }
        check("places", ended, expected: gone)
        let lives = traced.endedLives.filter { !returned.contains($0.key) }
        check("lives", lives, expected: gone.intersection(traced.madeScreens).subtracting(returned))
        // The window takes orders as on its first day.
        story.append("afterwards")
        for (name, style) in [("sheet", PresentationStyle.sheet), ("cover", .cover)] where failure == nil {
            order("push a \(name)") { [navigator.present(newScreen(), as: style), navigator.push(newScreen())] }
            ask()
            await settle()
        }
        order("close") {
            navigator.close()
            return []
        }
        await settle()
        await wait { Set(ended.keys) == Set(places.keys) && !answers.values.contains(where: \.isEmpty) }
        await turns(20)
        checkAnswers()
        check("places", ended, expected: Set(places.keys))
        check(
            "lives",
            traced.endedLives.filter { !returned.contains($0.key) },
            expected: traced.madeScreens.subtracting(returned)
        )
    }

    private func checkAnswers() {
        for (number, outcomes) in answers {
            guard let outcome = outcomes.first else {
                fail("question \(number) hangs")
                continue
            }
            if outcomes.count > 1 { fail("question \(number) has two outcomes") }
            let answer = tapped[number]
            if outcome != nil, outcome != answer { fail("question \(number) has an answer that nobody gave") }
            if outcome == nil, !disturbed.contains(number) {
                fail("question \(number) lost its answer \(answer.map(String.init) ?? "")")
            }
        }
    }

    private func check(_ what: String, _ ended: [Int: Int], expected: Set<Int>) {
        if Set(ended.keys) != expected {
            fail("\(what): ended are \(ended.keys.sorted()), expected \(expected.sorted())")
        }
        if ended.values.contains(where: { $0 > 1 }) { fail("\(what): some have ended twice: \(ended)") }
    }
}
