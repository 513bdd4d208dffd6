import AgendaInterface
import Backplane
import CampusFlows
import CampusModels
import CatalogInterface
import ComposerInterface
import CourseInterface
import DashboardInterface
import LoginInterface
import ProductInterface
import Testing

/// Another team's dashboard, which knows only the feature's interface.
private final class ListBoard: Board {
    let slot: Slot<Dashboard>
    private(set) var weeks: [Dashboard.Week] = []

    init(slot: Slot<Dashboard>) {
        self.slot = slot
    }

    func activate(with input: Void) {
        send(.needsWeek)
    }

    func receive(_ command: Dashboard.Command) {
        switch command {
        case .show(let week): weeks.append(week)
        default: send(.open("abc123"))
        }
    }
}

/// A board that does nothing.
struct Silent<Contract: BoardContract>: Board {
    let slot: Slot<Contract>

    func activate(with input: Contract.Input) {}
    func receive(_ command: Contract.Command) {}
}

/// Tests that use only flows and interfaces; every board is a stand-in.
@MainActor
struct InterfaceCallers {
    private let motherboard = Motherboard.onMain()

    init() {
        motherboard.register(Dashboard.id, ListBoard.init)
        motherboard.register(Login.id) { slot in Silent(slot: slot) }
        motherboard.register(CoursePage.id) { slot in Silent(slot: slot) }
        motherboard.register(Composer.id) { slot in Silent(slot: slot) }
        motherboard.register(Catalog.id) { slot in Silent(slot: slot) }
        motherboard.register(ProductPage.id) { slot in Silent(slot: slot) }
        motherboard.register(Session.id) { slot in Silent(slot: slot) }
        motherboard.registerTask(.appointments) { _, _ in 3 }
        motherboard.registerTask(.openTodos) { _, _ in 1 }
    }

    @Test func `a board is activated with the input that its interface declares`() {
        let activations: [ActivationState] = [
            motherboard.activate(Login.id).state,
            motherboard.activate(Session.id, with: StillAccount("ada")).state,
            motherboard.activate(Dashboard.id).state,
            motherboard.activate(CoursePage.id, with: Course.ID(rawValue: "abc123")).state,
            motherboard.activate(Composer.id, with: "Dear ").state,
            motherboard.activate(Catalog.id).state,
            motherboard.activate(ProductPage.id, with: Product.ID(rawValue: "cards")).state,
        ]
        #expect(activations.allSatisfy { $0 == .active })
        #expect(
            motherboard.send(.show(Dashboard.Week(appointments: 3, openTodos: 1)), to: Dashboard.id) == .delivered(1)
        )
    }

    @Test func `flows, links and tasks use the outputs and IDs that interfaces declare`() async throws {
        var courses: [Course.ID] = []
        motherboard.registerFlow(from: Dashboard.id) { output, _ in
            if case .open(let course) = output { courses.append(course) }
        }
        motherboard.registerFlow(from: Login.id, to: Session.id) { account in account }
        motherboard.registerFlowSteps(Catalog.id ->>> ProductPage.id)
        motherboard.registerFlow(from: Composer.id) { output, _ in
            switch output {
            case .sent(let message): Issue.record("A silent board sent \(message).")
            default: break
            }
        }
        motherboard.registerLink("course/{id}", to: CoursePage.id)
        motherboard.registerLink("product/{id}", to: ProductPage.id)
        motherboard.activate(Dashboard.id)
        motherboard.send(.refresh, to: Dashboard.id)
        #expect(courses == ["abc123"])
        #expect(motherboard.open("/course/abc123") == .opened)
        #expect(motherboard.open("/product/cards") == .opened)
        #expect(try await motherboard.result(of: .appointments) == 3)
        #expect(try await motherboard.result(of: .openTodos) == 1)
    }

    @Test func `the flows are installed as a module`() {
        motherboard.install(CampusFlows())
        let course = motherboard.activate(CoursePage.id, with: "abc123")
        #expect(course.state == .waiting)
    }
}
