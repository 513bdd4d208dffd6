import Backplane
import BackplaneConcurrency
import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

/// Windows that are released while a sheet is open whose model holds the navigator.
@MainActor @Suite(.timeLimit(.minutes(5))) struct WindowReleaseTests {
    // Before macOS 26 and its sibling releases, code cannot ask which actor it runs on.
    @Test(.rule("V18"), arguments: [false, true], [false, true])
    func `a window is released with its navigator and the model of its sheet`(
        holdsMotherboard: Bool,
        hops: Bool
    ) async throws {
        let released = AsyncLatch()
        var window: Window? = Window(holdsMotherboard: holdsMotherboard) { released.open() }
        window?.motherboard.activate(.note)
        weak let navigator = window?.navigator
        weak let motherboard = window?.motherboard
        #expect(navigator?.layers.count == 2)

        release(&window, hops: hops)
        try await released.waitUnlessCancelled()
        #expect(navigator == nil)
        #expect(motherboard == nil)
    }

    private func release(_ window: inout Window?, hops: Bool) {
        OwnerCall.alwaysHops.withValue(hops) { window = nil }
    }
}

/// A window that pairs its motherboard with itself.
@MainActor private final class Window: LifetimeOwner {
    let lifetime = Lifetime()
    let navigator = Navigator<NoteScreen>.onMain(hasTransitions: false)
    let motherboard = Motherboard.onMain()

    init(holdsMotherboard: Bool, onRelease: @escaping @Sendable () -> Void) {
        motherboard.pair(with: self)
        let held = holdsMotherboard ? motherboard : nil
        motherboard.register(.note) { [navigator] slot in
            NoteBoard(slot: slot, navigator: navigator, motherboard: held, onRelease: onRelease)
        }
        navigator.setRoot(.home)
    }
}

private enum NoteScreen {
    case home
    case note(NoteModel)
}

private enum Note: BoardContract {}

extension BoardID<Note> {
    fileprivate static var note: Self { "note" }
}

/// A struct, so that the closures of its model hold all that it holds.
@MainActor private struct NoteBoard: Board {
    let slot: Slot<Note>
    let navigator: Navigator<NoteScreen>
    let motherboard: Motherboard?
    let onRelease: @Sendable () -> Void

    func activate(with input: Void) {
        let finish = {
            navigator.returnHome()
            motherboard?.completeAllBoards()
        }
        pair(with: navigator.present(.note(NoteModel(finish: finish, onRelease: onRelease))))
    }
}

@MainActor private final class NoteModel {
    let finish: () -> Void
    private let onRelease: @Sendable () -> Void

    init(finish: @escaping () -> Void, onRelease: @escaping @Sendable () -> Void) {
        self.finish = finish
        self.onRelease = onRelease
    }

    deinit { onRelease() }
}
