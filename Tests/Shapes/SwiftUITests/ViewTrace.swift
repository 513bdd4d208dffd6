import Backplane
import BackplaneNavigation
import BackplaneSwiftUI
import BackplaneTesting
import ShapesTestTools
import SwiftUI

/// A random trace: orders and the user's touches in a window of SwiftUI, whose reports come up to
/// two seconds late.
@MainActor final class ViewTrace {
    private let navigator: Navigator<Int>
    private let clock = ManualClock()
    private let host: ShapeHost
    private let motherboard = Motherboard.onMain()
    private var random: SeededGenerator
    private var story: [String] = []
    private var failure: String?
    private let isAboutLayers: Bool

    private var places: [Int: Place<Int>] = [:]
    private var ended: [Int: Int] = [:]
    private var gone: Set<Int> = []
    private var lastScreen = 0
    private var answers: [Int: [Int?]] = [:]
    private var tapped: [Int: Int] = [:]
    /// The questions during which something happened that may end them.
    private var disturbed: Set<Int> = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let navigator = Navigator<Int>.onMain(clock: clock)
        self.navigator = navigator
        var delays = SeededGenerator(seed: random.next())
        isAboutLayers = random.chance(50)
        self.random = random
        let delay: () -> Duration = { .milliseconds([0, 500, delays.below(2001)][delays.below(3)]) }
        host = ShapeHost(delay: delay) {
            NavigatorView(navigator) { screen in
                Text(verbatim: "\(screen)")
            } tab: { screen in
                Text(verbatim: "tab \(screen)")
            }
        }
        motherboard.register("place" as BoardID<PlaceContract>, reuse: .perActivation) { [weak self] slot in
            PlaceBoard(slot: slot) { self?.ended[$0, default: 0] += 1 }
        }
    }

    /// Plays the trace; returns what is wrong.
    func play() async -> String? {
        order("root") { [navigator.setRoot(newScreen())] }
        for _ in 0..<(5 + random.below(30)) where failure == nil {
            switch random.below(20) {
            case 0..<8: playOrder()
            case 8..<12:
                host.update()
                if !host.isMoving { look(isOrder: false, touch) }
            case 12..<17: pass(.milliseconds(random.below(1500)))
            default: await turns(1 + random.below(12))
            }
        }
        if failure == nil { await finish() }
        return failure.map { (story + [$0]).joined(separator: "\n") }
    }

    private func turns(_ count: Int) async {
        for turn in 0..<count {
            await Task.yield()
            // A change may wait for the next frame.
            if turn.isMultiple(of: 4) { look(isOrder: nil) { host.update() } }
        }
    }

    private func pass(_ time: Duration) {
        look(isOrder: nil) {
            host.advance(by: time)
            clock.advance(by: time)
            host.update()
        }
    }

    private func fail(_ text: String) { if failure == nil { failure = text } }

    // MARK: Orders

    private func newScreen() -> Int {
        lastScreen += 1
        return lastScreen
    }

    private func order(_ name: String, _ order: () -> [Place<Int>]) {
        story.append(name)
        disturbed.formUnion(answers.keys)
        look(isOrder: true) {
            for place in order() {
                places[place.screen] = place
                motherboard.activate("place" as BoardID<PlaceContract>, with: place)
            }
        }
        // Without this, two orders are in one update.
        if random.chance(50) { host.update() }
    }

    private func playOrder() {
        let place = places[1 + random.below(lastScreen)]
        let kind = isAboutLayers ? [3, 9, 10, 11, 12, 18, 19][random.below(7)] : random.below(20)
        switch kind {
        case 0, 1: order("setRoot \(lastScreen + 1)") { [navigator.setRoot(newScreen())] }
        case 2:
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
        case 12, 13: act("dismiss", on: place) { $0.dismiss() }
        case 14: act("back to", on: place) { navigator.back(to: $0) }
        case 15: act("select", on: place) { navigator.select($0) }
        case 16: act("returnHome", on: place) { _ in navigator.returnHome() }
        case 17: act("uncover", on: place) { _ in navigator.uncover() }
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
            let answer = try? await navigator.ask(Dialog("question \(number)", choices: choices, style: style))
            self.answers[number]?.append(answer)
        }
        if random.chance(15) {
            disturbed.insert(number)
            task.cancel()
        }
    }

    // MARK: The user

    private var isAsking: Bool { ["alert", "confirmationDialog"].contains(host.presentations.last) }

    private func touch() {
        if isAsking { return tap() }
        switch random.below(4) {
        case 0, 1:
            story.append("back")
            host.goBack()
        case 2 where host.presentations.isEmpty && navigator.base.stacks.count > 1:
            let index = random.below(navigator.base.stacks.count)
            story.append("tab \(index)")
            host.selectTab(index)
        default:
            guard !host.presentations.isEmpty else { return }
            story.append("pull down")
            disturbed.formUnion(answers.keys)
            host.closePresentation()
        }
    }

    private func tap() {
        guard let title = host.texts.last(where: { $0.hasPrefix("question ") }),
            let number = Int(title.dropFirst("question ".count))
        else { return fail("an alert has no title") }
        let button = ["first", "second", "Cancel"][random.below(3)]
        story.append("tap \(button) of \(number)")
        tapped[number] = ["first": 0, "second": 1][button]
        disturbed.remove(number)
        if button == "Cancel" { disturbed.insert(number) }
        if !host.tap(button, hidesFirst: random.chance(50)) { fail("there is no button \(button)") }
    }

    // MARK: The rules

    /// Makes a change, and checks the reason of the places that leave with it.
    ///
    /// - Parameters:
    ///   - isOrder: whether an order makes the change or the user; `nil` if neither does.
    ///   - change: the change.
    private func look(isOrder: Bool?, _ change: () -> Void) {
        change()
        let there = Set(navigator.places.map(\.screen))
        let left = places.keys.filter { !there.contains($0) && !gone.contains($0) }
        gone.formUnion(left)
        for screen in left where places[screen]?.isDismissedByUser != isOrder.map({ !$0 }) {
            fail("\(screen) left for the wrong reason")
        }
        if let problem = host.problems.first { fail("SwiftUI: \(problem)") }
    }

    /// The texts that the navigator asks for.
    private var asked: [String] {
        let layers = navigator.layers.flatMap { layer in
            let roots = layer.stacks.count > 1 ? layer.stacks.compactMap(\.root) : []
            return roots.map { "tab \($0.screen)" } + [layer.stack.places.last].compactMap { $0.map { "\($0.screen)" } }
        }
        let dialog = navigator.topLayer.dialog.map { [$0.title, $0.message] + $0.buttons.map(\.label) } ?? []
        return (layers + dialog).sorted()
    }

    private func settle() async {
        for _ in 0..<300 where failure == nil {
            await turns(12)
            if host.isWaiting || host.isMoving {
                pass(.milliseconds(500))
            } else if isAsking {
                look(isOrder: false, tap)
            } else if host.texts.sorted() == asked {
                return
            } else {
                // The framework may have replaced a view before it made its report.
                pass(.seconds(3))
            }
        }
        fail("the user sees  \(host.texts.sorted())\nthe rules say  \(asked)")
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
        check(gone)
        story.append("afterwards")
        for style in [PresentationStyle.sheet, .cover] where failure == nil {
            order("push a \(style)") { [navigator.present(newScreen(), as: style), navigator.push(newScreen())] }
            ask()
            await settle()
        }
        order("close") {
            navigator.close()
            return []
        }
        await settle()
        await wait { Set(ended.keys) == Set(places.keys) && !answers.values.contains(where: \.isEmpty) }
        check(Set(places.keys))
        for (number, outcomes) in answers {
            guard let outcome = outcomes.first else {
                fail("question \(number) hangs")
                continue
            }
            if outcomes.count > 1 || outcome != nil && outcome != tapped[number] {
                fail("question \(number) has the outcomes \(outcomes)")
            }
            if outcome == nil, !disturbed.contains(number) { fail("question \(number) lost its answer") }
        }
    }

    private func check(_ expected: Set<Int>) {
        if Set(ended.keys) != expected || ended.values.contains(where: { $0 > 1 }) {
            fail("ended are \(ended), expected \(expected.sorted())")
        }
    }
}

private enum PlaceContract: BoardContract {
    typealias Input = Place<Int>
}

/// A board that is paired with a place, and tells its end.
@MainActor private final class PlaceBoard: Board {
    let slot: Slot<PlaceContract>
    private let onEnd: (Int) -> Void
    private var screen = 0

    init(slot: Slot<PlaceContract>, onEnd: @escaping (Int) -> Void) {
        self.slot = slot
        self.onEnd = onEnd
    }

    func activate(with place: Place<Int>) {
        screen = place.screen
        pair(with: place)
    }

    func didEnd(_ completion: Completion) { onEnd(screen) }
}
