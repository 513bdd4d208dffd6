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
        motherboard.register(.dashboard, ListBoard.init)
        motherboard.register(.login) { slot in Silent(slot: slot) }
        motherboard.register(.course) { slot in Silent(slot: slot) }
        motherboard.register(.composer) { slot in Silent(slot: slot) }
        motherboard.register(.catalog) { slot in Silent(slot: slot) }
        motherboard.register(.product) { slot in Silent(slot: slot) }
        motherboard.register(.session) { slot in Silent(slot: slot) }
        motherboard.registerTask(.appointments) { _, _ in 3 }
        motherboard.registerTask(.openTodos) { _, _ in 1 }
    }

    @Test func `a board is activated with the input that its interface declares`() {
        let activations: [ActivationState] = [
            motherboard.activate(.login).state,
            motherboard.activate(.session, with: StillAccount("ada")).state,
            motherboard.activate(.dashboard).state,
            motherboard.activate(.course, with: Course.ID(rawValue: "abc123")).state,
            motherboard.activate(.composer, with: "Dear ").state,
            motherboard.activate(.catalog).state,
            motherboard.activate(.product, with: Product.ID(rawValue: "cards")).state,
        ]
        #expect(activations.allSatisfy { $0 == .active })
        #expect(motherboard.send(.show(Dashboard.Week(appointments: 3, openTodos: 1)), to: .dashboard) == .delivered(1))
    }

    @Test func `flows, links and tasks use the outputs and IDs that interfaces declare`() async throws {
        var courses: [Course.ID] = []
        motherboard.registerFlow(from: .dashboard) { output, _ in
            if case .open(let course) = output { courses.append(course) }
        }
        motherboard.registerFlow(from: .login, to: .session) { account in account }
        motherboard.registerFlowSteps(.catalog ->>> .product)
        motherboard.registerFlow(from: .composer) { output, _ in
            switch output {
            case .sent(let message): Issue.record("A silent board sent \(message).")
            default: break
            }
        }
        motherboard.registerLink("course/{id}", to: .course)
        motherboard.registerLink("product/{id}", to: .product)
        motherboard.activate(.dashboard)
        motherboard.send(.refresh, to: .dashboard)
        #expect(courses == ["abc123"])
        #expect(motherboard.open("/course/abc123") == .opened)
        #expect(motherboard.open("/product/cards") == .opened)
        #expect(try await motherboard.result(of: .appointments) == 3)
        #expect(try await motherboard.result(of: .openTodos) == 1)
    }

    @Test func `the flows are installed as a module`() {
        motherboard.install(CampusFlows())
        let course = motherboard.activate(.course, with: "abc123")
        #expect(course.state == .waiting)
    }
}
