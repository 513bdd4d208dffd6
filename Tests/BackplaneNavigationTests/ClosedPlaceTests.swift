import Backplane
import BackplaneNavigation
import BackplaneTesting
import TestSupport
import Testing

/// Work that is over opens no screen: the place that it pairs with leaves at once.
@MainActor @Suite(.timeLimit(.minutes(5)), .everyOwnerPath) struct ClosedPlaceTests {
    private enum Cities: BoardContract {
        typealias Input = String
    }

    private final class CityBoard: Board {
        let slot: Slot<Cities>
        private let show: (CityBoard, String) -> Void

        init(slot: Slot<Cities>, show: @escaping (CityBoard, String) -> Void) {
            self.slot = slot
            self.show = show
        }

        func activate(with city: String) { show(self, city) }
    }

    @Test(.rule("B71")) func `navigation adds exactly the members that this suite uses`() throws {
        let api = try PublicMembers(of: "BackplaneNavigation")
        #expect(api.members(of: "Slot") == ["pair(with:)"])
        #expect(api.members(of: "Board") == ["pair(with:)"])
    }

    @Test(.rule("B71", "V18"), arguments: [true, false], [true, false])
    func `if work that is over pairs with a place, the place leaves at once`(
        bySlot: Bool,
        completes: Bool
    ) async throws {
        let id = BoardID<Cities>("city")
        let navigator = Navigator<String>.onMain(hasTransitions: false)
        navigator.setRoot("home")
        let motherboard = Motherboard.onMain()
        let loaded = AsyncLatch()
        let shown = AsyncLatch()
        var place: Place<String>?
        motherboard.register(id) { slot in
            CityBoard(slot: slot) { board, city in
                guard city == "Paris" else { return board.pair(with: navigator.push(city)) }
                board.task {
                    await loaded.wait()
                    let pushed = navigator.push(city)
                    place = pushed
                    if bySlot { board.slot.pair(with: pushed) } else { board.pair(with: pushed) }
                    shown.open()
                }
            }
        }
        let paris = motherboard.activate(id, with: "Paris")
        await loaded.arrivals(atLeast: 1)
        if completes { paris.complete() } else { motherboard.activate(id, with: "Rome") }
        loaded.open()
        await shown.wait()
        #expect(place?.dismissal == .ordered)
        #expect(navigator.places.map(\.screen) == (completes ? ["home"] : ["home", "Rome"]))
        #expect(motherboard.isLive(id) == !completes)
    }
}
