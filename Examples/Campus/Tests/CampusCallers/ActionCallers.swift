import Backplane
import BackplaneFeatures
import BackplaneNavigation
import CampusModels
import ComposerFeature
import ComposerInterface
import ComposerModels
import CourseFeature
import CourseInterface
import CourseModels
import ProductFeature
import ProductInterface
import ProductModels
import Screens
import Testing

/// Features whose actions the caller supplies.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ActionCallers {
    private let motherboard = Motherboard.onMain()
    private let navigator = ScreenNavigator.onMain(hasTransitions: false)

    private var top: (any Screen)? { navigator.top?.screen }

    @Test func `a composer is installed with the caller's actions and draft`() async {
        var kept: [String] = []
        motherboard.install(
            ComposerModule(
                navigator: navigator,
                loadContacts: { [] },
                loadDraft: { Draft(text: "Dear") },
                actions: (
                    addRecipient: { composer, draft in
                        draft.addressed(to: try await composer.chooseRecipients(insteadOf: draft.recipients))
                    },
                    finish: { composer, draft in composer.close(sent: draft.id) },
                    cancel: { composer, draft in
                        kept.append(draft.text)
                        composer.close()
                    }
                )
            )
        )
        motherboard.activate(Composer.id, with: "")
        while navigator.top?.screen.isBusy == true { await Task.yield() }
        let composer = top as? ComposerModel
        composer?.write("Dear Ada")
        composer?.cancel()
        while navigator.top != nil { await Task.yield() }
        #expect(kept == ["Dear Ada"])
    }

    @Test func `a product performs the caller's share action`() async {
        var shared: [Product.ID] = []
        motherboard.install(
            ProductModule(
                navigator: navigator,
                actions: ProductModel.Actions(
                    load: { id in
                        Product(id: id, title: "Cards", description: "Blank.", price: Price(cents: 495))
                    },
                    share: { _, product in shared.append(product.id) }
                )
            )
        )
        motherboard.activate(ProductPage.id, with: "cards")
        while navigator.top?.screen.isBusy == true { await Task.yield() }
        (top as? ProductModel)?.share()
        while shared.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(shared == ["cards"])
    }

    @Test func `a course changes a to-do with the caller's sender`() async {
        var changed: [Todo.ID] = []
        let sender = ChangeSender<Course.ID, [Todo]> { (tick: TickTodo, _: Course.ID, _: IdempotencyKey) in
            changed.append(tick.todo)
        }
        motherboard.install(
            CourseModule(
                navigator: navigator,
                loading: CourseLoading(
                    course: { Course(id: $0, title: "Engines", summary: "") },
                    tutor: { _ in Tutor(id: "t", name: "Babbage", email: "", officeHours: "") },
                    schedule: { _ in [] },
                    todos: { _ in [Todo(id: "1", title: "Draw", isDone: false, rev: 0)] }
                ),
                todos: RecordStore(sending: sender)
            )
        )
        motherboard.activate(CoursePage.id, with: "abc123")
        while navigator.top?.screen.isBusy == true { await Task.yield() }
        (top as? CourseModel)?.todos.tick("1")
        while changed.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(changed == ["1"])
    }
}
